import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Migrations, Tx } from '../database.js';
import type { SecretBox } from '../secret-box.js';
import { StartError } from '../start-error.js';
import { platformMigrations } from './platform.migrations.js';

const FORMAT = 'countersign-backup/1';
const ROWS_AT_ONCE = 500;
/** SQLite binds at most 32,766 values in one statement. */
const MOST_VALUES = 30_000;
const OWN_TABLES = new Set(['kysely_migration', 'kysely_migration_lock']);

/** The first line of a backup. */
export interface BackupHead {
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly createdAt: string;
  readonly engine: Database['engine'];
  /** What the schema had seen when the rows were read. */
  readonly migrations: readonly string[];
  /** In the order in which they were made: what others refer to comes first. */
  readonly tables: readonly string[];
}

/** The last line. `mac` is over all lines before it, with a key of this installation: nobody else can make or change a backup. */
interface BackupEnd {
  readonly rows: number;
  readonly mac: string;
}

type Row = Readonly<Record<string, unknown>>;

export interface DumpOptions {
  readonly box: SecretBox;
  readonly version: string;
  readonly createdAt: string;
  /** Tables that follow from others and are made anew. */
  readonly derived: readonly string[];
}

/** All rows of one moment as lines of JSON, while others go on writing. Secrets are in it as they are stored: sealed. */
export async function* dumpDatabase(db: Database, { box, version, createdAt, derived }: DumpOptions): AsyncGenerator<string> {
  const mac = createHmac('sha256', box.derive('backup'));
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`;
    mac.update(text);
    return text;
  };
  const reading = await openSnapshot(db);
  try {
    const tables = (await tablesOf(reading.tx, db.engine)).filter((name) => !OWN_TABLES.has(name) && !derived.includes(name));
    const migrations = await migrationsOf(reading.tx);
    yield line({ format: FORMAT, version, createdAt, engine: db.engine, migrations, tables } satisfies BackupHead);
    let rows = 0;
    for (const table of tables) {
      for await (const page of pagesOf(reading.tx, db.engine, table)) {
        rows += page.length;
        yield page.map((row) => line([table, row])).join('');
      }
    }
    yield `${JSON.stringify({ rows, mac: mac.digest('hex') } satisfies BackupEnd)}\n`;
  } finally {
    await reading.close();
  }
}

/** Reads a backup to its end and says what it is; throws when it is not whole, or not of this installation. */
export async function inspectBackup(lines: AsyncIterable<string>, box: SecretBox): Promise<BackupHead> {
  let head: BackupHead | undefined;
  for await (const text of proven(lines, box)) head ??= headOf(text);
  if (head) return head;
  throw notWhole();
}

/** The same lines; after the last one it throws when they are not whole, or not of this installation. */
async function* proven(lines: AsyncIterable<string>, box: SecretBox): AsyncGenerator<string> {
  const mac = createHmac('sha256', box.derive('backup'));
  let last: string | undefined;
  for await (const text of lines) {
    if (last === undefined) headOf(text);
    else mac.update(`${last}\n`);
    last = text;
    yield text;
  }
  const end = endOf(last ?? '');
  if (!end) throw notWhole();
  const [given, right] = [Buffer.from(end.mac, 'hex'), mac.digest()];
  if (given.length === right.length && timingSafeEqual(given, right)) return;
  throw new StartError(
    'The backup was changed, or made with another secret key. Bring back the secret key that was in use when it was made',
  );
}

function notWhole(): StartError {
  return new StartError('The backup is not whole: its end is missing');
}

/**
 * Brings an empty database to what the backup holds, and then up to date. Call `inspectBackup` first. The lines are read a second
 * time, and may be others by now: they are proven again before anything of them counts.
 */
export async function loadBackup(
  db: Database,
  { head, lines, box }: { readonly head: BackupHead; readonly lines: AsyncIterable<string>; readonly box: SecretBox },
  planes: readonly Migrations[],
): Promise<number> {
  const migrations = Object.assign({}, platformMigrations, ...planes) as Migrations;
  if (!(await isEmpty(db))) throw new StartError('The database is not empty; a backup is restored into an empty one only');
  const unknown = head.migrations.filter((name) => !(name in migrations));
  if (unknown.length > 0) throw new StartError(`The backup is of a newer version (${head.version}); install that one first`);
  await db.migrate(Object.fromEntries(head.migrations.map((name) => [name, migrations[name]])) as Migrations);
  const rows = await db.transaction().execute((tx) => insertAll(tx, head, proven(lines, box)));
  await db.migrate(migrations);
  return rows;
}

async function insertAll(tx: Tx, { tables }: BackupHead, lines: AsyncIterable<string>): Promise<number> {
  for (const table of [...tables].reverse()) await sql`delete from ${sql.table(table)}`.execute(tx);
  const batch: { table: string; rows: Row[] } = { table: '', rows: [] };
  const flush = async (): Promise<void> => {
    if (batch.rows.length > 0) await insertRows(tx, batch.table, batch.rows);
    batch.rows = [];
  };
  let count = 0;
  for await (const text of lines) {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) continue; // the first line and the last
    const [table, row] = value as [string, Row]; // `dumpDatabase` wrote it, which the mac has shown
    const isFull = (batch.rows.length + 1) * Object.keys(row).length > MOST_VALUES;
    if (table !== batch.table || isFull || batch.rows.length >= ROWS_AT_ONCE) await flush();
    batch.table = table;
    batch.rows.push(row);
    count += 1;
  }
  await flush();
  return count;
}

async function insertRows(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`);
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(tx);
}

/** Everything that is read through it is of one moment. */
async function openSnapshot(db: Database): Promise<{ readonly tx: Tx; readonly close: () => Promise<void> }> {
  const transaction = db.startTransaction().setAccessMode('read only');
  const tx = await (db.engine === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction).execute();
  return {
    tx,
    close: async () => {
      await tx.rollback().execute();
    },
  };
}

async function tablesOf(tx: Tx, engine: Database['engine']): Promise<readonly string[]> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select m.name from sqlite_master m join pragma_table_list l on l.name = m.name and l.schema = 'main'
          where l.type = 'table' and m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' order by m.rowid`
      : sql<{ name: string }>`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind = 'r' order by c.oid`;
  return (await query.execute(tx)).rows.map(({ name }) => name);
}

async function migrationsOf(tx: Tx): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx);
  return rows.map(({ name }) => name);
}

async function* pagesOf(tx: Tx, engine: Database['engine'], table: string): AsyncGenerator<readonly Row[]> {
  if (engine === 'sqlite') {
    let page: Row[] = [];
    for await (const row of tx
      .selectFrom(table as 'settings')
      .selectAll()
      .stream(ROWS_AT_ONCE)) {
      page.push(row);
      if (page.length < ROWS_AT_ONCE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
    return;
  }
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_AT_ONCE)} from backup_rows`.execute(tx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close backup_rows`.execute(tx);
}

/** Migrated at most, and never started: the first start leaves a setting behind. */
async function isEmpty(db: Database): Promise<boolean> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'settings')) return true;
  return (await db.selectFrom('settings').select('name').limit(1).execute()).length === 0;
}

function headOf(text: string): BackupHead {
  const value = parsed(text);
  if (value?.['format'] === FORMAT) return value as unknown as BackupHead; // whether it is ours the mac tells
  throw new StartError('This is not a backup of Countersign');
}

function endOf(text: string): BackupEnd | undefined {
  const value = parsed(text);
  return typeof value?.['mac'] === 'string' ? (value as unknown as BackupEnd) : undefined;
}

function parsed(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
  } catch {
    return undefined; // not JSON: the caller says so
  }
}
