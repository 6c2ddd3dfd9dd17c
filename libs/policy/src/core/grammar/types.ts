import type { PathUse } from '../paths/judge.js';
import type { RuleId } from '../rules.js';
import type { ToolUse } from './tool-use.js';

/**
 * What a value is. Paths by their use; `names` is a file that lists operands; `program` names a program to run;
 * `message` is text that may hold line breaks; `code` is program text that `study` reads.
 */
export type ValueKind = PathUse | 'text' | 'message' | 'code' | 'program' | 'names' | 'url' | 'host';
export type Kind = 'flag' | ValueKind | `${ValueKind}?`;

/** A kind (`?`: the value may be left out, and then only a glued one counts), and the rules that the option fires. */
export type OptionSpec = Kind | readonly [Kind, ...RuleId[]];

/** How words become options. */
export type WordStyle =
  /** `-abc`, `-ofile`, `--long=value`, abbreviations, options anywhere until `--`. */
  | 'gnu'
  /** The same, but the first operand ends the options. */
  | 'posix'
  /** `-name value`, `-name=value`, one or two dashes, no clusters; the first operand ends them. */
  | 'go'
  /** Every word is an operand. */
  | 'none';

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
