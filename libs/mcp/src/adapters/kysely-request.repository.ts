import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { RequestRepository, type Claimed, type RequestClaim, type RequestKey } from '../ports.js';

/** `answer` is null while a worker holds the row; what it holds afterwards never changes. */
type Tables = {
  mcp_requests: {
    principal: string;
    tool: string;
    request_id: string;
    digest: string;
    worker: string;
    lease_until: number;
    created_at: number;
    answer: string | null;
  };
};

@Injectable()
export class KyselyRequestRepository extends RequestRepository {
  readonly #db;

  constructor(db: Database) {
    super();
    this.#db = db.$extendTables<Tables>();
  }

  override async claim({ key, digest, worker, now, leaseUntil }: RequestClaim): Promise<Claimed> {
    const inserted = await this.#db
      .insertInto('mcp_requests')
      .values({ ...toColumns(key), digest, worker, lease_until: leaseUntil, created_at: now, answer: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 1n) return { kind: 'mine' };

    const row = await this.#rows(key).executeTakeFirst();
    if (!row) return { kind: 'working' }; // released in between; the next look wins it
    if (row.digest !== digest) return { kind: 'other_body' };
    if (row.answer !== null) return { kind: 'answered', answer: row.answer };
    if (row.lease_until >= now) return { kind: 'working' };
    return (await this.#takeOver(key, row.worker, worker, leaseUntil)) ? { kind: 'mine' } : { kind: 'working' };
  }

  override async answer(key: RequestKey, worker: string, answer: string): Promise<void> {
    await this.#update(key, worker).set({ answer }).execute();
  }

  override async release(key: RequestKey, worker: string): Promise<void> {
    const { principal, tool, request_id } = toColumns(key);
    await this.#db
      .deleteFrom('mcp_requests')
      .where('principal', '=', principal)
      .where('tool', '=', tool)
      .where('request_id', '=', request_id)
      .where('worker', '=', worker)
      .where('answer', 'is', null)
      .execute();
  }

  override async renew(worker: string, leaseUntil: number): Promise<void> {
    await this.#db
      .updateTable('mcp_requests')
      .set({ lease_until: leaseUntil })
      .where('worker', '=', worker)
      .where('answer', 'is', null)
      .execute();
  }

  override async forget(createdBefore: number): Promise<void> {
    await this.#db.deleteFrom('mcp_requests').where('created_at', '<', createdBefore).execute();
  }

  async #takeOver(key: RequestKey, from: string, to: string, leaseUntil: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#update(key, from).set({ worker: to, lease_until: leaseUntil }).executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #rows(key: RequestKey) {
    const { principal, tool, request_id } = toColumns(key);
    return this.#db
      .selectFrom('mcp_requests')
      .selectAll()
      .where('principal', '=', principal)
      .where('tool', '=', tool)
      .where('request_id', '=', request_id);
  }

  #update(key: RequestKey, worker: string) {
    const { principal, tool, request_id } = toColumns(key);
    return this.#db
      .updateTable('mcp_requests')
      .where('principal', '=', principal)
      .where('tool', '=', tool)
      .where('request_id', '=', request_id)
      .where('worker', '=', worker)
      .where('answer', 'is', null);
  }
}

function toColumns({ principal, tool, requestId }: RequestKey): { principal: string; tool: string; request_id: string } {
  return { principal, tool, request_id: requestId };
}
