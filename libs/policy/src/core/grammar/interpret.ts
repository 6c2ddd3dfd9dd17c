import type { Analysis } from '../analysis.js';
import type { Context } from '../context.js';
import { judgeUrl } from '../network/url.js';
import { compile, type Compiled } from './compile.js';
import type { GivenOption, Operand, OperandSlot, ValueKind, Words } from './shapes.js';
import { ToolUse, type Grammar, type Unwrap } from './tool.js';
import { readWords } from './words.js';

/** Reads an argv by the grammar of its tool and reports what it finds. */
export function interpret(
  grammar: Grammar,
  name: string,
  argv: readonly string[],
  context: Context,
  analysis: Analysis,
  unwrap: Unwrap,
): void {
  run({ grammar, name, argv, context, analysis, unwrap, inherited: [] }, 1);
}

interface Task {
  readonly grammar: Grammar;
  readonly name: string;
  readonly argv: readonly string[];
  readonly context: Context;
  readonly analysis: Analysis;
  readonly unwrap: Unwrap;
  /** Options of the tool itself that stand before its subcommand. */
  readonly inherited: readonly GivenOption[];
}

function run(task: Task, start: number): void {
  const { grammar, argv } = task;
  const compiled = compile(grammar);
  const hasCommands = compiled.commands.size > 0;
  const words = readWords(compiled, argv, start, hasCommands ? 0 : (grammar.inner ?? null));
  const use = new ToolUse(
    task.name,
    argv,
    { ...words, options: [...task.inherited, ...words.options] },
    task.context,
    task.analysis,
    task.unwrap,
    grammar.transparent === true,
    (other, again) => {
      run({ ...task, grammar: other, argv: again }, 1);
    },
  );
  grammar.always?.(use);
  if (isAbout(compiled, words) && words.next === argv.length) return;
  report(use, words, grammar);
  if (grammar.negations === true) judgeOpposites(use, compiled);
  if (!hasCommands) {
    judgeOperands(use, compiled.slots);
    grammar.study?.(use);
    if (grammar.inner !== undefined) use.inner(words.next);
    return;
  }
  grammar.study?.(use);
  const command = argv[words.next];
  if (command !== undefined) descend({ ...task, inherited: use.options }, compiled, command, words.next + 1);
}

/** Only asks for help or a version. */
function isAbout({ about }: Compiled, { options, operands, unknown }: Words): boolean {
  return options.length > 0 && operands.length === 0 && unknown.length === 0 && options.every(({ as }) => about.has(as));
}

function descend(task: Task, compiled: Compiled, command: string, start: number): void {
  const { grammar, analysis, name } = task;
  const exact = compiled.commands.get(command);
  analysis.descends(command, exact || grammar.shortCommands !== true ? [] : namesBeginningWith(compiled.commands, command));
  const short = !exact && grammar.shortCommands === true ? beginningWith(compiled.commands, command) : [];
  const meant = exact ? [exact] : short.length === 0 && grammar.otherwise ? [grammar.otherwise] : short;
  if (meant.length === 0) return analysis.fire('subcommand.unknown', `${name} ${command}`);
  // A beginning of several subcommands counts as each of them: the strictest wins.
  for (const sub of meant) {
    run({ ...task, grammar: grammar.shared === true ? withShared(grammar, sub) : sub, name: `${name} ${command}` }, start);
  }
}

function beginningWith(commands: ReadonlyMap<string, Grammar>, text: string): readonly Grammar[] {
  return text === '' ? [] : [...new Set([...commands].filter(([name]) => name.startsWith(text)).map(([, sub]) => sub))];
}

function namesBeginningWith(commands: ReadonlyMap<string, Grammar>, text: string): readonly string[] {
  return text === '' ? [] : [...commands.keys()].filter((name) => name.startsWith(text));
}

const merged = new WeakMap<Grammar, WeakMap<Grammar, Grammar>>();

/** A subcommand that also takes the options of its tool. */
function withShared(tool: Grammar, sub: Grammar): Grammar {
  const known = merged.get(tool) ?? new WeakMap<Grammar, Grammar>();
  merged.set(tool, known);
  const ready = known.get(sub) ?? {
    ...sub,
    ...(sub.abbreviations === undefined && tool.abbreviations !== undefined ? { abbreviations: tool.abbreviations } : {}),
    ...(sub.negations === undefined && tool.negations !== undefined ? { negations: tool.negations } : {}),
    flags: `${tool.flags ?? ''} ${sub.flags ?? ''}`,
    options: { ...tool.options, ...sub.options },
    ...(sub.commands ? { shared: true } : {}),
  };
  known.set(sub, ready);
  return ready;
}

function report(use: ToolUse, words: Words, grammar: Grammar): void {
  for (const rule of grammar.rules ?? []) use.fire(rule);
  for (const word of words.unknown) use.fire('option.unknown', `${use.name} ${word}`);
  for (const { option, as, value, at } of words.options) {
    for (const rule of option.rules) use.fire(rule, `${use.name} ${as}`);
    if (value !== null && option.value !== null) judgeValue(use, option.value, { text: value, at }, `${use.name} ${as}`);
  }
}

/** An option and its opposite in one use: the last one counts, and what was read from the first may not hold. */
function judgeOpposites(use: ToolUse, { options }: Compiled): void {
  for (const { option } of use.options) {
    const opposed = option.name.startsWith('--no-') ? options.get(`--${option.name.slice('--no-'.length)}`) : undefined;
    if (opposed && use.has(opposed.name)) use.fire('option.unknown', `${use.name} ${opposed.name} with ${option.name}`);
  }
}

function judgeOperands(use: ToolUse, slots: readonly OperandSlot[] | null): void {
  if (slots === null) return;
  const kinds = assign(use.operands, slots);
  use.operands.forEach((operand, index) => {
    const kind = kinds[index];
    if (kind !== undefined) judgeValue(use, kind, operand, use.name);
    else use.fire('operand.unexpected', operand.text);
  });
}

/** Which kind each operand has: fixed slots from both ends, the repeated one in between. */
function assign(operands: readonly Operand[], slots: readonly OperandSlot[]): readonly (ValueKind | undefined)[] {
  const many = slots.findIndex((slot) => slot.many === '*');
  if (many < 0) return operands.map((_, index) => slots[index]?.kind);
  const tail = slots.slice(many + 1);
  return operands.map((_, index) => {
    if (index < many) return slots[index]?.kind;
    const fromEnd = operands.length - index;
    return fromEnd <= tail.length ? tail[tail.length - fromEnd]?.kind : slots[many]?.kind;
  });
}

/** Judges one value by what it is. */
function judgeValue(use: ToolUse, kind: ValueKind, { text, at }: Operand, what: string): void {
  switch (kind) {
    case 'text':
      return;
    case 'host':
      return use.analysis.host(text);
    case 'message':
    case 'code':
      return use.message(at);
    case 'program':
      return use.fire('exec.option', what);
    case 'names':
      if (text === '-' || use.path(text, 'read') !== null) use.fire('operands.unseen', what);
      return;
    case 'module':
      if (/^[./~]/.test(text)) use.path(text, 'execute');
      return;
    case 'suffix':
      if (text.includes('/')) use.fire('path.escape', what);
      return;
    case 'url':
      return judgeUrl(use.analysis, text);
    case 'list':
    case 'read':
    case 'write':
    case 'side':
    case 'delete':
    case 'move':
    case 'execute':
    case 'folder':
      use.path(text, kind);
  }
}
