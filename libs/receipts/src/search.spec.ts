import fc from 'fast-check';
import type { ReceiptSummary } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, OWNER, type ReceiptsApp } from '../../../test/support/receipts.js';
import { engines } from '../../../test/support/engines.js';
import { gramsOf, likePattern, searchWords } from './core/search-words.js';
import type { ReceiptPage } from './receipts.js';
import { SearchIndexing } from './search-indexing.js';

const ADA = aPrincipal();
const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 10, minute)).toISOString();
const time = (minute: number) => Date.parse(at(minute));

describe('words of a search', () => {
  it('are found where all their runs of three letters are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, word, after) => {
        const grams = new Set(gramsOf(`${before}${word}${after}`));
        expect(gramsOf(word).every((gram) => grams.has(gram))).toBe(true);
      }),
    );
    expect(gramsOf('ab')).toEqual([]);
    expect(gramsOf('a😀bc')).toEqual(['a😀b', '😀bc']);
  });

  it('lose nothing on their way into a pattern', () => {
    expect(searchWords('  Git\t100%  a\0b ')).toEqual(['git', '100%', 'ab']);
    expect(likePattern('10%_\\')).toBe('%10\\%\\_\\\\%');
  });
});

describe.each(engines)('Search on %s', (_name, open) => {
  let app: ReceiptsApp;
  beforeEach(async () => {
    app = await bootReceipts({ open });
  });
  afterEach(() => app.close());

  const run = (command: string, minute: number, evidence = {}) =>
    app.write(
      aRunDraft(
        { command, policy: { allowed: true, risk: 'low', requires_approval: false, reasons: [], argv: command.split(' ') } },
        { at: at(minute), ...evidence },
      ),
    );
  const places = (items: readonly ReceiptSummary[]) => items.map(({ index }) => index);
  const find = async (page: Omit<ReceiptPage, 'principal'>) => places((await app.receipts.page({ principal: ADA, ...page })).items);

  it('finds the same before and after the index has met the receipts, and while it is half way', async () => {
    const commands = [
      'git status',
      'cat "a b".txt',
      "rg 'x\"y' lib",
      'echo 100%_done',
      'ÄÖÜ straße İstanbul',
      'git stash list',
      'ls 日本語の文',
    ];
    for (const [index, command] of commands.entries()) await run(command, index);
    const questions = [
      'git',
      'git sta',
      'GIT STATUS',
      'a b',
      '"a',
      'x"y',
      '100%_',
      'äöü',
      'straße',
      'i̇stanbul',
      '本語の',
      'grace',
      'nothing here',
    ];
    const ask = () => Promise.all(questions.map((q) => find({ q })));
    const plain = await ask();
    expect(plain.slice(0, 3)).toEqual([[5, 0], [5, 0], [0]]);
    expect(plain[4]).toEqual([1]);
    await app.get(SearchIndexing).catchUp();
    expect(await ask()).toEqual(plain);
    await run('git push', 9);
    expect(await find({ q: 'git' })).toEqual([7, 5, 0]);
    expect(await find({ q: 'git', limit: 2 })).toEqual([7, 5]);
    expect(await find({ q: 'git', before: '5' })).toEqual([0]);
  });

  it('narrows to workspace, principal, tool, verdict, outcome, kind and time, alone and together', async () => {
    const workspace = { id: '01900000-0000-7000-8000-000000000001', name: 'other', root: '/srv/other' };
    const refused = { version: '1', outcome: 'deny', risk: 'blocked' as const, rules: [], reasons: [] };
    await run('/usr/bin/git status', 1);
    await run('npm test', 2, { workspace, outcome: 'failed' });
    await app.write({ ...aDecisionDraft(), tool: 'sudo', evidence: { ...aDecisionDraft().evidence, at: at(3), policy: refused } });
    await run('git diff', 4, { workspace });
    for (const index of [0, 1]) {
      if (index === 1) await app.get(SearchIndexing).catchUp();
      expect(await find({ tool: 'git' })).toEqual([3, 0]);
      expect(await find({ tool: 'git', workspaceId: workspace.id })).toEqual([3]);
      expect(await find({ workspaceId: workspace.id, outcome: 'failed' })).toEqual([1]);
      expect(await find({ verdict: 'deny' })).toEqual([2]);
      expect(await find({ kind: 'decision', tool: 'sudo' })).toEqual([2]);
      expect(await find({ owner: OWNER })).toEqual([3, 2, 1, 0]);
      expect(await find({ owner: 'somebody else' })).toEqual([]);
      expect(await find({ q: 'git', workspaceId: workspace.id })).toEqual([3]);
      expect(await find({ from: time(2), to: time(4) })).toEqual([2, 1]);
      expect(await find({ from: time(2), to: time(4), q: 'test' })).toEqual([1]);
      expect(await find({ from: time(4) })).toEqual([3]);
      expect(await find({ to: time(1) })).toEqual([]);
      expect(await find({ from: time(2), before: '2' })).toEqual([1]);
    }
  });

  it('lets the times of entries follow their order, whatever the clocks say', async () => {
    await run('one', 5);
    await run('two', 3);
    await run('three', 5);
    expect(await find({ from: time(5) })).toEqual([2, 1, 0]);
    expect(await find({ to: time(5) })).toEqual([]);
  });

  it('counts over time, by outcome, kind and verdict, and an agent sees its own only', async () => {
    await run('a', 1);
    await run('b', 2, { outcome: 'failed' });
    await app.write({ ...aDecisionDraft(), evidence: { ...aDecisionDraft().evidence, at: at(12) } });
    await run('c', 13);
    const wanted = { from: time(0), to: time(60), stepMs: 600_000 };
    expect(await app.receipts.counts(ADA, { ...wanted, by: 'outcome' })).toEqual({
      stepMs: 600_000,
      items: [
        { at: time(0), name: 'failed', count: 1 },
        { at: time(0), name: 'succeeded', count: 1 },
        { at: time(10), name: 'blocked', count: 1 },
        { at: time(10), name: 'succeeded', count: 1 },
      ],
    });
    const byVerdict = await app.receipts.counts(ADA, { ...wanted, by: 'verdict' });
    expect(byVerdict.items.map(({ name, count }) => [name, count])).toEqual([
      ['ask', 2],
      ['ask', 1],
      ['deny', 1],
    ]);
    expect((await app.receipts.counts(aPrincipal({ kind: 'token' }), { ...wanted, by: 'kind' })).items).toEqual([]);
  });
});
