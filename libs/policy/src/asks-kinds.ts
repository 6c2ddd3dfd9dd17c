import { Injectable, Logger } from '@nestjs/common';
import type { Ask, AskKind } from '#contracts';
import type { Append, Tx } from '#platform';

/** What a plane does when one of its asks closes. */
export interface AskHandler {
  /** Runs in the transaction that closes the ask; what it throws keeps the ask open. */
  closed(tx: Tx, append: Append, ask: Ask): Promise<void>;
  /** Its end has moved; runs in the same transaction. */
  extended?(tx: Tx, append: Append, ask: Ask): Promise<void>;
  /**
   * Runs after the commit, in the process that closed the ask, for what cannot be undone. A crash between the two loses the call,
   * so the row has to say what is still to be done; what it throws is logged and changes nothing.
   */
  afterClosed?(ask: Ask): Promise<void>;
}

/** Owner of who is to be told when an ask of a kind closes. Higher planes register themselves. */
@Injectable()
export class AskKinds {
  readonly #log = new Logger(AskKinds.name);
  readonly #handlers = new Map<AskKind, AskHandler>();

  register(kind: AskKind, handler: AskHandler): void {
    if (this.#handlers.has(kind)) throw new Error(`Asks of kind ${kind} have a handler already`);
    this.#handlers.set(kind, handler);
  }

  async closed(tx: Tx, append: Append, ask: Ask): Promise<void> {
    await this.#handlers.get(ask.kind)?.closed(tx, append, ask);
  }

  async extended(tx: Tx, append: Append, ask: Ask): Promise<void> {
    await this.#handlers.get(ask.kind)?.extended?.(tx, append, ask);
  }

  /** Nobody waits for it: who decided hears of the decision, not of what follows. */
  afterClosed(ask: Ask): void {
    const done = this.#handlers.get(ask.kind)?.afterClosed?.(ask);
    done?.catch((error: unknown) => this.#log.error(`What follows from ask ${ask.id} failed`, error));
  }
}
