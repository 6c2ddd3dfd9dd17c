import type { Enforcement } from '#contracts';
import type { PathLook } from './path-look.js';
import type { Where } from './question.js';

/** Where and how one argv is read. Wrappers hand on a changed copy. */
export interface Context extends Where {
  readonly look: PathLook;
  readonly toolPaths: readonly string[];
  readonly dataDir: string | null;
  readonly sandbox: Enforcement;
  /** How many wrappers stand around this argv. */
  readonly depth: number;
  /** The words that a person sees, of which this argv is a part beginning at `offset`. */
  readonly line: Line;
  readonly offset: number;
}

/** One list of words as it is shown, and which of them may hold line breaks. */
export interface Line {
  readonly words: readonly string[];
  readonly messages: Set<number>;
}
