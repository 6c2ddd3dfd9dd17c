import type { DsseEnvelope, PublicKey, ReceiptFile } from '#contracts';
import { bundleStatement, CHECKPOINT, envelopeShape, KEYS, payloadText, RECORDS, SIGNATURE, type BundleAbout } from './bundle-format.js';
import type { BundleLook, ListedKey } from './bundle-look.js';
import { checkFile } from './check-file.js';
import type { TreeHead } from './checkpoint.js';
import { checkEnvelope } from './dsse.js';
import { followKeys } from './key-chain.js';
import { headIssue } from './key-order.js';
import { textOf } from './primitives.js';
import { fingerprintOf, keyId } from './public-key.js';
import { anything, exactly, list, object, orNull, text, whole } from './shape.js';
import type { Steps } from './steps.js';
import { isTrusted } from './trust.js';

const keysShape = list(
  object(
    {
      id: text(),
      algorithm: exactly('ed25519'),
      publicKey: text(),
      firstIndex: whole,
      lastIndex: orNull(whole),
      revokedIndex: orNull(whole),
    },
    anything,
  ),
);

/** What the receipt of a deletion says that it did. */
export const DELETED = 'receipts.deleted';

/** The one checkpoint of a bundle, and who signed it. */
export interface BundleHead {
  readonly note: string;
  readonly head: TreeHead;
  readonly key: ListedKey;
}

export function* readKeys(look: BundleLook): Steps<readonly ListedKey[]> {
  const keys = (yield* look.value<readonly ListedKey[]>(KEYS, keysShape)) ?? [];
  const strange = keys.find(({ id, publicKey }) => keyId(publicKey) !== id);
  if (strange) look.notes.problem(KEYS, `Key id ${strange.id} does not belong to its public key`);
  return strange ? [] : keys;
}

/** Who signed the manifest; undefined when nobody did. */
export function* checkSignature(look: BundleLook, keys: readonly ListedKey[]): Steps<ListedKey | undefined> {
  const envelope = yield* look.value<DsseEnvelope>(SIGNATURE, envelopeShape, { isListed: false });
  const key = keys.find(({ id }) => id === envelope?.signatures[0]?.keyid);
  const [ok, detail] = yield* judge(look, envelope, key);
  look.notes.check('signature', ok, detail);
  return ok === true ? key : undefined;
}

function* judge(
  look: BundleLook,
  envelope: DsseEnvelope | undefined,
  key: ListedKey | undefined,
): Steps<readonly [ok: boolean | null, detail: string]> {
  if (!envelope) return [false, 'The manifest is not signed'];
  if (!key) return [false, 'The key that signed the manifest is not in the bundle'];
  if (payloadText(envelope.payload) !== bundleStatement(look.manifest, look.listed)) {
    return [false, 'The manifest is not the one that was signed'];
  }
  const isRight = yield* checkEnvelope(envelope, key.publicKey);
  if (isRight === null) return [null, 'This machine cannot check Ed25519 signatures'];
  return isRight ? [true, `The manifest is signed by key ${key.id}`] : [false, 'The signature of the manifest is wrong'];
}

export function* checkHead(look: BundleLook, keys: readonly ListedKey[], about: BundleAbout | undefined): Steps<BundleHead | undefined> {
  const bytes = yield* look.file(CHECKPOINT);
  const note = textOf(bytes ?? new Uint8Array());
  for (const key of [...keys].reverse()) {
    const head = yield* look.heads.open(note, key.publicKey);
    if (head === undefined) continue;
    if (head === null) {
      look.notes.check('checkpoint', null, 'This machine cannot check Ed25519 signatures');
      return undefined;
    }
    const isSame =
      !about || (about.ledger === head.origin && about.checkpoint.size === head.size && about.checkpoint.rootHash === head.rootHash);
    look.notes.check(
      'checkpoint',
      isSame,
      isSame ? `Signed head of ${head.origin}, size ${String(head.size)}` : 'The bundle speaks of another checkpoint',
    );
    return { note, head, key };
  }
  look.notes.check('checkpoint', false, 'The checkpoint is not signed by a key of the bundle');
  return undefined;
}

/** The receipts that tell of changes of keys and of deletions, oldest first. */
export function* readRecords(look: BundleLook, keys: readonly ListedKey[], { note }: BundleHead): Steps<readonly ReceiptFile[]> {
  const records: ReceiptFile[] = [];
  for (const name of look.names(RECORDS)) {
    const bytes = yield* look.file(name);
    const record = yield* readRecord(look, name, textOf(bytes ?? new Uint8Array()), { keys, note });
    if (record) records.push(record);
  }
  return records;
}

/** Follows the keys over the records of their changes, and compares the list with what the records say. */
export function* checkKeys(
  look: BundleLook,
  keys: readonly ListedKey[],
  records: readonly ReceiptFile[],
  { head }: BundleHead,
): Steps<void> {
  const before = look.notes.problemCount;
  const changes = records.filter(({ evidence }) => evidence.details?.['action'] !== DELETED);
  const chain = yield* followKeys(head.origin, keys[0], changes);
  if (!chain.ok) {
    const record = look.names(RECORDS).find((name) => name.startsWith(`${RECORDS}${String(chain.at ?? '').padStart(9, '0')}-`));
    look.notes.problem(record ?? KEYS, chain.detail);
  } else if (keys.map(placeOf).join() !== chain.keys.map(placeOf).join()) {
    look.notes.problem(KEYS, 'The list of keys says something else than the records of their changes');
  }
  const isRight = look.notes.problemCount === before;
  look.notes.check('keys', isRight, isRight ? chainText(keys, changes.length) : 'The keys do not follow from the first one');
}

function chainText(keys: readonly ListedKey[], records: number): string {
  const revoked = keys.filter(({ revokedIndex }) => revokedIndex !== null).length;
  return `${String(keys.length)} signing ${keys.length === 1 ? 'key' : 'keys'}, ${String(records)} recorded changes, ${String(revoked)} revoked`;
}

function placeOf({ id, firstIndex, lastIndex, revokedIndex }: ListedKey): string {
  return `${id} ${String(firstIndex)} ${String(lastIndex)} ${String(revokedIndex)}`;
}

function* readRecord(
  look: BundleLook,
  name: string,
  content: string,
  { keys, note }: { readonly keys: readonly ListedKey[]; readonly note: string },
): Steps<ReceiptFile | undefined> {
  const checks = yield* checkFile(content, { keys }, look.heads);
  const failed = checks.find(({ ok }) => ok === false);
  if (failed) {
    look.notes.problem(name, `${failed.name}: ${failed.detail}`);
    return undefined;
  }
  const record = JSON.parse(content) as ReceiptFile; // its shape was just checked
  if (record.proof.ledger.checkpoint === note) return record;
  look.notes.problem(name, 'It leads to another checkpoint than the bundle');
  return undefined;
}

/** Says whether the signer is one that the reader named, by itself or through the recorded changes of keys. */
export function checkTrust(
  look: BundleLook,
  keys: readonly ListedKey[],
  signer: PublicKey | undefined,
  head: BundleHead | undefined,
): void {
  const named = keys.map((key) => isTrusted(key, look.use));
  const { notes } = look;
  const issue = head && named.includes(true) ? headIssue(head.key, head.head.size, keys, look.use) : undefined;
  const used = keys.filter(({ id }) => id === signer?.id || id === head?.key.id);
  const revoked = used.find(({ revokedIndex }) => revokedIndex !== null);
  if (!signer) notes.check('key', false, 'Nobody is known to have signed this');
  else if (head && signer.id !== head.key.id) notes.check('key', false, `Key ${signer.id} is not the one that signed the checkpoint`);
  else if (revoked) notes.check('key', false, `Key ${revoked.id} is revoked, so it vouches for nothing; ask for the bundle again`);
  else if (issue !== undefined) notes.check('key', false, issue);
  else if (named.includes(true)) notes.check('key', true, `Signed by key ${signer.id} of a ledger that you trust`);
  else if (named.includes(false)) notes.check('key', false, `Key ${signer.id} is not one of the trusted keys`);
  else {
    const print = fingerprintOf(signer.publicKey);
    notes.check('key', null, `Signed by key ${signer.id}, fingerprint ${print}; compare it with the one that your server publishes`);
  }
}
