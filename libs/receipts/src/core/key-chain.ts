import type { PublicKey, ReceiptFile } from '#contracts';
import { checkRotation, REVOKED, ROTATED } from './key-records.js';
import { strictBase64, textOf } from './primitives.js';
import { keyId } from './public-key.js';
import { isRecord } from './shape.js';
import type { Steps } from './steps.js';

/** A key with the stretch of the ledger that it may sign. */
export interface ChainedKey extends PublicKey {
  readonly firstIndex: number;
  readonly lastIndex: number | null;
  readonly revokedIndex: number | null;
}

export type KeyChain =
  { readonly ok: true; readonly keys: readonly ChainedKey[] } | { readonly ok: false; readonly at: number | null; readonly detail: string };

/**
 * Follows the keys from the first, which the ledger's name holds, over every record of a change. The records were
 * checked as receipts already; here is only what they say about keys.
 */
export function* followKeys(origin: string, first: PublicKey | undefined, records: readonly ReceiptFile[]): Steps<KeyChain> {
  if (!first || origin !== `countersign/ledger/${first.id}` || keyId(first.publicKey) !== first.id) {
    return { ok: false, at: null, detail: 'The first key is not the one that the ledger is named after' };
  }
  let keys: readonly ChainedKey[] = [{ ...plain(first), firstIndex: 0, lastIndex: null, revokedIndex: null }];
  for (const record of records) {
    const next = yield* oneChange(keys, record, origin);
    if (typeof next === 'string') return { ok: false, at: record.proof.ledger.index, detail: next };
    keys = next;
  }
  return { ok: true, keys };
}

/** The keys after the change, or what is wrong with it. */
function* oneChange(keys: readonly ChainedKey[], record: ReceiptFile, origin: string): Steps<readonly ChainedKey[] | string> {
  const { evidence, proof } = record;
  const index = proof.ledger.index;
  const active = keys.at(-1);
  if (!active || active.id !== proof.key.id || index < active.firstIndex) return 'It is not signed by the key that was active';
  const details = evidence.details ?? {};
  if (details['action'] === ROTATED) {
    const { use, rotation } = details;
    const to = yield* newKey(rotation, { use, origin, from: active });
    if (typeof to === 'string') return to;
    if (to === null) return keys;
    if (keys.some(({ id }) => id === to.id)) return 'The key was in use before';
    return [...keys.slice(0, -1), { ...active, lastIndex: index }, { ...to, firstIndex: index + 1, lastIndex: null, revokedIndex: null }];
  }
  if (details['action'] === REVOKED) return revoked(keys, details['revocation'], { index, origin, use: details['use'] });
  return 'It tells of no change of keys';
}

interface RotationOf {
  readonly use: unknown;
  readonly origin: string;
  readonly from: PublicKey;
}

/** The new signing key, null where another kind of key changed, or what is wrong. */
function* newKey(envelope: unknown, { use, origin, from }: RotationOf): Steps<PublicKey | null | string> {
  const named = use === 'ed25519' ? keyNamedIn(envelope) : null;
  if (named === undefined) return 'The rotation names no new key';
  const rotation = yield* checkRotation(envelope, named ? [from, named] : [from]);
  if (!rotation) return 'The rotation is not signed by the keys that it names';
  if (rotation.ledger !== origin || rotation.use !== use) return 'The rotation is about another ledger or use';
  if (named && (!isSame(publicKeyOf(rotation.from), from) || !isSame(publicKeyOf(rotation.to), named)))
    return 'The rotation names other keys';
  return named;
}

/** What an envelope says, before anybody has checked that it may. */
function keyNamedIn(envelope: unknown): PublicKey | undefined {
  const payload = isRecord(envelope) && typeof envelope['payload'] === 'string' ? strictBase64(envelope['payload']) : undefined;
  const body = payload && parsed(textOf(payload));
  return isRecord(body) ? publicKeyOf(body['to']) : undefined;
}

function revoked(
  keys: readonly ChainedKey[],
  revocation: unknown,
  { index, origin, use }: { readonly index: number; readonly origin: string; readonly use: unknown },
): readonly ChainedKey[] | string {
  if (!isRecord(revocation) || revocation['schema'] !== 'countersign/key-revocation/1' || revocation['ledger'] !== origin) {
    return 'The revocation cannot be read';
  }
  if (use !== 'ed25519') return keys;
  const key = keys.find(({ id }) => id === revocation['key_id']);
  if (!key || key.lastIndex === null || key.lastIndex !== revocation['last_index']) return 'The revocation is about no earlier key';
  return keys.map((one) => (one.id === key.id ? { ...one, revokedIndex: one.revokedIndex ?? index } : one));
}

function publicKeyOf(value: unknown): PublicKey | undefined {
  if (!isRecord(value) || typeof value['publicKey'] !== 'string' || value['algorithm'] !== 'ed25519') return undefined;
  const { publicKey } = value;
  const id = keyId(publicKey);
  return value['id'] === id ? { id, algorithm: 'ed25519', publicKey } : undefined;
}

function plain({ id, algorithm, publicKey }: PublicKey): PublicKey {
  return { id, algorithm, publicKey };
}

function isSame(one: PublicKey | undefined, other: PublicKey): boolean {
  return one?.id === other.id && one.publicKey === other.publicKey;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON
  }
}
