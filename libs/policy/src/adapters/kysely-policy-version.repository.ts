import { Injectable } from '@nestjs/common';
import type { PolicyVersionInfo } from '#contracts';
import { Database, type Tx } from '#platform';
import { PolicyVersionRepository, type StoredVersion } from '../documents.ports.js';

type Tables = { policy_versions: { version: number; info: string; yaml: string } };

/** The only writer of policy versions, on both engines. Nothing updates or deletes one. */
@Injectable()
export class KyselyPolicyVersionRepository extends PolicyVersionRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async current(tx?: Tx): Promise<number> {
    const row = await this.#on(tx).selectFrom('policy_versions').select('version').orderBy('version', 'desc').limit(1).executeTakeFirst();
    return row?.version ?? 0;
  }

  override async find(version: number, tx?: Tx): Promise<StoredVersion | undefined> {
    const row = await this.#on(tx).selectFrom('policy_versions').selectAll().where('version', '=', version).executeTakeFirst();
    return row && { info: toInfo(row), yaml: row.yaml };
  }

  override async page(before: number | undefined, limit: number): Promise<readonly PolicyVersionInfo[]> {
    let query = this.#on().selectFrom('policy_versions').select('info').orderBy('version', 'desc').limit(limit);
    if (before !== undefined) query = query.where('version', '<', before);
    return (await query.execute()).map(toInfo);
  }

  override async insert(tx: Tx, { info, yaml }: StoredVersion): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('policy_versions')
      .values({ version: info.version, info: JSON.stringify(info), yaml })
      .onConflict((conflict) => conflict.column('version').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<Tables>();
  }
}

function toInfo({ info }: { readonly info: string }): PolicyVersionInfo {
  return JSON.parse(info) as PolicyVersionInfo; // only `insert` writes it
}
