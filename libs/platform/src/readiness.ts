import { Injectable } from '@nestjs/common';
import { Clock } from './clock.js';
import { Database } from './database.js';

/** Rejects while the thing it looks at cannot work. */
export type Check = () => Promise<void>;

export interface Ready {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>;
}

/** An answer serves everyone who asks within this time: the probe writes, and the question is public. */
const FRESH_MS = 1_000;
const CHECK_WITHIN_MS = 5_000;

/** Owner of the question whether this process can do its work now. */
@Injectable()
export class Readiness {
  readonly #checks = new Map<string, Check>();
  #asked: { readonly at: number; readonly answer: Promise<Ready> } | undefined;

  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    this.register('database', async () => {
      await db
        .updateTable('event_counter')
        .set((eb) => ({ last: eb.ref('last') }))
        .execute(); // proves that a write is durable
    });
  }

  /** Other libs name what they need to work, such as `executor`. */
  register(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  ask(): Promise<Ready> {
    const now = this.clock.now();
    if (!this.#asked || now - this.#asked.at >= FRESH_MS) this.#asked = { at: now, answer: this.#answer() };
    return this.#asked.answer;
  }

  async #answer(): Promise<Ready> {
    const checks = await Promise.all([...this.#checks].map(async ([name, check]) => [name, await outcome(check)] as const));
    return { ready: checks.every(([, word]) => word === 'ok'), checks: Object.fromEntries(checks) };
  }
}

async function outcome(check: Check): Promise<'ok' | 'failed'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'failed'>((resolve) => {
    timer = setTimeout(() => resolve('failed'), CHECK_WITHIN_MS);
  });
  try {
    return await Promise.race([check().then(() => 'ok' as const), late]);
  } catch {
    return 'failed'; // the answer is public: the reason stands in the log of whoever failed
  } finally {
    clearTimeout(timer);
  }
}
