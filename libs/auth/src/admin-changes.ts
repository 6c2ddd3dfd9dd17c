import { Injectable } from '@nestjs/common';
import type { EventBody, Principal, PrincipalId } from '#contracts';
import { Clock, EventFeed, type Tx } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { KnownCallers } from './known-callers.js';

/** A thing that changed, and whose it is. */
export interface Change {
  readonly owner: PrincipalId;
  readonly event: EventBody;
}

/** What an administrative change did, as it is recorded. */
export interface AdminAct {
  /** One word for programs, such as `token.created`. */
  readonly action: string;
  /** What follows the name of the one who did it: facts, no reasons. */
  readonly did: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly changes: readonly Change[];
}

/**
 * Owns how people, roles and tokens change: what is written, its receipt and its events are committed together; then
 * no credential is believed without a new look.
 */
@Injectable()
export class AdminChanges {
  constructor(
    private readonly feed: EventFeed,
    private readonly receipts: Receipts,
    private readonly known: KnownCallers,
    private readonly clock: Clock,
  ) {}

  /** Null from `write`: nothing changed, so nothing is recorded. */
  async make(by: Principal, write: (tx: Tx) => Promise<AdminAct | null>): Promise<boolean> {
    const isMade = await this.feed.write(async (tx, append) => {
      const act = await write(tx);
      if (!act) return false;
      const { action, did, details } = act;
      await this.receipts.write(tx, append, adminDraft({ by, at: this.clock.now(), action, did, details }));
      for (const { owner, event } of act.changes) await append({ owner, sessionId: null }, event);
      return true;
    });
    this.known.forgetAll();
    return isMade;
  }

  /** A write that is no change of trust, such as the use of a code. */
  quietly<T>(write: (tx: Tx) => Promise<T>): Promise<T> {
    return this.feed.write(write);
  }
}
