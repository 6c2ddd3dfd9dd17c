/** The outermost process of one stage, as we started it. Its id is signalled only until its end was seen. */
export interface StageProcess {
  readonly pid: number;
  /** Start time in clock ticks, empty where the system does not say. */
  readonly start: string;
  readonly ended: boolean;
  /** First process inside the stage's pid namespace, once the sandbox has told it. */
  readonly inside: { readonly pid: number; readonly namespace: string } | null;
}

/** Everything a run has started, as one thing that can be paused, ended and counted. */
export abstract class RunProcesses {
  protected readonly stages: StageProcess[] = [];

  add(stage: StageProcess): void {
    this.stages.push(stage);
  }

  /** What is alive now, whoever its parent is. */
  abstract alive(): readonly number[];
  /** A quicker look that may miss some; for figures only. */
  abstract seen(): readonly number[];
  /** Stops all, also what is started while stopping. */
  abstract pause(): void;
  abstract resume(): void;
  /** Asks all to end; a stopped process is woken, or it would never hear of it. False: nobody was there to hear it. */
  abstract terminate(): boolean;
  /** May be called again until `alive` is empty. */
  abstract kill(): void;

  protected get running(): readonly StageProcess[] {
    return this.stages.filter((stage) => !stage.ended);
  }
}

/** How often to look again for processes that were started while the others were being stopped. */
export const PASSES = 20;
