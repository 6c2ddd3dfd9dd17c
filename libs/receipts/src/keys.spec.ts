import type { PublicKey, PublicKeyInfo, ReceiptFile, ReceiptId } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../test/support/receipts.js';
import { engines } from '../../../test/support/engines.js';
import { HERE, newSigningKeyText, signingKey } from './core/ed25519.js';
import { checkRotation } from './core/key-records.js';
import { signCheckpoint } from './core/signed.js';
import { settle } from './core/steps.js';
import { verifyFile } from './core/verify.js';
import { KeyChanges } from './key-changes.js';
import { KeyHistories } from './key-history.js';
import { Ledger } from './ledger.js';
import { ReceiptKeys } from './receipt-keys.js';

const openRotation = (envelope: unknown, signers: readonly PublicKey[]) => settle(checkRotation(envelope, signers), HERE);
const ADMIN = aPrincipal({ roles: ['admin'], scopes: ['admin'] });

describe.each(engines)('Keys on %s', (_name, open) => {
  let app: ReceiptsApp;
  let others: ReceiptsApp[];
  beforeEach(async () => {
    app = await bootReceipts({ open });
    others = [];
  });
  afterEach(async () => {
    for (const other of others) await other.close();
    await app.close();
  });

  const second = async (): Promise<ReceiptsApp> => {
    const other = await bootReceipts({ db: app.db });
    others.push(other);
    return other;
  };
  const again = async ({ evidence }: ReceiptFile): Promise<ReceiptFile> => {
    const file = await app.receipts.find(evidence.id as ReceiptId);
    if (!file) throw new Error('The receipt is gone');
    return file;
  };
  const trusted = (): readonly PublicKeyInfo[] => app.get(ReceiptKeys).publicKeys;
  const failed = (file: ReceiptFile) =>
    verifyFile(file, { keys: trusted() })
      .filter(({ ok }) => ok === false)
      .map(({ name }) => name);

  it('rotates: the old key signs its record as its last entry, and a receipt from before two rotations still verifies', async () => {
    const old = await app.write(aRunDraft());
    const changes = app.get(KeyChanges);
    const next = await changes.rotate(ADMIN, 'ed25519');
    await changes.rotate(ADMIN, 'hmac');
    const last = await changes.rotate(ADMIN, 'ed25519');
    const fresh = await app.file(aRunDraft());
    const file = await again(old);
    expect(file.proof.key.id).toBe(old.proof.key.id);
    expect(fresh.proof.key.id).toBe(last.id);
    expect(file.proof.ledger.checkpointKey?.id).toBe(last.id);
    for (const each of [file, fresh]) expect(failed(each)).toEqual([]);
    for (const each of [file, fresh]) {
      const checks = await app.receipts.verify(ADMIN, each.evidence.id as ReceiptId);
      expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
    }
    expect(trusted().map(({ id, firstIndex, lastIndex }) => [id, firstIndex, lastIndex])).toEqual([
      [old.proof.key.id, 0, 1],
      [next.id, 2, 3],
      [last.id, 4, null],
    ]);
  });

  it('leads from the first key to the last one by records that both keys have signed', async () => {
    await app.get(KeyChanges).rotate(ADMIN, 'ed25519');
    await app.get(KeyChanges).rotate(ADMIN, 'hmac');
    await app.get(KeyChanges).rotate(ADMIN, 'ed25519');
    const { origin, keys, records } = await app.get(KeyHistories).read();
    expect(origin).toBe(`countersign/ledger/${keys[0]?.id ?? ''}`);
    expect(records.map(({ evidence }) => [evidence.details?.['action'], evidence.details?.['use']])).toEqual([
      ['key.rotated', 'ed25519'],
      ['key.rotated', 'hmac'],
      ['key.rotated', 'ed25519'],
    ]);
    for (const record of records) expect(failed(record)).toEqual([]);
    const signing = records.filter(({ evidence }) => evidence.details?.['use'] === 'ed25519');
    signing.forEach(({ evidence, proof }, at) => {
      const [from, to] = [keys[at], keys[at + 1]];
      if (!from || !to) throw new Error('A key is missing');
      expect(proof.key.id).toBe(from.id);
      expect(proof.ledger.index).toBe(from.lastIndex);
      const { rotation } = evidence.details ?? {};
      expect(openRotation(rotation, [from, to])).toMatchObject({ ledger: origin, from: { id: from.id }, to: { id: to.id } });
      expect(openRotation(rotation, [to, from])).toBeUndefined();
      expect(openRotation(rotation, [from])).toBeUndefined();
      const envelope = rotation as { readonly payload: string };
      const forged = Buffer.from(envelope.payload, 'base64').toString().replace(to.id, 'f'.repeat(16));
      expect(openRotation({ ...envelope, payload: Buffer.from(forged).toString('base64') }, [from, to])).toBeUndefined();
    });
  });

  it('lets no process append with a key that another one has rotated away, and none sign a head with it', async () => {
    const other = await second();
    await other.write(aRunDraft());
    const next = await app.get(KeyChanges).rotate(ADMIN, 'ed25519');
    await app.get(KeyChanges).rotate(ADMIN, 'hmac');
    expect(other.get(ReceiptKeys).signing.public.id).not.toBe(next.id);
    expect((await other.get(Ledger).checkpoint()).key.id).toBe(next.id);
    const file = await other.file(aRunDraft());
    expect(file.proof.key.id).toBe(next.id);
    expect(failed(file)).toEqual([]);
    const third = await other.get(KeyChanges).rotate(ADMIN, 'ed25519');
    expect((await app.write(aDecisionDraft())).proof.key.id).toBe(third.id);
    expect(app.receipts.secrets()).toEqual(expect.arrayContaining([...app.get(ReceiptKeys).secrets]));
  });

  it('keeps one order while two processes rotate and append at once', async () => {
    const other = await second();
    const work = [app, other].flatMap((each) => [
      ...Array.from({ length: 12 }, () => each.write(aRunDraft())),
      ...Array.from({ length: 3 }, () => each.get(KeyChanges).rotate(ADMIN, 'ed25519')),
      each.get(KeyChanges).rotate(ADMIN, 'hmac'),
    ]);
    await Promise.all(work);
    await app.get(ReceiptKeys).reload();
    const { items } = await app.receipts.page({ principal: ADMIN, limit: 200 });
    expect(items).toHaveLength(32);
    expect(trusted()).toHaveLength(7);
    for (const { id } of items) {
      const file = await app.receipts.find(id as ReceiptId);
      expect(file && failed(file)).toEqual([]);
      expect((await app.receipts.verify(ADMIN, id as ReceiptId)).filter(({ ok }) => ok === false)).toEqual([]);
    }
  });

  it('revokes a key: what it signed before stays valid, what is signed with it afterwards does not', async () => {
    const thief = signingKey(newSigningKeyText()); // stands for the stolen key: ours is destroyed when it is retired
    const old = await app.file(aRunDraft());
    const revoked = await app.get(KeyChanges).revoke({ by: ADMIN, id: old.proof.key.id, reason: 'the disk was stolen' });
    expect(revoked).toMatchObject({ isActive: false, lastIndex: 1, revokedIndex: 2 });
    const file = await again(old);
    expect(failed(file)).toEqual([]);
    // A file of that time, whose head nobody but the revoked key vouches for.
    expect(failed(old)).toEqual(['key']);
    // A receipt at a place that came after, and one that claims an old place in a ledger of the thief's own.
    const as = (at: number): readonly PublicKeyInfo[] => [
      ...trusted(),
      { ...thief.public, createdAt: 0, retiredAt: 1, firstIndex: 0, lastIndex: at, revokedAt: 1, revokedIndex: at + 1 },
    ];
    const late = { ...file, proof: { ...file.proof, key: thief.public } };
    expect(verifyFile(late, { keys: as(-1) }).find(({ name }) => name === 'key')?.ok).toBe(false);
    const head = { origin: 'countersign/ledger/x', size: 1, rootHash: file.proof.ledger.leafHash };
    const own = { treeSize: 1, hashes: [] };
    const ledger = { ...file.proof.ledger, inclusion: own, checkpoint: signCheckpoint(head, thief), checkpointKey: thief.public };
    const forged = { ...file, proof: { ...file.proof, ledger } };
    expect(verifyFile(forged, { keys: as(0) }).find(({ name }) => name === 'key')).toMatchObject({ ok: false });
    const shared = await app.receipts.share(ADMIN, old.evidence.id as ReceiptId, []);
    expect(failed(shared)).toEqual([]);
    await app.get(KeyChanges).revoke({ by: ADMIN, id: shared.proof.key.id, reason: 'again' });
    expect(failed(shared)).toEqual(['key']);
    await expect(app.get(KeyChanges).revoke({ by: ADMIN, id: revoked.id, reason: 'twice' })).rejects.toMatchObject({ code: 'KEY_REVOKED' });
    await expect(app.get(KeyChanges).revoke({ by: ADMIN, id: '0'.repeat(16), reason: 'x' })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
  });

  it('keeps the retired HMAC keys, destroys retired signing keys, and stores no key in the open', async () => {
    const { id } = app.get(ReceiptKeys).signing.public;
    const secrets = app.receipts.secrets();
    await app.get(KeyChanges).rotate(ADMIN, 'ed25519');
    await app.get(KeyChanges).rotate(ADMIN, 'hmac');
    const rows = JSON.stringify(
      await app.db
        .selectFrom('receipt_keys' as never)
        .selectAll()
        .execute(),
    );
    for (const secret of [...secrets, ...app.receipts.secrets()]) expect(rows).not.toContain(secret);
    const other = await second();
    expect(other.get(ReceiptKeys).publicKeys.map((key) => key.id)).toContain(id);
    expect(await other.get(ReceiptKeys).signer(id)).toBeUndefined();
  });
});
