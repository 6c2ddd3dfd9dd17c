import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceiptFile, ReceiptId } from '#contracts';
import { openDatabase, platformMigrations, type Migrations } from '#platform';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, OWNER, SESSION, type ReceiptsApp } from '../../../test/support/receipts.js';
import { engines, type Open } from '../../../test/support/engines.js';
import { verifyConsistency, verifyInclusion } from './core/merkle.js';
import { openCheckpoint } from './core/signed.js';
import { verifyFile } from './core/verify.js';
import { Ledger } from './ledger.js';

describe.each(engines)('Receipts on %s', (_name, open) => {
  let app: ReceiptsApp;
  beforeEach(async () => {
    app = await bootReceipts({ open });
  });
  afterEach(() => app.close());

  const failed = (file: ReceiptFile) => verifyFile(file).filter(({ ok }) => ok === false);

  it('gives a file whose proof is complete and can be checked offline', async () => {
    await app.write(aDecisionDraft());
    const file = await app.file(aRunDraft());
    await app.write(aDecisionDraft());
    expect(file.proof.ledger).toMatchObject({ index: 1, inclusion: { treeSize: 2 } });
    expect(verifyFile(JSON.stringify(file)).map(({ name, ok }) => [name, ok])).toEqual([
      ['form', true],
      ['schema', true],
      ['agreement', true],
      ['hmac', null],
      ['key', null],
      ['signature', true],
      ['statement', true],
      ['leaf', true],
      ['inclusion', true],
      ['checkpoint', true],
    ]);
    const checks = await app.receipts.verify(aPrincipal(), file.evidence.id as ReceiptId);
    expect(checks.map(({ ok }) => ok)).not.toContain(false);
    expect(checks.filter(({ ok }) => ok === null)).toEqual([]);
  });

  it('gives fifty writers at once fifty places without a gap, and proves all of them', async () => {
    const written = await Promise.all(Array.from({ length: 50 }, (_, turn) => app.write(turn % 2 ? aRunDraft() : aDecisionDraft())));
    const places = written.map(({ proof }) => proof.ledger.index).sort((one, other) => one - other);
    expect(places).toEqual(Array.from({ length: 50 }, (_, index) => index));
    for (const { evidence } of written) {
      const file = await app.receipts.find(evidence.id as ReceiptId);
      expect(file && failed(file)).toEqual([]);
      expect(file?.proof.ledger.inclusion?.treeSize).toBe(50);
    }
  });

  it('leaves nothing behind when the transaction fails', async () => {
    await app.write(aDecisionDraft());
    const lost = app.feed.write(async (tx, append) => {
      await app.receipts.write(tx, append, aRunDraft());
      throw new Error('no');
    });
    await expect(lost).rejects.toThrow('no');
    const next = await app.file(aRunDraft());
    expect(next.proof.ledger.index).toBe(1);
    expect(failed(next)).toEqual([]);
    expect((await app.receipts.page({ principal: aPrincipal() })).items).toHaveLength(2);
  });

  it('tells watchers of each receipt in one event', async () => {
    const { evidence } = await app.write(aRunDraft());
    expect(await app.feed.after(0, 10)).toMatchObject([
      { type: 'receipt.written', owner: OWNER, sessionId: SESSION, receipt: { id: evidence.id, index: 0, outcome: 'succeeded' } },
    ]);
  });

  it('hides secrets again, in every part', async () => {
    app.receipts.protect(['open sesame']);
    const secret = 'ghp_' + 'a'.repeat(36);
    const draft = aRunDraft(
      {
        command: `curl --token x1y2z3 ${secret}`,
        stdout: `open sesame ${secret}`,
        policy: { allowed: true, risk: 'low', requires_approval: true, reasons: [secret], argv: ['curl', '--token', 'x1y2z3', secret] },
      },
      { summary: `ran with ${secret}`, details: { deep: [{ text: secret }] } },
    );
    const file = await app.file(draft);
    const text = JSON.stringify([file, await app.receipts.page({ principal: aPrincipal() }), await app.feed.after(0, 10)]);
    for (const value of [secret, 'open sesame', 'x1y2z3']) expect(text).not.toContain(value);
    expect(file.receipt?.policy.argv).toEqual(['curl', '--token', '[REDACTED:secret-assignment]', '[REDACTED:github-token]']);
    expect(failed(file)).toEqual([]);
  });

  it('mends text that has no valid form, and refuses what does not fit the schema', async () => {
    const file = await app.file(aRunDraft({ stdout: 'half a pair \ud83d' }));
    expect(file.receipt?.stdout).toBe('half a pair \ufffd');
    await expect(app.write(aRunDraft({ duration_ms: 1.5 }))).rejects.toThrow('receipt/duration_ms');
  });

  it('shows people everything and agents their own', async () => {
    const { evidence } = await app.write(aRunDraft());
    const id = evidence.id as ReceiptId;
    const other = aPrincipal({ kind: 'token' });
    const own = aPrincipal({ kind: 'token', id: OWNER });
    for (const seer of [aPrincipal(), own, aPrincipal({ kind: 'token', scopes: ['admin'] })]) {
      expect((await app.receipts.page({ principal: seer })).items).toHaveLength(1);
      expect((await app.receipts.read(seer, { receiptId: id })).evidence.id).toBe(id);
    }
    expect((await app.receipts.page({ principal: other })).items).toEqual([]);
    await expect(app.receipts.read(other, { receiptId: id })).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
    await expect(app.receipts.share(other, id, [])).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
    await expect(app.receipts.verify(other, id)).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
  });

  it('finds the run of a plan before what was decided on it', async () => {
    const draft = aRunDraft();
    const run = await app.write(draft);
    const planId = draft.body?.plan_id as never; // the brand exists at compile time only
    await app.write({ ...aDecisionDraft(), evidence: { ...aDecisionDraft().evidence, plan_id: planId } });
    expect((await app.receipts.read(aPrincipal(), { sessionId: SESSION, planId })).evidence.id).toBe(run.evidence.id);
  });

  it('searches and pages, newest first', async () => {
    for (let turn = 0; turn < 5; turn += 1) await app.write(aRunDraft({ command: `echo 100% number_${String(turn)}` }));
    await app.write(aDecisionDraft());
    const principal = aPrincipal();
    const find = async (q: string) => (await app.receipts.page({ principal, q })).items.map(({ index }) => index);
    expect(await find('ECHO number_3')).toEqual([3]);
    expect(await find('%')).toEqual([4, 3, 2, 1, 0]);
    expect(await find('number_')).toHaveLength(5);
    expect(await find('numberX3')).toEqual([]);
    expect(await find('grace')).toHaveLength(5);
    expect((await app.receipts.page({ principal, outcome: 'blocked' })).items.map(({ index }) => index)).toEqual([5]);
    const first = await app.receipts.page({ principal, limit: 4 });
    expect(first.items.map(({ index }) => index)).toEqual([5, 4, 3, 2]);
    const second = await app.receipts.page({ principal, limit: 4, before: first.next ?? '' });
    expect([second.items.map(({ index }) => index), second.next]).toEqual([[1, 0], null]);
    await expect(app.receipts.page({ principal, before: 'x' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('keeps its keys and its ledger over a restart, and two processes agree on both', async () => {
    const before = await app.file(aRunDraft());
    const others = await Promise.all([bootReceipts({ db: app.db }), bootReceipts({ db: app.db })]);
    try {
      const files = await Promise.all(others.map((other) => other.file(aRunDraft())));
      for (const file of files) {
        expect(file.proof.key).toEqual(before.proof.key);
        expect(failed(file)).toEqual([]);
      }
      expect(files.map(({ proof }) => proof.ledger.index).sort()).toEqual([1, 2]);
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('keeps heads, and shows that each goes on from the one before', async () => {
    const ledger = app.get(Ledger);
    const heads = [await ledger.checkpoint()];
    for (let turn = 0; turn < 9; turn += 1) {
      await app.write(aDecisionDraft());
      heads.push(await ledger.checkpoint());
    }
    await ledger.keepCheckpoint();
    for (const old of heads) {
      for (const head of heads.filter(({ size }) => size >= old.size)) {
        const proof = await ledger.consistency(old.size, head.size);
        expect([proof.fromRoot, proof.toRoot]).toEqual([old.rootHash, head.rootHash]);
        expect(verifyConsistency(old.size, head.size, old.rootHash, head.rootHash, proof.hashes)).toBe(true);
        expect(openCheckpoint(head.note, head.key.publicKey)).toMatchObject({ size: head.size, rootHash: head.rootHash });
      }
    }
    await expect(ledger.consistency(3, 99)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const { inclusion } = await ledger.prove(4);
    const leaf = (await app.receipts.find((await app.receipts.page({ principal: aPrincipal() })).items[4]?.id as ReceiptId))?.proof.ledger;
    expect(verifyInclusion(4, 9, leaf?.leafHash ?? '', inclusion?.hashes ?? [], heads.at(-1)?.rootHash ?? '')).toBe(true);
  });
});

it('is one ledger with one set of keys for two processes that start on one new file', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-shared-'));
  const open: Open = async (...migrations) => {
    const db = openDatabase({ dataDir });
    await db.migrate(Object.assign({}, platformMigrations, ...migrations) as Migrations);
    return db;
  };
  const apps = await Promise.all([bootReceipts({ open, dataDir }), bootReceipts({ open, dataDir })]);
  try {
    const written = await Promise.all(apps.flatMap((app) => Array.from({ length: 20 }, () => app.write(aRunDraft()))));
    expect(written.map(({ proof }) => proof.ledger.index).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
    expect(new Set(written.map(({ proof }) => proof.key.id)).size).toBe(1);
    for (const { evidence } of written) {
      const [one, other] = await Promise.all(apps.map((app) => app.receipts.find(evidence.id as ReceiptId)));
      expect(one).toEqual(other);
      expect(verifyFile(one).filter(({ ok }) => ok === false)).toEqual([]);
    }
  } finally {
    await Promise.all(apps.map((app) => app.close()));
    rmSync(dataDir, { recursive: true, force: true });
  }
});
