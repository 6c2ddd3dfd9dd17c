import type { ConnectionFact, NetworkFact } from '#contracts';

/** Written out one by one; a run that makes more has the rest counted. */
const MAX_WRITTEN = 200;
/** No host has a longer name; a program may ask for anything, and receipts must stay small. */
const MAX_HOST = 255;

interface Entry {
  fact: ConnectionFact;
}

/** A connection that is under way: told now and then how much it has moved so far. */
export type OpenConnection = (bytes: { readonly sent: number; readonly received: number }) => void;

/** Owner of what a run did on the network, for its receipt. */
export class ConnectionLog {
  readonly #written: Entry[] = [];
  #more = 0;
  #refused = 0;
  #sent = 0;
  #received = 0;

  constructor(private readonly hosts: readonly string[]) {}

  refuse(host: string, port: number, reason: string): void {
    this.#refused += 1;
    this.#write({
      host: host.slice(0, MAX_HOST),
      port,
      address: null,
      at: Date.now(),
      allowed: false,
      reason,
      ms: 0,
      sent: 0,
      received: 0,
    });
  }

  allow(host: string, port: number, address: string): OpenConnection {
    const begun = performance.now();
    const entry = this.#write({ host, port, address, at: Date.now(), allowed: true, reason: null, ms: 0, sent: 0, received: 0 });
    return ({ sent, received }) => {
      this.#sent += sent - entry.fact.sent;
      this.#received += received - entry.fact.received;
      entry.fact = { ...entry.fact, ms: Math.round(performance.now() - begun), sent, received };
    };
  }

  /** Both directions, all connections together. */
  get bytes(): number {
    return this.#sent + this.#received;
  }

  get fact(): NetworkFact {
    return {
      hosts: this.hosts,
      connections: this.#written.map(({ fact }) => fact),
      leftOut: this.#more,
      refused: this.#refused,
      sent: this.#sent,
      received: this.#received,
    };
  }

  #write(fact: ConnectionFact): Entry {
    const entry = { fact };
    if (this.#written.length < MAX_WRITTEN) this.#written.push(entry);
    else this.#more += 1;
    return entry;
  }
}
