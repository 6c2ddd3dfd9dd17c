import type { RunId } from '#contracts';
import { Redactor } from '#receipts/core';
import type { RunSpec, ToExecutor } from './protocol.js';
import { Run, type Workshop } from './run.js';

/** Owner of the runs that are active in this process, and of the secrets that must not leave it. */
export class Runs {
  readonly #active = new Map<RunId, { readonly run: Run; readonly done: Promise<void> }>();
  #redactor = new Redactor([]);
  #closed = false;

  constructor(private readonly shop: Workshop) {}

  take(message: ToExecutor): void {
    switch (message.type) {
      case 'start':
        this.#start(message.spec);
        break;
      case 'pause':
        this.#active.get(message.runId)?.run.pause();
        break;
      case 'resume':
        this.#active.get(message.runId)?.run.resume();
        break;
      case 'cancel':
        this.#active.get(message.runId)?.run.stop('cancelled');
        break;
      case 'input':
      case 'resize':
        this.#active.get(message.runId)?.run.tell(message);
        break;
      case 'secrets':
        this.#redactor = new Redactor(message.values);
    }
  }

  /** Ends everything, and waits until nothing of it is left; nothing starts afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    const active = [...this.#active.values()];
    for (const { run } of active) run.stop('interrupted');
    await Promise.all(active.map(({ done }) => done));
  }

  #start(spec: RunSpec): void {
    if (this.#closed || this.#active.has(spec.runId)) return;
    const run = new Run(spec, this.#redactor, this.shop);
    const done = run.execute().then((result) => {
      this.#active.delete(spec.runId);
      this.shop.outbox.send({ type: 'ended', runId: spec.runId, result });
    });
    this.#active.set(spec.runId, { run, done });
  }
}
