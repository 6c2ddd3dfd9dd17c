import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError, Clock, newId, ScheduledWork } from '#platform';
import { RequestRepository, type RequestKey } from './ports.js';

const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const POLL_MS = 200;
const KEPT_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** How a piece of work ended: `keep` says whether the answer is given again to a call with the same id. */
export interface Ended<T> {
  readonly answer: T;
  readonly keep: boolean;
}

export interface OnceRequest<T> {
  readonly key: RequestKey;
  readonly digest: string;
  readonly signal: AbortSignal;
  readonly work: () => Promise<Ended<T>>;
}

/** Owner of request ids: of all calls with one id, one is carried out, and the others get its answer. */
@Injectable()
export class FirstAnswers implements OnModuleInit {
  readonly #worker = newId<string & { readonly __kind: 'worker' }>();
  readonly #here = new Map<string, Promise<void>>();

  constructor(
    private readonly requests: RequestRepository,
    private readonly clock: Clock,
    private readonly scheduled: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.scheduled.every(RENEW_MS, 'Renewing the claims on MCP requests', async () => {
      if (this.#here.size > 0) await this.requests.renew(this.#worker, this.clock.now() + LEASE_MS);
    });
    this.scheduled.every(HOUR_MS, 'Forgetting old MCP requests', () => this.requests.forget(this.clock.now() - KEPT_MS));
  }

  /** Answers are JSON. Waits while another call with the same id is at work, here or in another process. */
  async once<T>({ key, digest, signal, work }: OnceRequest<T>): Promise<T> {
    for (;;) {
      const now = this.clock.now();
      const claimed = await this.requests.claim({ key, digest, worker: this.#worker, now, leaseUntil: now + LEASE_MS });
      switch (claimed.kind) {
        case 'mine':
          return this.#work(key, work);
        case 'answered':
          return JSON.parse(claimed.answer) as T; // only `#work` writes it
        case 'other_body':
          throw new AppError('REQUEST_ID_CONFLICT', 'This request_id belongs to another call', { request_id: key.requestId });
        case 'working':
          await (this.#here.get(nameOf(key)) ?? pause(POLL_MS));
          signal.throwIfAborted();
      }
    }
  }

  async #work<T>(key: RequestKey, work: () => Promise<Ended<T>>): Promise<T> {
    const done = Promise.withResolvers<undefined>();
    this.#here.set(nameOf(key), done.promise);
    try {
      const { answer, keep } = await work();
      if (keep) await this.requests.answer(key, this.#worker, JSON.stringify(answer));
      else await this.requests.release(key, this.#worker);
      return answer;
    } catch (error) {
      await this.requests.release(key, this.#worker);
      throw error;
    } finally {
      this.#here.delete(nameOf(key));
      done.resolve(undefined);
    }
  }
}

function nameOf({ principal, tool, requestId }: RequestKey): string {
  return JSON.stringify([principal, tool, requestId]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
