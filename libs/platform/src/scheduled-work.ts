import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

interface Job {
  readonly timer: NodeJS.Timeout;
  running: Promise<void> | undefined;
}

/** The one owner of repeating work: no overlap, failures are logged, nothing starts after shutdown begins. */
@Injectable()
export class ScheduledWork implements OnModuleDestroy {
  readonly #log = new Logger(ScheduledWork.name);
  readonly #jobs = new Set<Job>();

  /** Does `work` each `ms` until the process stops. A turn that comes while the last one still works is left out. */
  every(ms: number, name: string, work: () => Promise<void>): void {
    const turn = (): void => {
      job.running ??= work()
        .catch((error: unknown) => {
          this.#log.error(`${name} failed; it is tried again in ${String(ms)} ms`, error);
        })
        .finally(() => {
          job.running = undefined;
        });
    };
    const job: Job = { timer: setInterval(turn, ms), running: undefined };
    job.timer.unref();
    this.#jobs.add(job);
  }

  async onModuleDestroy(): Promise<void> {
    for (const { timer } of this.#jobs) clearInterval(timer);
    for (const { running } of this.#jobs) await running;
    this.#jobs.clear();
  }
}
