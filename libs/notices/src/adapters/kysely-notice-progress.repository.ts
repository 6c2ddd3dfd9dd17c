import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '#platform';
import { NoticeProgressRepository, type Reminder } from '../ports.js';
import type { NoticesTables } from './tables.js';

const SLOT = 1;
const PER_CENT = 100;

@Injectable()
export class KyselyNoticeProgressRepository extends NoticeProgressRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async begin(head: number): Promise<void> {
    await this.#on()
      .insertInto('notice_cursor')
      .values({ slot: SLOT, last: head })
      .onConflict((conflict) => conflict.column('slot').doNothing())
      .execute();
  }

  override async cursor(): Promise<number> {
    return (await this.#on().selectFrom('notice_cursor').select('last').executeTakeFirstOrThrow()).last;
  }

  override async move(tx: Tx, from: number, to: number): Promise<boolean> {
    const query = this.#on(tx).updateTable('notice_cursor').set({ last: to }).where('slot', '=', SLOT).where('last', '=', from);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async remind(tx: Tx, reminders: readonly Reminder[]): Promise<void> {
    if (reminders.length === 0) return;
    const rows = reminders.map(({ askId, at, share }) => ({ ask_id: askId, at, share: Math.round(share * PER_CENT) }));
    await this.#on(tx)
      .insertInto('notice_reminders')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  override async dueReminders(now: number, limit: number): Promise<readonly Reminder[]> {
    const rows = await this.#on().selectFrom('notice_reminders').selectAll().where('at', '<=', now).orderBy('at').limit(limit).execute();
    return rows.map(({ ask_id, at, share }) => ({ askId: ask_id, at, share: share / PER_CENT }));
  }

  override async takeReminder(tx: Tx, { askId, share }: Reminder): Promise<boolean> {
    const query = this.#on(tx)
      .deleteFrom('notice_reminders')
      .where('ask_id', '=', askId)
      .where('share', '=', Math.round(share * PER_CENT));
    return (await query.executeTakeFirst()).numDeletedRows === 1n;
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<NoticesTables>();
  }
}
