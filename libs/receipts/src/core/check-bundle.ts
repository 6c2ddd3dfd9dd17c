import type { PublicKey, ReceiptCheck, ReceiptFile } from '#contracts';
import {
  ABOUT,
  aboutShape,
  CHECKPOINTS,
  earlierHeadsShape,
  README,
  RECEIPTS,
  receiptPath,
  SCHEMAS,
  VERIFIER,
  type BundleAbout,
  type EarlierHead,
} from './bundle-format.js';
import { checkHead, checkKeys, checkSignature, checkTrust, DELETED, readKeys, readRecords, type BundleHead } from './bundle-keys.js';
import { BundleLook, type ListedKey } from './bundle-look.js';
import { BundleNotes } from './bundle-notes.js';
import { checkFile, type VerifyWith } from './check-file.js';
import { Coverage } from './coverage.js';
import { verifyConsistency } from './merkle.js';
import { textOf } from './primitives.js';
import { isRecord } from './shape.js';
import type { Steps } from './steps.js';
import { lookIntoZip } from './zip-look.js';

/** What a bundle proves. Failures name the file that they are about. */
export interface BundleReport {
  /** About the bundle as a whole, in the order in which a person would ask. */
  readonly checks: readonly ReceiptCheck[];
  /** `name` is the file; at most a thousand of them. */
  readonly problems: readonly ReceiptCheck[];
  readonly signer: PublicKey | null;
}

/** Checks a bundle of `size` bytes, file by file, so that only one receipt at a time is in memory. */
export function* checkBundle(size: number, use: VerifyWith = {}): Steps<BundleReport> {
  const notes = new BundleNotes();
  const zip = yield* lookIntoZip(size);
  notes.check('archive', zip.ok, zip.ok ? 'Not a byte that belongs to no file' : zip.detail);
  if (!zip.ok) {
    notes.problem(zip.name, zip.detail);
    return { checks: notes.checks, problems: notes.problems, signer: null };
  }
  const look = new BundleLook(zip.entries, use, notes);
  yield* look.readManifest();
  const keys = yield* readKeys(look);
  const signer = yield* checkSignature(look, keys);
  const about = yield* look.value<BundleAbout>(ABOUT, aboutShape);
  const head = yield* checkHead(look, keys, about);
  const records = head ? yield* readRecords(look, keys, head) : [];
  if (head) yield* checkKeys(look, keys, records, head);
  checkTrust(look, keys, signer, head);
  if (head) yield* checkEarlierHeads(look, keys, head);
  yield* checkReceipts(look, { keys, about, head, records });
  for (const name of [README, VERIFIER, ...look.names(SCHEMAS)]) yield* look.file(name);
  if (notes.problemCount > 0) notes.check('problems', false, `${String(notes.problemCount)} found, named below`);
  return { checks: notes.checks, problems: notes.problems, signer: signer ?? null };
}

/** The ledger of the bundle goes on from every head that was kept before. */
function* checkEarlierHeads(look: BundleLook, keys: readonly ListedKey[], { head }: BundleHead): Steps<void> {
  const earlier = (yield* look.value<readonly EarlierHead[]>(CHECKPOINTS, earlierHeadsShape)) ?? [];
  let isRight = true;
  for (const { size, note, keyId, hashes } of earlier) {
    const key = keys.find(({ id }) => id === keyId);
    const old = key && (yield* look.heads.open(note, key.publicKey));
    if (old?.origin === head.origin && old.size === size && verifyConsistency(size, head.size, old.rootHash, head.rootHash, hashes))
      continue;
    isRight = false;
    look.notes.problem(CHECKPOINTS, `The ledger does not go on from the kept head of size ${String(size)}`);
  }
  const heads = `${String(earlier.length)} ${earlier.length === 1 ? 'head that was' : 'heads that were'} kept before`;
  look.notes.check(
    'history',
    isRight,
    isRight ? `The ledger only grew since ${heads}` : 'The ledger does not go on from a head that was kept before',
  );
}

interface Against {
  readonly keys: readonly ListedKey[];
  readonly about: BundleAbout | undefined;
  readonly head: BundleHead | undefined;
  /** Tell of what was deleted, among others. */
  readonly records: readonly ReceiptFile[];
}

function* checkReceipts(look: BundleLook, { keys, about, head, records }: Against): Steps<void> {
  const coverage = new Coverage();
  for (const record of records) noteDeleted(coverage, record);
  const names = look.names(RECEIPTS);
  let right = 0;
  for (const name of names) {
    const before = look.notes.problemCount;
    const content = textOf((yield* look.file(name)) ?? new Uint8Array());
    const checks = yield* checkFile(content, { ...look.use, keys }, look.heads);
    const failed = checks.filter(({ ok }) => ok === false);
    for (const { name: check, detail } of failed) look.notes.problem(name, `${check}: ${detail}`);
    if (failed.length === 0) checkPlace(look, name, JSON.parse(content) as ReceiptFile, { coverage, about, head }); // just checked
    if (look.notes.problemCount === before) right += 1;
  }
  look.notes.check('receipts', right === names.length, `${String(right)} of ${String(names.length)} receipts hold`);
  checkCoverage(look, coverage, about, names.length);
}

function checkPlace(
  { notes }: BundleLook,
  name: string,
  file: ReceiptFile,
  { coverage, about, head }: { readonly coverage: Coverage } & Pick<Against, 'about' | 'head'>,
): void {
  const { evidence, proof } = file;
  const { index, checkpoint, digests } = proof.ledger;
  if (name !== receiptPath(RECEIPTS, index, evidence.id)) notes.problem(name, `It is entry ${String(index)}, receipt ${evidence.id}`);
  if (!coverage.add(index)) notes.problem(name, 'It does not come after the receipt before it');
  if (checkpoint !== head?.note) notes.problem(name, 'It leads to another checkpoint than the bundle');
  if (about && (digests !== undefined) !== (about.form === 'shared')) notes.problem(name, 'It is of another form than the bundle');
  noteDeleted(coverage, file);
}

function noteDeleted(coverage: Coverage, { evidence }: ReceiptFile): void {
  const retention = evidence.details?.['retention'];
  if (evidence.details?.['action'] === DELETED && isRecord(retention)) coverage.addDeleted(retention['ranges']);
}

function checkCoverage({ notes }: BundleLook, coverage: Coverage, about: BundleAbout | undefined, receipts: number): void {
  if (!about) return;
  const isSame = about.receipts === receipts && (about.complete || (about.first === coverage.first && about.last === coverage.last));
  if (!isSame && notes.problemCount === 0) notes.problem(ABOUT, 'It speaks of other receipts');
  if (!about.complete) {
    notes.check('complete', null, 'A selection: nothing in it can show that no receipt was left out');
    return;
  }
  const missing = coverage.missing(about.first, about.last);
  for (const [first, last] of missing) {
    const entries = first === last ? `entry ${String(first)}` : `entries ${String(first)} to ${String(last)}`;
    notes.problem(RECEIPTS, `Of the ledger, ${entries} is neither here nor deleted by a rule`);
  }
  const whole = `Every entry from ${String(about.first)} to ${String(about.last)} is here, or was deleted by a rule`;
  notes.check('complete', missing.length === 0, missing.length === 0 ? whole : 'Entries of the ledger are missing');
}
