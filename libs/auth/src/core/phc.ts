/** Cost of one argon2id hash: memory in KiB, passes over it, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface StoredHash extends HashCost {
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;
/** A stored row is never a reason to take this much memory. */
const MAX_MEMORY = 1_048_576;

/** The usual text form of a password hash, so that its cost can rise later without a migration. */
export function formatPhc({ memory, passes, lanes, salt, tag }: StoredHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`;
}

export function parsePhc(text: string): StoredHash | undefined {
  const [, memory, passes, lanes, salt, tag] = PHC.exec(text) ?? [];
  if (memory === undefined || passes === undefined || lanes === undefined || salt === undefined || tag === undefined) return undefined;
  const hash = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  if (hash.memory > MAX_MEMORY || hash.memory < 8 * hash.lanes || hash.passes < 1 || hash.lanes < 1) return undefined;
  return { ...hash, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** True when a hash was made with less work than is asked for today. */
export function isCheaper(stored: HashCost, wanted: HashCost): boolean {
  return stored.memory < wanted.memory || stored.passes < wanted.passes;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
