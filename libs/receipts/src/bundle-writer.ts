import type { KeptCheckpoint, LedgerCheckpoint, PublicKeyInfo, ReceiptFile } from '#contracts';
import {
  ABOUT,
  bundleStatement,
  CHECKPOINT,
  CHECKPOINTS,
  KEYS,
  MANIFEST,
  manifestLine,
  README,
  RECEIPTS,
  receiptPath,
  RECORDS,
  SCHEMAS,
  SIGNATURE,
  VERIFIER,
  type BundleAbout,
  type EarlierHead,
} from './core/bundle-format.js';
import { bundleReadme } from './core/bundle-readme.js';
import { canonicalJson } from './core/canonical-json.js';
import type { SigningKey } from './core/ed25519.js';
import { concat, utf8 } from './core/primitives.js';
import { fingerprintOf } from './core/public-key.js';
import { signEnvelope } from './core/signed.js';
import { ZipPacker } from './core/zip.js';

/** All that a bundle is made of; the receipts come while it is written. */
export interface BundleContent {
  readonly about: BundleAbout;
  readonly head: LedgerCheckpoint;
  readonly earlier: readonly (KeptCheckpoint & { readonly hashes: readonly string[] })[];
  readonly keys: readonly PublicKeyInfo[];
  readonly records: readonly ReceiptFile[];
  readonly schemas: readonly { readonly name: string; readonly text: string }[];
  readonly verifier: string;
  readonly receipts: AsyncIterable<ReceiptFile>;
}

/** The bytes of a bundle, piece by piece. Equal contents and keys give equal bytes: Ed25519 signs without chance. */
export async function* writeBundle(content: BundleContent, key: SigningKey): AsyncGenerator<Uint8Array> {
  const zip = new ZipPacker();
  const lines: Uint8Array[] = [];
  const pack = (path: string, text: string): readonly Uint8Array[] => {
    const bytes = utf8(text);
    lines.push(utf8(manifestLine(path, bytes)));
    return zip.add(path, bytes);
  };
  for (const [path, text] of fixedFiles(content, key)) yield* pack(path, text);
  for await (const file of content.receipts) {
    yield* pack(receiptPath(RECEIPTS, file.proof.ledger.index, file.evidence.id), canonicalJson(file));
  }
  const manifest = concat(...lines);
  yield* zip.add(MANIFEST, manifest);
  yield* zip.add(SIGNATURE, utf8(canonicalJson(signEnvelope(bundleStatement(manifest, lines.length), key))));
  yield* zip.end();
}

function* fixedFiles(
  { about, head, earlier, keys, records, schemas, verifier }: BundleContent,
  key: SigningKey,
): Generator<readonly [path: string, text: string]> {
  yield [README, bundleReadme(about, fingerprintOf(key.public.publicKey))];
  yield [VERIFIER, verifier];
  yield [ABOUT, canonicalJson(about)];
  yield [CHECKPOINT, head.note];
  yield [CHECKPOINTS, canonicalJson(earlier.map(earlierHead))];
  yield [KEYS, canonicalJson(keys)];
  for (const record of records) yield [receiptPath(RECORDS, record.proof.ledger.index, record.evidence.id), canonicalJson(record)];
  for (const { name, text } of schemas) yield [`${SCHEMAS}${name}`, text];
}

function earlierHead({ size, note, key, hashes }: BundleContent['earlier'][number]): EarlierHead {
  return { size, note, keyId: key.id, hashes };
}
