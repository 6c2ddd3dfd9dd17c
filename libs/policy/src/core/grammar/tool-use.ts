import type { Analysis } from '../analysis.js';
import type { Context } from '../context.js';
import { judgePath, type PathUse } from '../paths/judge.js';
import type { RuleId } from '../rules.js';
import type { Grammar } from './types.js';
import type { GivenOption, Operand, Words } from './words.js';

/** Decides another argv inside this one, with a context that may differ. */
export type Unwrap = (argv: readonly string[], context: Context) => void;

/** One use of one tool, read into options and operands: what `study` sees, and how it reports. */
export class ToolUse {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Operand[];
  /** Position of `--`, or null. */
  readonly dashes: number | null;
  /** Position behind the last word that was read. */
  readonly next: number;

  constructor(
    /** Tool and subcommand as a person knows them, such as `git commit`. */
    readonly name: string,
    readonly argv: readonly string[],
    words: Words,
    readonly context: Context,
    readonly analysis: Analysis,
    private readonly unwrap: Unwrap,
    private readonly transparent: boolean,
    /** Reads other words by another grammar, as the same use. */
    readonly reread: (grammar: Grammar, argv: readonly string[]) => void,
  ) {
    this.options = words.options;
    this.operands = words.operands;
    this.dashes = words.dashes;
    this.next = words.next;
  }

  /** Whether an option was given, by any of its spellings' first one. */
  has(...names: readonly string[]): boolean {
    return this.options.some(({ option }) => names.includes(option.name));
  }

  /** The last value of an option, or null. */
  value(name: string): string | null {
    return this.options.findLast(({ option }) => option.name === name)?.value ?? null;
  }

  values(...names: readonly string[]): readonly string[] {
    return this.options.filter(({ option }) => names.includes(option.name)).flatMap(({ value }) => value ?? []);
  }

  texts(): readonly string[] {
    return this.operands.map(({ text }) => text);
  }

  fire(rule: RuleId, what = this.name): void {
    this.analysis.fire(rule, what);
  }

  /** Judges a path operand, counted from the working folder unless another one is given. */
  path(text: string, use: PathUse, from?: string): string | null {
    if (text === '-') return null;
    return judgePath(this.analysis, from === undefined ? this.context : { ...this.context, cwd: from }, text, use);
  }

  paths(texts: readonly string[], use: PathUse): void {
    for (const text of texts) this.path(text, use);
  }

  /** The word at this position is text for people or program text, and may hold line breaks. */
  message(at: number): void {
    this.context.line.messages.add(this.context.offset + at);
  }

  /** Decides the inner command that begins at a position of this argv. */
  inner(at: number, end = this.argv.length, changes: Partial<Pick<Context, 'cwd'>> = {}): void {
    const argv = this.argv.slice(at, end);
    const { context } = this;
    this.#decide(argv, { ...context, ...changes, depth: context.depth + 1, offset: context.offset + at });
  }

  /** Decides an inner command whose words do not stand in this argv as they are. */
  innerWords(argv: readonly string[], changes: Partial<Pick<Context, 'cwd'>> = {}): void {
    const { context } = this;
    this.#decide(argv, { ...context, ...changes, depth: context.depth + 1, offset: 0, line: { words: argv, messages: new Set() } });
  }

  #decide(argv: readonly string[], context: Context): void {
    if (argv.length === 0) return this.fire('wrapper.empty');
    this.analysis.wraps(argv);
    if (this.transparent) this.analysis.tool = '';
    this.unwrap(argv, context);
  }
}
