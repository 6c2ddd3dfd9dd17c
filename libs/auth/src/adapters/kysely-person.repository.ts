import { Injectable } from '@nestjs/common';
import type { PersonInfo, PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import type { Factor } from '../core/principals.js';
import { PersonRepository, type Login, type NewPerson } from '../ports.js';
import { toPerson, type AuthTables } from './tables.js';

const COLUMNS = [
  'people.id',
  'people.name',
  'people.roles',
  'people.workspace_roles',
  'people.factors',
  'people.created_at',
  'people.disabled_at',
] as const;

/** The only writer of people and passwords, on both engines. */
@Injectable()
export class KyselyPersonRepository extends PersonRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async list(): Promise<readonly PersonInfo[]> {
    const rows = await this.#on().selectFrom('people').select(COLUMNS).orderBy('people.created_at').orderBy('people.id').execute();
    return rows.map(toPerson);
  }

  override async find(id: PrincipalId, tx?: Tx): Promise<PersonInfo | undefined> {
    const row = await this.#on(tx).selectFrom('people').select(COLUMNS).where('people.id', '=', id).executeTakeFirst();
    return row && toPerson(row);
  }

  override async findLogin(nameKey: string): Promise<Login | undefined> {
    const row = await this.#on()
      .selectFrom('people')
      .innerJoin('passwords', 'passwords.person_id', 'people.id')
      .select([...COLUMNS, 'passwords.hash'])
      .where('people.name_key', '=', nameKey)
      .executeTakeFirst();
    return row && { person: toPerson(row), passwordHash: row.hash };
  }

  override async factorsOf(id: PrincipalId, tx?: Tx): Promise<readonly Factor[]> {
    // In a transaction somebody is about to write them: a write that changes nothing locks the row, on both engines.
    if (tx)
      await this.#on(tx)
        .updateTable('people')
        .set((eb) => ({ factors: eb.ref('factors') }))
        .where('id', '=', id)
        .execute();
    const row = await this.#on(tx).selectFrom('people').select('factors').where('id', '=', id).executeTakeFirst();
    return row ? (JSON.parse(row.factors) as Factor[]) : [];
  }

  override async setFactors(tx: Tx, id: PrincipalId, factors: readonly Factor[]): Promise<void> {
    await this.#on(tx)
      .updateTable('people')
      .set({ factors: JSON.stringify(factors) })
      .where('id', '=', id)
      .execute();
  }

  override async countAdmins(tx?: Tx): Promise<number> {
    const rows = await this.#on(tx)
      .selectFrom('people')
      .select('people.id')
      .where('people.roles', 'like', '%"admin"%')
      .where('people.disabled_at', 'is', null)
      .execute();
    return rows.length;
  }

  override async lockAdmins(tx: Tx): Promise<void> {
    // A write that changes nothing: it locks these rows on both engines.
    await this.#on(tx)
      .updateTable('people')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('roles', 'like', '%"admin"%')
      .execute();
  }

  override async insert(tx: Tx, { person, nameKey, passwordHash }: NewPerson): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('people')
      .values({
        id: person.id,
        name: person.name,
        name_key: nameKey,
        roles: JSON.stringify(person.roles),
        workspace_roles: JSON.stringify(person.workspaceRoles),
        factors: '[]',
        created_at: person.createdAt,
        disabled_at: person.disabledAt,
      })
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return false;
    await this.#on(tx).insertInto('passwords').values({ person_id: person.id, hash: passwordHash, changed_at: person.createdAt }).execute();
    return true;
  }

  override async move(tx: Tx, from: PersonInfo, to: Pick<PersonInfo, 'roles' | 'workspaceRoles' | 'disabledAt'>): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('people')
      .set({ roles: JSON.stringify(to.roles), workspace_roles: JSON.stringify(to.workspaceRoles), disabled_at: to.disabledAt })
      .where('id', '=', from.id)
      .where('roles', '=', JSON.stringify(from.roles))
      .where('workspace_roles', '=', JSON.stringify(from.workspaceRoles))
      .where('disabled_at', 'is not distinct from', from.disabledAt)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async changePassword(tx: Tx, id: PrincipalId, from: string, to: string, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('passwords')
      .set({ hash: to, changed_at: at })
      .where('person_id', '=', id)
      .where('hash', '=', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
