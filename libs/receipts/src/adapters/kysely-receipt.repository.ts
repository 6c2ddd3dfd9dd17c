import { Injectable } from '@nestjs/common';
import { sql, type Compilable } from 'kysely';
import type { PlanId, PrincipalId, ReceiptId, SessionId } from '#contracts';
import { Database, type Tx } from '#platform';
import { ReceiptRepository, type DeletedReceipt, type ReceiptRow, type ScannedReceipt, type StoredReceipt } from '../ports.js';
import { Statements } from './statements.js';
import type { ReceiptsTables } from './tables.js';

type Row = ReceiptsTables['receipts'];

/** The only writer of receipts, on both engines. */
@Injectable()
export class KyselyReceiptRepository extends ReceiptRepository {
  readonly #statements = new Statements();

  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, { stored, summary, search, at, workspaceId, tool, verdict }: ReceiptRow): Promise<void> {
    const row: Row = {
      place: stored.index,
      id: stored.id,
      leaf_hash: stored.leafHash,
      owner: stored.owner,
      session_id: stored.sessionId,
      plan_id: stored.planId,
      kind: summary.kind,
      outcome: summary.outcome,
      at,
      summary: JSON.stringify(summary),
      search,
      key_id: stored.keyId,
      hmac_key_id: stored.hmacKeyId,
      seed: stored.seed,
      signature: stored.signature,
      payload: stored.payload,
      evidence: stored.evidence,
      receipt: stored.receipt,
      workspace_id: workspaceId,
      tool,
      verdict,
      deleted_by: null,
    };
    const insert = (): Compilable => this.#on().insertInto('receipts').values(row);
    await tx.executeQuery(this.#statements.query('insert', insert, Object.values(row)));
  }

  override async find(id: ReceiptId): Promise<StoredReceipt | undefined> {
    return toStored(await this.#on().selectFrom('receipts').selectAll().where('id', '=', id).executeTakeFirst());
  }

  override async scan(from: number, limit: number): Promise<readonly ScannedReceipt[]> {
    const rows = await this.#on().selectFrom('receipts').selectAll().where('place', '>=', from).orderBy('place').limit(limit).execute();
    return rows.map((row) => ({ place: row.place, leafHash: row.leaf_hash, stored: toStored(row), deletedBy: row.deleted_by }));
  }

  override async deleted(id: ReceiptId): Promise<DeletedReceipt | undefined> {
    const columns = ['place', 'leaf_hash', 'owner', 'deleted_by'] as const;
    const row = await this.#on().selectFrom('receipts').select(columns).where('id', '=', id).executeTakeFirst();
    if (row?.deleted_by == null) return undefined;
    return { id, index: row.place, leafHash: row.leaf_hash, owner: row.owner as PrincipalId, deletedBy: row.deleted_by };
  }

  override async at(places: readonly number[]): Promise<readonly StoredReceipt[]> {
    if (places.length === 0) return [];
    const rows = await this.#on().selectFrom('receipts').selectAll().where('place', 'in', places).orderBy('place').execute();
    return rows.map(toStored).filter((stored) => stored !== undefined);
  }

  override async deletionsWithin(from: number, to: number): Promise<readonly number[]> {
    const rows = await this.#on()
      .selectFrom('receipts')
      .select('deleted_by')
      .distinct()
      .where('place', '>=', from)
      .where('place', '<', to)
      .where('deleted_by', 'is not', null)
      .execute();
    return rows.flatMap(({ deleted_by }) => (deleted_by === null ? [] : [deleted_by]));
  }

  override async placesWithBody(places: readonly number[]): Promise<readonly number[]> {
    if (places.length === 0) return [];
    const rows = await this.#on()
      .selectFrom('receipts')
      .select('place')
      .where('place', 'in', places)
      .where('evidence', 'is not', null)
      .orderBy('place')
      .execute();
    return rows.map(({ place }) => place);
  }

  override async ofPlan(sessionId: SessionId, planId: PlanId): Promise<StoredReceipt | undefined> {
    const row = await this.#on()
      .selectFrom('receipts')
      .selectAll()
      .where('plan_id', '=', planId)
      .where('session_id', '=', sessionId)
      .orderBy(sql`case when kind = 'run' then 0 else 1 end`)
      .orderBy('place', 'desc')
      .limit(1)
      .executeTakeFirst();
    return toStored(row);
  }

  #on() {
    return this.db.$extendTables<ReceiptsTables>();
  }
}

/** Undefined also when the long texts are gone. */
function toStored(row: Row | undefined): StoredReceipt | undefined {
  if (!row) return undefined;
  const { seed, signature, payload, evidence } = row;
  if (seed === null || signature === null || payload === null || evidence === null) return undefined;
  return {
    // The brands exist at compile time only; `insert` took them from branded values.
    id: row.id as ReceiptId,
    index: row.place,
    leafHash: row.leaf_hash,
    owner: row.owner as PrincipalId,
    sessionId: row.session_id as SessionId | null,
    planId: row.plan_id as PlanId | null,
    receipt: row.receipt,
    evidence,
    payload,
    signature,
    keyId: row.key_id,
    hmacKeyId: row.hmac_key_id,
    seed,
  };
}
