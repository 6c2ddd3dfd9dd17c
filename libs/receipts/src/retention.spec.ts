import type { ReceiptFile, ReceiptId, RetentionRecord } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../test/support/receipts.js';
import { engines } from '../../../test/support/engines.js';
import { verifyInclusion } from './core/merkle.js';
import { leavesDigest, rangesOf } from './core/retention.js';
import { verifyFile } from './core/verify.js';
import { KeyChanges } from './key-changes.js';
import { Ledger } from './ledger.js';
import type { ReceiptDraft } from './receipts.js';
import { Retention } from './retention.js';
import { SearchIndexing } from './search-indexing.js';

const ADMIN = aPrincipal({ scopes: ['admin'] });
const DAY = 86_400_000;

it('tells places as stretches', () => {
  expect(rangesOf([])).toEqual([]);
  expect(rangesOf([1, 2, 3, 7, 9, 10])).toEqual([
    [1, 3],
    [7, 7],
    [9, 10],
  ]);
});

describe.each(engines)('Retention on %s', (_name, open) => {
  let app: ReceiptsApp;
  beforeEach(async () => {
    app = await bootReceipts({ open });
  });
  afterEach(() => app.close());

  /** Written on that day. */
  const write = async (days: number, draft: ReceiptDraft): Promise<ReceiptFile> => {
    const now = app.clock.at;
    app.clock.at -= days * DAY;
    const file = await app.write({ ...draft, evidence: { ...draft.evidence, at: new Date(app.clock.now()).toISOString() } });
    app.clock.at = now;
    return file;
  };
  const run = (days: number, command = 'cat notes.txt', evidence = {}) => write(days, aRunDraft({ command }, evidence));
  const read = ({ evidence }: ReceiptFile) => app.receipts.read(ADMIN, { receiptId: evidence.id as ReceiptId });

  it('deletes bodies, keeps every proof, and leaves a receipt that says which entries went', async () => {
    const old = [await run(40, 'cat secret-plan.txt'), await run(39)];
    const decision = await write(38, aDecisionDraft());
    const third = await run(35);
    const fresh = await run(1);
    await app.get(SearchIndexing).catchUp();
    const given = await app.file(aRunDraft({}, { at: new Date(app.clock.now()).toISOString() }));
    const retention = app.get(Retention);
    await retention.add({ by: ADMIN, subject: 'run', workspaceId: null, keepDays: 30 });
    expect(await retention.run()).toBe(3);
    expect(await retention.run()).toBe(0);

    const { items } = await app.receipts.page({ principal: ADMIN });
    const [told] = items;
    const record = (await app.receipts.read(ADMIN, { receiptId: told?.id as ReceiptId })).evidence;
    expect(record.details?.['action']).toBe('receipts.deleted');
    const facts = record.details?.['retention'] as RetentionRecord;
    const gone = [...old, third];
    expect(facts).toMatchObject({
      subject: 'run',
      count: 3,
      ranges: [
        [0, 1],
        [3, 3],
      ],
      rule: { keep_days: 30 },
    });
    expect(facts.leaves_sha256).toBe(leavesDigest(gone.map(({ proof }) => proof.ledger.leafHash)));
    for (const file of gone) {
      const { index, leafHash } = file.proof.ledger;
      await expect(read(file)).rejects.toMatchObject({ code: 'RECEIPT_DELETED', details: { index, leafHash, deletedBy: told?.index } });
      const proof = await app.get(Ledger).inclusion(index);
      const { rootHash } = await app.get(Ledger).checkpoint();
      expect(proof.leafHash).toBe(leafHash);
      expect(verifyInclusion(index, proof.treeSize, leafHash, proof.hashes, rootHash)).toBe(true);
    }
    const other = aPrincipal({ kind: 'token' });
    await expect(app.receipts.read(other, { receiptId: old[0]?.evidence.id as ReceiptId })).rejects.toMatchObject({
      code: 'RECEIPT_NOT_FOUND',
    });
    for (const file of [decision, fresh, given]) expect(verifyFile(await read(file)).filter(({ ok }) => ok === false)).toEqual([]);
    const rows = JSON.stringify(
      await app.db
        .selectFrom('receipts' as never)
        .selectAll()
        .execute(),
    );
    const everything = rows + JSON.stringify([items, await app.feed.after(0, 100)]);
    expect(everything.includes('secret-plan')).toBe(false);
    expect((await app.receipts.page({ principal: ADMIN, q: 'secret-plan' })).items).toEqual([]);
    expect((await app.receipts.page({ principal: ADMIN, q: 'notes' })).items.length).toBe(2);
  });

  it('looks at one workspace only where the rule says so, and makes big deletions in steps', async () => {
    const workspace = { id: '01900000-0000-7000-8000-000000000001', name: 'other', root: '/srv/other' };
    const here = await run(40, 'here', { workspace });
    const there = await run(40, 'there');
    await app.get(Retention).add({ by: ADMIN, subject: 'run', workspaceId: workspace.id, keepDays: 30 });
    expect(await app.get(Retention).run()).toBe(1);
    await expect(read(here)).rejects.toMatchObject({ code: 'RECEIPT_DELETED' });
    expect((await read(there)).evidence.id).toBe(there.evidence.id);
  });

  it('never deletes what others need to be checked, and what other planes keep is told of too', async () => {
    await app.get(KeyChanges).rotate(ADMIN, 'ed25519');
    const retention = app.get(Retention);
    await retention.add({ by: ADMIN, subject: 'admin', workspaceId: null, keepDays: 1 });
    const rule = await retention.add({ by: ADMIN, subject: 'output', workspaceId: null, keepDays: 1 });
    let left = 250;
    retention.register('output', (_tx, { limit }) => {
      const count = Math.min(left, limit);
      left -= count;
      return Promise.resolve(count);
    });
    app.clock.at += 3 * DAY;
    expect(await retention.run()).toBe(252); // two records of rules, and the output
    const { items } = await app.receipts.page({ principal: ADMIN });
    expect(items.filter(({ summary }) => summary.includes('rotated'))).toHaveLength(1);
    expect(items.filter(({ summary }) => summary.includes('output of runs'))).toHaveLength(2);
    await retention.remove(ADMIN, rule.id);
    await expect(retention.remove(ADMIN, rule.id)).rejects.toMatchObject({ code: 'RETENTION_RULE_NOT_FOUND' });
    expect(await retention.rules()).toHaveLength(1);
  });
});
