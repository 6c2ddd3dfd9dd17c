import type { Analysis } from './analysis.js';
import type { Context } from './context.js';
import { displayFault, revealed } from './display.js';
import { interpret } from './grammar/interpret.js';
import { TELLING_NAMES } from './grammars/forbidden.js';
import { SHELL_NAMES } from './grammars/interpreters.js';
import { grammarOf } from './grammars/index.js';
import { judgeStrays } from './paths/strays.js';
import { judgeProgram } from './program.js';

const MAX_DEPTH = 8;

/** Decides one argv; wrappers call it again for what they wrap. */
export function decideArgv(argv: readonly string[], context: Context, analysis: Analysis): void {
  const program = argv[0];
  if (program === undefined || program === '') return analysis.fire('command.empty', '');
  if (context.depth > MAX_DEPTH) return analysis.fire('wrapper.depth', program);
  const fault = displayFault(program, 'executable');
  if (fault !== null) analysis.fire(fault, revealed(program));
  const name = judgeProgram(program, argv, context, analysis, (inner, changed) => decideArgv(inner, changed, analysis));
  if (analysis.tool === '') analysis.tool = name ?? program;
  if (context.line.words === analysis.shown) analysis.meets(name ?? program, context.offset);
  const grammar = name === null ? undefined : grammarOf(name);
  analysis.enters(name ?? program, grammar?.transparent === true);
  if (grammar) interpret(grammar, name ?? program, argv, context, analysis, (inner, changed) => decideArgv(inner, changed, analysis));
  else if (!program.includes('/')) judgeUnknown(program, argv, context, analysis);
  if (context.offset === 0) judgeLine(context, analysis);
}

/** An unknown tool may be a wrapper: a program in it that is never allowed is not allowed behind it either. */
function judgeUnknown(program: string, argv: readonly string[], context: Context, analysis: Analysis): void {
  analysis.fire('tool.unknown', program);
  argv.forEach((word, at) => {
    const name = word.slice(word.lastIndexOf('/') + 1);
    const isShell = SHELL_NAMES.has(name) && (argv[at + 1] ?? '').startsWith('-');
    if (at === 0 || (!isShell && !TELLING_NAMES.has(name))) return;
    decideArgv(argv.slice(at), { ...context, depth: context.depth + 1, offset: context.offset + at }, analysis);
  });
}

/** Every word that a person will see, once all of them have been read. */
function judgeLine({ line, look, cwd, root }: Context, analysis: Analysis): void {
  line.words.forEach((word, at) => {
    if (at === 0) return;
    const fault = displayFault(word, line.messages.has(at) ? 'message' : 'word');
    if (fault !== null) analysis.fire(fault, revealed(word));
  });
  if (analysis.runsProjectCode) judgeStrays({ look, cwd, root }, line, analysis);
}
