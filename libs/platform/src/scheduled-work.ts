import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

interface Job {
  readonly timer: NodeJS.Timeout;
  isRunning: boolean;
  /** Settles when the last turn is over. */
  turn: Promise<void>;
}

/** The one owner of repeating work: no overlap, failures are logged, nothing starts after shutdown begins. */
@Injectable()
export class ScheduledWork implements OnModuleDestroy {
  readonly #log = new Logger(ScheduledWork.name);
  readonly #jobs = new Set<Job>();

  /** Does `work` each `ms` until the process stops. A turn that comes while the last one still works is left out. */
  every(ms: number, name: string, work: () => Promise<void>): void {
    const attempt = async (): Promise<void> => {
      try {
        await work();
      } catch (error) {
        this.#log.error(`${name} failed; it is tried again in ${String(ms)} ms`, error);
      }
      job.isRunning = false;
    };
    const timer = setInterval(() => {
      if (job.isRunning) return;
      job.isRunning = true;
      job.turn = attempt();
    }, ms);
    const job: Job = { timer, isRunning: false, turn: Promise.resolve() };
    timer.unref();
    this.#jobs.add(job);
  }

  async onModuleDestroy(): Promise<void> {
    for (const { timer } of this.#jobs) clearInterval(timer);
    for (const { turn } of this.#jobs) await turn;
    this.#jobs.clear();
  }
}
