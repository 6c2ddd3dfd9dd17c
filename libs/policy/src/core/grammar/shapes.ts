import type { PathUse } from '../paths/judge.js';
import type { RuleId } from '../rules.js';

/**
 * What a value is. Paths by their use; `names` is a file that lists operands; `program` names a program to run;
 * `module` is a package by its name, or code by its path; `suffix` is put behind a name; `message` is text that may hold line breaks; `code` is program text that `study` reads.
 */
export type ValueKind = PathUse | 'text' | 'message' | 'code' | 'program' | 'names' | 'module' | 'suffix' | 'url' | 'host';
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

export interface Option {
  /** First spelling, the longest first letter word people know it by. */
  readonly name: string;
  readonly value: ValueKind | null;
  readonly optional: boolean;
  readonly rules: readonly RuleId[];
}

export interface OperandSlot {
  readonly kind: ValueKind;
  readonly many: '' | '?' | '*';
}

export interface GivenOption {
  readonly option: Option;
  /** As it was written, without the value. */
  readonly as: string;
  readonly value: string | null;
  /** Position of the word that holds the value. */
  readonly at: number;
}

export interface Operand {
  readonly text: string;
  /** Position in the argv. */
  readonly at: number;
}

export interface Words {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Operand[];
  readonly unknown: readonly string[];
  /** Position of the first word that was not looked at. */
  readonly next: number;
  /** An operand stood behind `--`. */
  readonly dashes: number | null;
}
