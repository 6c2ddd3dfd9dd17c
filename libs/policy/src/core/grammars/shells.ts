import { parseCommand } from '../command/parse.js';
import type { ToolUse } from '../grammar/tool-use.js';
import type { Grammar, OptionSpec } from '../grammar/types.js';
import { FORBIDDEN_NAMES } from './forbidden.js';

const SHELL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  '-c': 'flag',
  '-s': 'flag',
  '-o': 'text?',
  '-O': 'text?',
  '-i': ['flag', 'interactive.tool'],
  '--rcfile --init-file': 'execute',
};

/** A shell gets program text, a script, or reads its standard input. */
function studyShell(use: ToolUse): void {
  const texts = use.texts();
  // `-o pipefail` and `+o name`: the name is an operand to the reader.
  const skip = shellNames(use);
  const operands = use.operands.slice(skip);
  if (use.has('-c')) {
    const [program] = operands;
    use.fire('inline.code');
    if (!program) return use.fire('wrapper.empty');
    use.message(program.at);
    return judgeShellText(use, program.text);
  }
  const [script] = texts.slice(skip);
  if (script === undefined || use.has('-s')) {
    use.fire('inline.stdin');
    use.analysis.codeFromStdin ??= use.name;
    return;
  }
  if (script === '-') return use.fire('inline.stdin');
  use.path(script, 'execute');
}

/** How many operands in front are names of shell options. */
function shellNames(use: ToolUse): number {
  let skip = 0;
  for (const { as, value } of use.options) if ((as === '-o' || as === '-O') && value === null) skip += 1;
  for (const { text } of use.operands.slice(skip)) {
    if (!/^\+[a-zA-Z]+$/.test(text)) break;
    skip += text.endsWith('o') || text.endsWith('O') ? 2 : 1;
  }
  return skip;
}

const COMMAND_START =
  '(?:^|[;&|(){}`\\n]|\\$\\(|\\b(?:then|do|else|elif|exec|eval|command|builtin|time|env|xargs|nohup|if|while|until)\\s)\\s*';
const HARD = new RegExp(
  `${COMMAND_START}(?:[\\w./-]*/)?(${[...FORBIDDEN_NAMES].map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w.-])`,
);
const DOWNLOAD_TO_SHELL =
  /\b(curl|wget|fetch|nc|ncat|socat)\b[\s\S]*\|\s*(?:[\w./-]*\/)?(ba|z|da|k|a|fi)?sh\b|\b(?:eval|source|sh|bash|\.)\s+["']?(?:\$\(|<\(|`)\s*(curl|wget)\b/;

/** Decides the commands inside a text for a shell; what is more than plain commands is at best left to a person. */
export function judgeShellText(use: ToolUse, text: string): void {
  const { analysis, context } = use;
  const parsed = parseCommand(text, context, context.look);
  if (!parsed.ok) {
    analysis.say('shell.compound', `The text given to ${use.name} is more than plain commands: ${parsed.message}`);
    const hard = HARD.exec(text)?.[1];
    if (hard !== undefined) use.innerWords([hard]);
    if (DOWNLOAD_TO_SHELL.test(text)) use.fire('download.run', use.name);
    return;
  }
  const before = analysis.codeFromStdin;
  let first = true;
  for (const stage of parsed.value) {
    analysis.codeFromStdin = null;
    const downloads = stage.join === 'pipe' && analysis.network;
    use.innerWords(stage.argv);
    for (const { stream, path } of stage.redirects) use.path(path, stream === 'stdin' ? 'read' : 'write');
    const taken: string | null = analysis.codeFromStdin;
    if (downloads && taken !== null) use.fire('download.run', taken);
    if (first && taken !== null) analysis.codeFromStdin = taken;
    first = false;
  }
  analysis.codeFromStdin ??= before;
}

const shell: Grammar = {
  style: 'posix',
  abbreviations: false,
  flags: `-a -b -e -f -h -k -l -m -n -p -r -t -u -v -x -B -C -D -E -H -P -T -q -V -I -L -y --debugger --dump-po-strings --dump-strings --login
    --noediting --noprofile --norc --posix --pretty-print --restricted --verbose --wordexp --no-rcs --no-globalrcs --private`,
  options: SHELL_OPTIONS,
  operands: 'study',
  study: studyShell,
};

/** Command interpreters. */
export const SHELLS: Readonly<Record<string, Grammar>> = {
  'sh bash dash zsh ksh mksh ash rbash yash': shell,
  'fish csh tcsh pwsh powershell elvish nu xonsh': {
    style: 'none',
    operands: 'study',
    rules: ['inline.code'],
    study: (use) => {
      use.analysis.codeFromStdin ??= use.name;
      const flag = use.texts().findIndex((text) => /^-[a-z]*c$/i.test(text) || /^-+command$/i.test(text));
      const code = flag < 0 ? undefined : use.operands[flag + 1];
      if (code) {
        use.message(code.at);
        judgeShellText(use, code.text);
      }
    },
  },
};
