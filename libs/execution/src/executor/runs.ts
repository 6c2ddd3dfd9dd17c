import type { RunId } from '#contracts';
import { Redactor } from '#receipts/core';
import type { RunSpec, ToExecutor } from './protocol.js';
import { Run, type Workshop } from './run.js';

/** Owner of the runs that are active in this process, and of the secrets that must not leave it. */
export class Runs {
  readonly #active = new Map<RunId, Run>();
  #redactor = new Redactor([]);
  #closed = false;

  constructor(private readonly shop: Workshop) {}

  take(message: ToExecutor): void {
    switch (message.type) {
      case 'start':
        void this.#start(message.spec);
        break;
      case 'pause':
        this.#active.get(message.runId)?.pause();
        break;
      case 'resume':
        this.#active.get(message.runId)?.resume();
        break;
      case 'cancel':
        this.#active.get(message.runId)?.stop('cancelled');
        break;
      case 'secrets':
        this.#redactor = new Redactor(message.values);
    }
  }

  /** Ends everything; nothing starts afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#active.values()].map((run) => run.interrupt()));
  }

  async #start(spec: RunSpec): Promise<void> {
    if (this.#closed || this.#active.has(spec.runId)) return;
    const run = new Run(spec, this.#redactor, this.shop);
    this.#active.set(spec.runId, run);
    const result = await run.execute();
    this.#active.delete(spec.runId);
    this.shop.outbox.send({ type: 'ended', runId: spec.runId, result });
  }
}
