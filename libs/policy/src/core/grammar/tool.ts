import type { Analysis } from '../analysis.js';
import type { Context } from '../context.js';
import { judgePath, type PathUse } from '../paths/judge.js';
import type { RuleId } from '../rules.js';
import type { GivenOption, Operand, OptionSpec, Words, WordStyle } from './shapes.js';

/**
 * What one tool understands, as data. What a table cannot say (a language inside an operand, a target that depends on
 * the number of operands) stands in `study`.
 */
export interface Grammar {
  readonly style?: WordStyle;
  /** Long options may be shortened. Default true for `gnu` and `posix`. */
  readonly abbreviations?: boolean;
  /** `-20` is a number. */
  readonly numbers?: boolean;
  /** `--no-x` exists for every known `--x`. */
  readonly negations?: boolean;
  /** Options without value, all spellings separated by blanks. */
  readonly flags?: string;
  /** `'-o --output': 'write'`. */
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /**
   * Kinds of operands in order, such as `'text read*'`, `'read* write'`; `?` once at most, `*` any number.
   * Without it no operand is expected. `'study'`: `study` judges them.
   */
  readonly operands?: string;
  /** Options behind whose value everything belongs to something else, such as `-c` of a shell. */
  readonly lastOptions?: string;
  /** Rules that every use fires, except one that only asks for help or a version. */
  readonly rules?: readonly RuleId[];
  /** More spellings of asking for help or a version and doing nothing else. */
  readonly about?: string;
  /** Like `study`, but also for a use that only asks for help or a version. */
  readonly always?: (use: ToolUse) => void;
  /** Subcommands by name, aliases separated by blanks. Options of the tool itself come before. */
  readonly commands?: Readonly<Record<string, Grammar>>;
  /** What an unknown subcommand is, when it can be more than a mistake. */
  readonly otherwise?: Grammar;
  /** Options of the tool itself may also stand behind the subcommand. */
  readonly shared?: boolean;
  /** Subcommands may be shortened. */
  readonly shortCommands?: boolean;
  /** This tool runs the command that follows its options and this many operands. */
  readonly inner?: number;
  /** A wrapper that changes nothing about what the inner command is: the stage counts as the inner tool. */
  readonly transparent?: boolean;
  readonly study?: (use: ToolUse) => void;
}

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
