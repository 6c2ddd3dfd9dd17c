import { Injectable } from '@nestjs/common';
import type { DsseEnvelope, Evidence, Proof, PublicKey, Receipt10, ReceiptFile } from '#contracts';
import { canonicalJson } from './core/canonical-json.js';
import { PAYLOAD_TYPE } from './core/dsse.js';
import { ALL_FIELDS, fieldDigest, leafFields, saltOf, type LeafContent } from './core/leaf.js';
import { signReceipt10 } from './core/receipt10.js';
import { hideContent, isHiddenField, REMADE } from './core/share.js';
import { signStatement } from './core/signed.js';
import { Ledger, type LedgerProof } from './ledger.js';
import type { StoredReceipt } from './ports.js';
import { ReceiptKeys } from './receipt-keys.js';

/** Makes files of stored receipts: the whole one, and the one that can be given away. */
@Injectable()
export class ReceiptFiles {
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: ReceiptKeys,
  ) {}

  /** Proven against the head of this moment, or as it is given. */
  async whole(stored: StoredReceipt, given?: LedgerProof): Promise<ReceiptFile> {
    const { receipt, evidence, envelope } = contentOf(stored);
    const place = { index: stored.index, leafHash: stored.leafHash, salts: { [ALL_FIELDS]: stored.seed } };
    const inLedger = given ?? (await this.ledger.prove(stored.index)); // meets the keys of other processes
    const key = this.keys.publicKey(stored.keyId);
    const proof = sorted({ envelope, key, ledger: { ...place, ...proven(inLedger, key) } });
    return { evidence, proof, receipt }; // the other two were stored in canonical order
  }

  /**
   * Signed anew over what is shown. Hidden fields leave only their salted digests, so the file still proves that the
   * original stands in the ledger.
   */
  async shareSafe(stored: StoredReceipt, reveal: readonly string[], proof?: LedgerProof): Promise<ReceiptFile> {
    const original = contentOf(stored);
    const fields = leafFields(original);
    const isHidden = (pointer: string, value: unknown): boolean => REMADE.has(pointer) || isHiddenField(pointer, value, reveal);
    const salt = (pointer: string): string => saltOf(stored.seed, pointer);
    const shown = [...fields].filter(([pointer, value]) => !isHidden(pointer, value)).map(([pointer]) => [pointer, salt(pointer)] as const);
    const hidden = [...fields]
      .filter(([pointer, value]) => isHidden(pointer, value))
      .map(([pointer, value]) => [pointer, fieldDigest(salt(pointer), pointer, value)] as const);
    const content = hideContent(original, reveal);
    const shownBy = proof ?? (await this.ledger.prove(stored.index)); // meets the keys of other processes
    const receipt = content.receipt && this.#signAgain(stored.id, content.receipt);
    const { signing, hmac } = this.keys;
    const { index, leafHash } = stored;
    const envelope = signStatement(
      { receipt, evidence: content.evidence, hmacKeyId: receipt ? hmac.id : null, original: { index, leafHash } },
      signing,
    );
    const place = { index, leafHash, salts: Object.fromEntries(shown), digests: Object.fromEntries(hidden) };
    const ledger = { ...place, ...proven(shownBy, signing.public) };
    return sorted({ receipt, evidence: content.evidence, proof: { envelope, key: signing.public, ledger } });
  }

  #signAgain(id: string, unsigned: Omit<Receipt10, 'signature'>): Receipt10 {
    const { schema_version: _version, id: _id, command_sha256: _digest, ...body } = unsigned;
    return signReceipt10(id, body, this.keys.hmac.key);
  }
}

function contentOf({ receipt, evidence, payload, signature, keyId }: StoredReceipt): LeafContent {
  const envelope: DsseEnvelope = {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload, 'utf8').toString('base64'),
    signatures: [{ keyid: keyId, sig: signature }],
  };
  return {
    receipt: receipt === null ? null : (JSON.parse(receipt) as Receipt10), // only `write` made these texts
    evidence: JSON.parse(evidence) as Evidence,
    envelope,
  };
}

function proven(
  { inclusion, checkpoint, key }: LedgerProof,
  fileKey: PublicKey,
): Pick<Proof['ledger'], 'inclusion' | 'checkpoint' | 'checkpointKey'> {
  return { inclusion, checkpoint, ...(key.id !== fileKey.id && { checkpointKey: key }) };
}

/** In canonical order, so that printing a file gives its canonical text. */
function sorted<T>(file: T): T {
  return JSON.parse(canonicalJson(file)) as T; // the same value
}
