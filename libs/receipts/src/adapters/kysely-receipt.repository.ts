import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { PlanId, PrincipalId, ReceiptId, ReceiptSummary, SessionId } from '#contracts';
import { Database, type Tx } from '#platform';
import { ReceiptRepository, type ReceiptFilter, type ReceiptRow, type StoredReceipt } from '../ports.js';
import type { ReceiptsTables } from './tables.js';

type Row = Pick<ReceiptsTables['receipts'], 'place' | 'leaf_hash' | 'owner' | 'session_id' | 'plan_id'> & ReceiptsTables['receipt_bodies'];

/** The only writer of receipts, on both engines. */
@Injectable()
export class KyselyReceiptRepository extends ReceiptRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, { stored, summary, search }: ReceiptRow): Promise<void> {
    const { id, index, leafHash, owner, sessionId, planId } = stored;
    const on = tx.$extendTables<ReceiptsTables>();
    await on
      .insertInto('receipts')
      .values({
        id,
        place: index,
        leaf_hash: leafHash,
        owner,
        session_id: sessionId,
        plan_id: planId,
        kind: summary.kind,
        outcome: summary.outcome,
        at: summary.at,
        summary: JSON.stringify(summary),
        search,
      })
      .execute();
    await on
      .insertInto('receipt_bodies')
      .values({
        id,
        receipt: stored.receipt,
        evidence: stored.evidence,
        payload: stored.payload,
        signature: stored.signature,
        key_id: stored.keyId,
        hmac_key_id: stored.hmacKeyId,
        seed: stored.seed,
      })
      .execute();
  }

  override async find(id: ReceiptId): Promise<StoredReceipt | undefined> {
    const row = await this.#whole().where('receipts.id', '=', id).executeTakeFirst();
    return row && toStored(row);
  }

  override async ofPlan(sessionId: SessionId, planId: PlanId): Promise<StoredReceipt | undefined> {
    const row = await this.#whole()
      .where('plan_id', '=', planId)
      .where('session_id', '=', sessionId)
      .orderBy(sql`case when kind = 'run' then 0 else 1 end`)
      .orderBy('place', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toStored(row);
  }

  override async page({ owner, q, outcome, kind, before, limit }: ReceiptFilter): Promise<readonly ReceiptSummary[]> {
    let query = this.db.$extendTables<ReceiptsTables>().selectFrom('receipts').select('summary').orderBy('place', 'desc').limit(limit);
    if (owner !== undefined) query = query.where('owner', '=', owner);
    if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (before !== undefined) query = query.where('place', '<', before);
    for (const word of q?.toLowerCase().split(/\s+/).filter(Boolean) ?? []) {
      query = query.where(sql<boolean>`search like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`);
    }
    return (await query.execute()).map(({ summary }) => JSON.parse(summary) as ReceiptSummary); // only `insert` writes it
  }

  #whole() {
    return this.db
      .$extendTables<ReceiptsTables>()
      .selectFrom('receipts')
      .innerJoin('receipt_bodies', 'receipt_bodies.id', 'receipts.id')
      .select(['place', 'leaf_hash', 'owner', 'session_id', 'plan_id'])
      .selectAll('receipt_bodies');
  }
}

function toStored(row: Row): StoredReceipt {
  return {
    // The brands exist at compile time only; `insert` took them from branded values.
    id: row.id as ReceiptId,
    index: row.place,
    leafHash: row.leaf_hash,
    owner: row.owner as PrincipalId,
    sessionId: row.session_id as SessionId | null,
    planId: row.plan_id as PlanId | null,
    receipt: row.receipt,
    evidence: row.evidence,
    payload: row.payload,
    signature: row.signature,
    keyId: row.key_id,
    hmacKeyId: row.hmac_key_id,
    seed: row.seed,
  };
}
