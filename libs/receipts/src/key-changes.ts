import { Injectable } from '@nestjs/common';
import type { KeyInfo, KeyRevocation, KeyRotation, KeyUse, Principal, ReceiptFile } from '#contracts';
import { type Append, AppError, Clock, EventFeed, type Tx } from '#platform';
import { adminDraft } from './core/admin-draft.js';
import { signBytes, type SigningKey } from './core/ed25519.js';
import { namedKey, REVOKED, ROTATED, rotationEnvelope, type Signer } from './core/key-records.js';
import { Ledger } from './ledger.js';
import { KeyRepository } from './ports.js';
import { ReceiptKeys } from './receipt-keys.js';
import { Receipts } from './receipts.js';

export interface Revocation {
  readonly by: Principal;
  readonly id: string;
  readonly reason: string;
}

/**
 * Owns how keys change: a rotation or a revocation, its signed record in the ledger and the new name in the ledger's head are
 * committed together. The old key signs its last entry, which is the record, and nothing after it.
 */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly rows: KeyRepository,
    private readonly keys: ReceiptKeys,
    private readonly ledger: Ledger,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  /** The key that is active now. */
  async rotate(by: Principal, use: KeyUse): Promise<KeyInfo> {
    const id = await this.#changing((tx, append) => this.#rotate(tx, append, by, use));
    return this.#info(id);
  }

  /** An active key is rotated first: there is always one. */
  async revoke({ by, id, reason }: Revocation): Promise<KeyInfo> {
    await this.#changing(async (tx, append) => {
      const key = this.#info(id);
      if (key.revokedAt !== null) throw new AppError('KEY_REVOKED', 'This key is revoked already', { keyId: id });
      if (key.isActive) await this.#rotate(tx, append, by, key.use);
      const at = this.clock.now();
      const revocation: KeyRevocation = {
        schema: 'countersign/key-revocation/1',
        ledger: await this.ledger.origin(tx),
        key_id: id,
        reason,
        at: new Date(at).toISOString(),
        last_index: key.use === 'hmac' ? null : this.#info(id).lastIndex,
      };
      const details = { use: key.use, revocation };
      const { index } = await this.#record(tx, append, { by, action: REVOKED, did: `revoked key ${id}`, details });
      await this.rows.revoke(tx, id, at, index);
    });
    return this.#info(id);
  }

  /** Holds the ledger, so that the keys stay what they are until the end; watchers of this process see the change after the commit. */
  async #changing<T>(work: (tx: Tx, append: Append) => Promise<T>): Promise<T> {
    try {
      return await this.feed.write(async (tx, append) => {
        await this.ledger.hold(tx);
        await this.keys.reload(tx);
        return work(tx, append);
      });
    } finally {
      await this.keys.reload(); // committed or not
    }
  }

  async #rotate(tx: Tx, append: Append, by: Principal, use: KeyUse): Promise<string> {
    const old = this.keys.infos.find((key) => key.use === use && key.isActive);
    if (!old) throw new Error(`There is no active key for ${use}`);
    const index = await this.ledger.hold(tx);
    const next = this.keys.make(use, index + 1);
    const at = this.clock.now();
    const rotation: KeyRotation = {
      schema: 'countersign/key-rotation/1',
      ledger: await this.ledger.origin(tx),
      use,
      at: new Date(at).toISOString(),
      from: namedKey({ id: old.id, publicKey: old.publicKey ?? null }),
      to: namedKey(next.stored),
    };
    const { signing } = this.keys;
    const envelope = rotationEnvelope(rotation, (next.signing ? [signing, next.signing] : [signing]).map(signerOf));
    const did = `rotated the ${use === 'hmac' ? 'HMAC' : 'signing'} key from ${old.id} to ${next.stored.id}`;
    await this.#record(tx, append, { by, action: ROTATED, did, details: { use, rotation: envelope } });
    await this.rows.replace(tx, { from: old.id, to: next.stored, at, index });
    await this.keys.reload(tx);
    return next.stored.id;
  }

  async #record(
    tx: Tx,
    append: Append,
    act: Pick<Parameters<typeof adminDraft>[0], 'by' | 'action' | 'did' | 'details'>,
  ): Promise<ReceiptFile['proof']['ledger']> {
    const { proof } = await this.receipts.write(tx, append, adminDraft({ ...act, at: this.clock.now() }));
    return proof.ledger;
  }

  #info(id: string): KeyInfo {
    const key = this.keys.infos.find((candidate) => candidate.id === id);
    if (!key) throw new AppError('KEY_NOT_FOUND', 'No such key', { keyId: id });
    return key;
  }
}

function signerOf(key: SigningKey): Signer {
  return { id: key.public.id, sign: (data) => signBytes(key, data) };
}
