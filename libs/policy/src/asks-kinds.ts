import { Injectable } from '@nestjs/common';
import type { Ask, AskKind } from '#contracts';
import type { Append, Tx } from '#platform';

/** What a plane does when one of its asks closes. */
export interface AskHandler {
  /** Runs in the transaction that closes the ask; what it throws keeps the ask open. */
  closed(tx: Tx, append: Append, ask: Ask): Promise<void>;
}

/** Owner of who is to be told when an ask of a kind closes. Higher planes register themselves. */
@Injectable()
export class AskKinds {
  readonly #handlers = new Map<AskKind, AskHandler>();

  register(kind: AskKind, handler: AskHandler): void {
    if (this.#handlers.has(kind)) throw new Error(`Asks of kind ${kind} have a handler already`);
    this.#handlers.set(kind, handler);
  }

  async closed(tx: Tx, append: Append, ask: Ask): Promise<void> {
    await this.#handlers.get(ask.kind)?.closed(tx, append, ask);
  }
}
