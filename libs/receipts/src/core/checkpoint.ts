import { concat, fromHex, sha256, strictBase64, toBase64, toHex, utf8 } from './primitives.js';
import { rawPublicKey } from './public-key.js';
import { askSignature, type Steps } from './steps.js';

/** A tree head: the first lines of a C2SP tlog-checkpoint. */
export interface TreeHead {
  /** Names the ledger; also the name of its key in the note. */
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly rootHash: string;
}

/** `algorithm` byte of Ed25519 in signed notes. */
const ED25519 = Uint8Array.of(1);
const KEY_HASH_BYTES = 4;
const NOTE =
  /^(?<origin>[^\s+]+)\n(?<size>0|[1-9][0-9]{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n\n\u2014 (?<name>[^\s+]+) (?<signature>[A-Za-z0-9+/=]+)\n$/u;

/** The tree head when the note is exactly one signed by this key, undefined when it is not, null when this machine cannot tell. */
export function* checkCheckpoint(note: string, publicKey: string): Steps<TreeHead | null | undefined> {
  const { origin, size, root, name, signature } = NOTE.exec(note)?.groups ?? {};
  if (origin === undefined || name !== origin || root === undefined || signature === undefined) return undefined;
  const rootBytes = strictBase64(root);
  const bytes = strictBase64(signature);
  const hash = noteKeyHash(origin, publicKey);
  if (!rootBytes || !bytes || !hash || toHex(bytes.subarray(0, KEY_HASH_BYTES)) !== toHex(hash)) return undefined;
  const head = { origin, size: Number(size), rootHash: toHex(rootBytes) };
  const isRight = yield* askSignature(publicKey, utf8(noteBody(head)), bytes.subarray(KEY_HASH_BYTES));
  if (isRight === null) return null;
  return isRight ? head : undefined;
}

export function noteBody({ origin, size, rootHash }: TreeHead): string {
  return `${origin}\n${String(size)}\n${toBase64(fromHex(rootHash))}\n`;
}

/** How a signed note names its key; undefined when the key is none. */
export function noteKeyHash(name: string, publicKey: string): Uint8Array | undefined {
  const raw = rawPublicKey(publicKey);
  return raw && sha256(concat(utf8(`${name}\n`), ED25519, raw)).subarray(0, KEY_HASH_BYTES);
}
