import type { ReceiptCheck, ReceiptFile } from '#contracts';
import { checkAgreement } from './agreement.js';
import { canonicalJson } from './canonical-json.js';
import { checkEnvelope } from './dsse.js';
import { fileShape } from './file-shape.js';
import { Heads } from './heads.js';
import { orderIssue } from './key-order.js';
import { checkLeaf } from './leaf-check.js';
import { verifyInclusion } from './merkle.js';
import { sha256Hex } from './primitives.js';
import { fingerprintOf, keyId } from './public-key.js';
import { hmacKeyId, verifyReceipt10 } from './receipt10.js';
import { readStatement, statementText } from './statement.js';
import type { Steps } from './steps.js';
import { isTrusted, type Trust } from './trust.js';

export interface VerifyWith extends Trust {
  /** The key of the 1.0 signature, where it is at hand; several when it changed. */
  readonly hmacKey?: string | Uint8Array | readonly string[];
}

type Verdict = readonly [ok: boolean | null, detail: string];

interface Look extends VerifyWith {
  readonly heads: Heads;
}

interface NamedCheck {
  readonly name: string;
  readonly run: (file: ReceiptFile, look: Look) => Verdict | Steps<Verdict>;
}

/** Each says one thing, in the order in which a person would ask. */
const CHECKS: readonly NamedCheck[] = [
  { name: 'agreement', run: checkAgreement },
  { name: 'hmac', run: checkHmac },
  { name: 'key', run: checkKey },
  { name: 'signature', run: checkSignature },
  { name: 'statement', run: checkStatement },
  { name: 'leaf', run: checkLeaf },
  { name: 'inclusion', run: checkInclusion },
  { name: 'checkpoint', run: checkHead },
];

const NO_ED25519 = 'This machine cannot check Ed25519 signatures; use the downloaded verifier with Node.js';

/**
 * Checks a receipt file by itself. Takes its text (then its form is checked as well) or the parsed value.
 * Nothing that was not checked counts as right: it says null and why.
 */
export function* checkFile(file: unknown, use: VerifyWith = {}, heads = new Heads()): Steps<readonly ReceiptCheck[]> {
  const look = { ...use, heads };
  if (typeof file !== 'string') return yield* checkValue(file, look);
  const value = parse(file);
  if (value === undefined) return [{ name: 'form', ok: false, detail: 'The file is not JSON' }];
  return [checkForm(file, value), ...(yield* checkValue(value, look))];
}

function* checkValue(value: unknown, look: Look): Steps<readonly ReceiptCheck[]> {
  const wrong = fileShape(value, '');
  if (wrong.length > 0) return [{ name: 'schema', ok: false, detail: `Wrong or missing: ${listed(wrong)}` }];
  const file = value as ReceiptFile; // the shape was just checked
  const checks = [{ name: 'schema', ok: true, detail: file.receipt ? 'Receipt 1.0 with evidence and proof' : 'Evidence and proof' }];
  const told: ReceiptCheck[] = checks;
  for (const { name, run } of CHECKS) {
    const [ok, detail] = yield* attempt(() => run(file, look));
    told.push({ name, ok, detail });
  }
  return told;
}

/** Content without a canonical form, or nested without end, has no digest that could be right. */
function* attempt(check: () => Verdict | Steps<Verdict>): Steps<Verdict> {
  try {
    const verdict = check();
    return Symbol.iterator in verdict && 'next' in verdict ? yield* verdict : verdict;
  } catch {
    return [false, 'The content cannot be put into its canonical form'];
  }
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => path || 'the file');
  return paths.length > 5 ? `${shown.join(', ')} and ${String(paths.length - 5)} more` : shown.join(', ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the caller says so
  }
}

function checkForm(text: string, value: unknown): ReceiptCheck {
  const name = 'form';
  const given = text.replace(/\n$/, '');
  const canonical = canonicalOf(value);
  if (given === canonical) return { name, ok: true, detail: 'Canonical JSON' };
  if (namesIn(text) !== namesOf(value))
    return { name, ok: false, detail: 'A name stands in it twice, and readers differ in which one counts' };
  // Another length: someone printed it in another way. The same length: its keys in another order, or somebody touched it.
  if (canonical === undefined || (given.length === canonical.length && given !== JSON.stringify(value)))
    return { name, ok: false, detail: 'Not canonical JSON, though nobody re-formatted it' };
  return { name, ok: null, detail: 'Re-formatted since it was written; its content is checked below' };
}

/** How many names the objects of a JSON text have: as many as there are colons outside its strings. */
function namesIn(text: string): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isInString = !isInString;
    else if (isInString && sign === '\\') at += 1;
    else if (!isInString && sign === ':') count += 1;
  }
  return count;
}

/** How many are left of them once it is read; walks without recursion, since somebody may nest without end. */
function namesOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const parts: readonly unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += parts.length;
    for (const part of parts) open.push(part);
  }
  return count;
}

function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined; // lone surrogates have no canonical form
  }
}

function checkHmac({ receipt, proof: { envelope } }: ReceiptFile, { hmacKey }: VerifyWith): Verdict {
  if (!receipt) return [null, 'There is no 1.0 part'];
  if (receipt.command_sha256 !== sha256Hex(receipt.command)) return [false, 'command_sha256 is not the digest of the command'];
  if (hmacKey === undefined) return [null, 'Only the holder of the HMAC key can check the 1.0 signature'];
  const named = readStatement(envelope)?.hmacKeyId ?? null;
  const key = isOneKey(hmacKey) ? hmacKey : hmacKey.find((one) => named === null || hmacKeyId(one) === named);
  if (key === undefined) return [null, `The 1.0 signature is by HMAC key ${named ?? ''}, which is not at hand`];
  return verifyReceipt10(receipt, key) ? [true, 'The 1.0 signature is right'] : [false, 'The 1.0 signature is wrong'];
}

function isOneKey(key: string | Uint8Array | readonly string[]): key is string | Uint8Array {
  return typeof key === 'string' || key instanceof Uint8Array;
}

function checkKey(file: ReceiptFile, use: VerifyWith): Verdict {
  const { key, envelope, ledger } = file.proof;
  for (const named of [key, ledger.checkpointKey ?? key]) {
    if (keyId(named.publicKey) !== named.id) return [false, `Key id ${named.id} does not belong to its public key`];
    if (isTrusted(named, use) === false) return [false, `Key ${named.id} is not one of the trusted keys`];
  }
  if (envelope.signatures[0]?.keyid !== key.id) return [false, 'The envelope names another key'];
  const issue = use.keys && orderIssue(file, use.keys);
  if (issue !== undefined) return [false, issue];
  return isTrusted(key, use)
    ? [true, `Key ${key.id} is trusted`]
    : [null, `Signed by key ${key.id}, fingerprint ${fingerprintOf(key.publicKey)}; compare it with the one that your server publishes`];
}

function* checkSignature({ proof: { envelope, key } }: ReceiptFile): Steps<Verdict> {
  const isRight = yield* checkEnvelope(envelope, key.publicKey);
  if (isRight === null) return [null, NO_ED25519];
  return isRight ? [true, `Ed25519 signature by key ${key.id}`] : [false, 'The Ed25519 signature is wrong'];
}

function checkStatement({ receipt, evidence, proof: { envelope, ledger } }: ReceiptFile): Verdict {
  const read = readStatement(envelope);
  if (!read) return [false, 'The signed statement cannot be read'];
  const original = ledger.digests ? { index: ledger.index, leafHash: ledger.leafHash } : null;
  const right = statementText({ receipt, evidence, hmacKeyId: read.hmacKeyId, original });
  return right === read.text
    ? [true, 'The signed statement is about exactly this content']
    : [false, 'The signed statement is about other content'];
}

function* checkInclusion({ proof: { ledger, key } }: ReceiptFile, { heads }: Look): Steps<Verdict> {
  const { inclusion, checkpoint, index, leafHash, checkpointKey } = ledger;
  if (!inclusion || checkpoint === null) {
    return inclusion || checkpoint !== null
      ? [false, 'Proof and checkpoint do not come together']
      : [null, 'The file holds no proof of inclusion'];
  }
  const head = yield* heads.open(checkpoint, (checkpointKey ?? key).publicKey);
  if (head === null) return [null, NO_ED25519];
  if (!head) return [false, 'There is no valid checkpoint to prove inclusion in'];
  if (head.size !== inclusion.treeSize) return [false, 'The proof is for another checkpoint'];
  return verifyInclusion(index, inclusion.treeSize, leafHash, inclusion.hashes, head.rootHash)
    ? [true, `Entry ${String(index)} of a ledger with ${String(head.size)}`]
    : [false, 'The entry is not in the ledger of the checkpoint'];
}

function* checkHead({ proof: { ledger, key } }: ReceiptFile, { heads }: Look): Steps<Verdict> {
  if (ledger.checkpoint === null) return [null, 'The file holds no checkpoint'];
  const head = yield* heads.open(ledger.checkpoint, (ledger.checkpointKey ?? key).publicKey);
  if (head === null) return [null, NO_ED25519];
  return head ? [true, `Signed head of ${head.origin}, size ${String(head.size)}`] : [false, 'The checkpoint is not signed by the key'];
}
