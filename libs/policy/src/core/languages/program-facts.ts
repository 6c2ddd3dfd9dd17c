/** What a program in a small language does besides transforming its input. */
export interface ProgramFacts {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Runs other programs. */
  readonly executes: boolean;
  /** Takes file names from somewhere that cannot be read off the text. */
  readonly unseen: boolean;
  /** The whole text was understood. */
  readonly understood: boolean;
}

export const NOT_UNDERSTOOD: ProgramFacts = { reads: [], writes: [], executes: false, unseen: false, understood: false };
