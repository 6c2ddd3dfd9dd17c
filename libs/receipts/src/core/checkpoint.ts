import { strictBase64, sha256 } from './canonical-json.js';
import { rawPublicKey, signBytes, verifyBytes, type SigningKey } from './ed25519.js';

/** A tree head: the first lines of a C2SP tlog-checkpoint. */
export interface TreeHead {
  /** Names the ledger; also the name of its key in the note. */
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly rootHash: string;
}

const ED25519 = 1;
const KEY_HASH_BYTES = 4;
const NOTE =
  /^(?<origin>[^\s+]+)\n(?<size>0|[1-9][0-9]{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n\n\u2014 (?<name>[^\s+]+) (?<signature>[A-Za-z0-9+/=]+)\n$/u;

/** A C2SP signed note over the tree head. The same head and key always give the same text. */
export function signCheckpoint(head: TreeHead, key: SigningKey): string {
  const body = bodyOf(head);
  const signature = Buffer.concat([keyHash(head.origin, key.public.publicKey), signBytes(key, Buffer.from(body, 'utf8'))]);
  return `${body}\n\u2014 ${head.origin} ${signature.toString('base64')}\n`;
}

/** The tree head when the note is exactly one signed by this key, else undefined. */
export function openCheckpoint(note: string, publicKey: string): TreeHead | undefined {
  const { origin, size, root, name, signature } = NOTE.exec(note)?.groups ?? {};
  if (origin === undefined || name !== origin || root === undefined || signature === undefined) return undefined;
  const rootBytes = strictBase64(root);
  const bytes = strictBase64(signature);
  if (!rootBytes || !bytes?.subarray(0, KEY_HASH_BYTES).equals(keyHash(origin, publicKey))) return undefined;
  const head = { origin, size: Number(size), rootHash: rootBytes.toString('hex') };
  return verifyBytes(publicKey, Buffer.from(bodyOf(head), 'utf8'), bytes.subarray(KEY_HASH_BYTES)) ? head : undefined;
}

function bodyOf({ origin, size, rootHash }: TreeHead): string {
  return `${origin}\n${String(size)}\n${Buffer.from(rootHash, 'hex').toString('base64')}\n`;
}

function keyHash(name: string, publicKey: string): Buffer {
  const data = Buffer.concat([Buffer.from(`${name}\n`, 'utf8'), Buffer.from([ED25519]), rawPublicKey(publicKey)]);
  return sha256(data).subarray(0, KEY_HASH_BYTES);
}
