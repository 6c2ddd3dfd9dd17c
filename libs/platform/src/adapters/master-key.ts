import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../database.js';
import { SecretBox } from '../secret-box.js';
import { ConfigError, StartError } from '../start-error.js';

const KEY_BYTES = 32;
const KEY_FILE = 'secret.key';
const PRIVATE_FILE = 0o600;
const CHECK_NAME = 'secret_check';
const CHECK_TEXT = 'countersign';

/** The master key: from the setting, else from the key file of the data folder, which the first start makes. */
export function readMasterKey(dataDir: string, setting: string | undefined): Buffer {
  return findMasterKey(dataDir, setting) ?? makeKeyFile(dataDir, join(dataDir, KEY_FILE));
}

/** The same, where none is made. */
export function findMasterKey(dataDir: string, setting: string | undefined): Buffer | undefined {
  if (setting === undefined) return readKeyFile(join(dataDir, KEY_FILE));
  const key = parseKey(setting);
  if (key) return key;
  throw new ConfigError(['COUNTERSIGN_SECRET_KEY'], 'COUNTERSIGN_SECRET_KEY must be 32 bytes, as base64 or as 64 hex digits');
}

/** A box whose key opens what this installation has sealed; another key does not start. */
export async function openSecretBox(key: Buffer, db: Database): Promise<SecretBox> {
  const box = new SecretBox(key);
  await db
    .insertInto('settings')
    .values({ name: CHECK_NAME, value: box.seal(CHECK_TEXT) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await db.selectFrom('settings').select('value').where('name', '=', CHECK_NAME).executeTakeFirstOrThrow();
  if (opens(box, value)) return box;
  throw new StartError(
    'The secret key is not the one that this database was set up with. Bring back the secret.key file of the data folder, ' +
      'or set COUNTERSIGN_SECRET_KEY to the key that was used before; several servers on one database need the same key',
  );
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    return box.open(sealed) === CHECK_TEXT;
  } catch {
    return false; // sealed with another key, or changed
  }
}

function parseKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const key = Buffer.from(trimmed, 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}

function readKeyFile(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`The key file ${JSON.stringify(path)} cannot be read by this user`, { cause: error });
  }
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) {
      throw new StartError(`Others may read the key file ${JSON.stringify(path)}. Run: chmod 600 ${JSON.stringify(path)}`);
    }
    const key = parseKey(readFileSync(file, 'utf8'));
    if (key) return key;
    throw new StartError(`The key file ${JSON.stringify(path)} does not hold 32 bytes as base64. Bring back the file from a backup`);
  } finally {
    closeSync(file);
  }
}

/** Written whole under another name and then linked: of two processes that start together one makes it, both read it. */
function makeKeyFile(dataDir: string, path: string): Buffer {
  const draft = join(dataDir, `.${KEY_FILE}.${randomUUID()}`);
  writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartError(`The key file ${JSON.stringify(path)} cannot be made`, { cause: error });
    }
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dataDir);
  const key = readKeyFile(path);
  if (!key) throw new StartError(`The key file ${JSON.stringify(path)} was taken away while the server started`);
  return key;
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', PRIVATE_FILE);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What the key will seal must not outlive the key's own directory entry. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
