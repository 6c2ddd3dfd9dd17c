import { sql } from 'kysely';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../test/support/receipts.js';
import { engines } from '../../../test/support/engines.js';
import { KeyChanges } from './key-changes.js';
import { LedgerCheck } from './ledger-check.js';
import { Ledger } from './ledger.js';
import { Retention } from './retention.js';

const ADMIN = aPrincipal({ scopes: ['admin'] });

describe.each(engines)('The check of a whole ledger on %s', (_name, open) => {
  let app: ReceiptsApp;
  beforeAll(async () => {
    app = await bootReceipts({ open });
    const ledger = app.get(Ledger);
    for (let turn = 0; turn < 6; turn += 1) {
      await app.write(turn % 2 === 0 ? aRunDraft() : aDecisionDraft());
      await ledger.keepCheckpoint();
      if (turn === 2) await app.get(KeyChanges).revoke({ by: ADMIN, id: (await ledger.checkpoint()).key.id, reason: 'test' });
      if (turn === 3) await app.get(KeyChanges).rotate(ADMIN, 'hmac');
    }
    await app.get(Retention).add({ by: ADMIN, subject: 'decision', workspaceId: null, keepDays: 1 });
    await app.get(Retention).run();
    await ledger.keepCheckpoint();
  });
  afterAll(() => app.close());

  const look = async () => (await app.get(LedgerCheck).all()).problems.join('; ');

  it('says how much holds, over rotations, revocations and deletions', async () => {
    expect(await app.get(LedgerCheck).all()).toEqual({ entries: 11, deleted: 1, checkpoints: 7, problems: [] });
    expect(await app.get(LedgerCheck).heads(20)).toMatchObject({ entries: 11, checkpoints: 7, problems: [] });
  });

  it.each([
    ['a word of a body', `update receipts set evidence = replace(evidence, 'cat notes.txt', 'rm notes.txt') where place = 0`, 'Entry 0, '],
    [
      'a signature',
      `update receipts set signature = replace(signature, substr(signature, 5, 1), 'x') where place = 0`,
      'Entry 0, signature',
    ],
    ['a leaf', `update receipts set leaf_hash = replace(leaf_hash, 'a', 'b') where place = 0`, 'Entry 0, leaf'],
    ['a body that is gone', `update receipts set evidence = null where place = 0`, 'no rule deleted it'],
    ['a deletion that nothing tells of', `update receipts set evidence = null, deleted_by = 1 where place = 0`, 'does not say so'],
    ['one more deletion than is told of', `update receipts set evidence = null, deleted_by = 10 where place = 0`, 'other deletions'],
    ['a missing entry', `delete from receipts where place = 2`, 'Entry 2 is missing'],
    ['a missing end', `delete from receipts where place = 10`, 'The head says 11'],
    ['a node', `update ledger_nodes set hash = replace(hash, 'a', 'b') where number = 1`, 'The tree is damaged'],
    ['a head of another size', `update ledger_checkpoints set size = 5 where size = 1`, 'not rightly signed'],
  ])('finds %s', async (_what, statement, words) => {
    const kept = await Promise.all(
      TABLES.map((table) =>
        app.db
          .selectFrom(table as never)
          .selectAll()
          .execute(),
      ),
    );
    await sql.raw(statement).execute(app.db);
    try {
      expect(await look()).toContain(words);
    } finally {
      for (const [at, table] of TABLES.entries()) {
        await app.db.deleteFrom(table as never).execute();
        await app.db
          .insertInto(table as never)
          .values(kept[at] as never)
          .execute();
      }
    }
    expect(await look()).toBe('');
  });

  it('finds heads that today’s ledger does not go on from', async () => {
    const head = { size: 2, note: 'x', key_id: 'y', at: 0 };
    await app.db
      .updateTable('ledger_checkpoints' as never)
      .set({ note: head.note } as never)
      .where('size' as never, '=', 11 as never)
      .execute();
    expect((await app.get(LedgerCheck).heads(20)).problems).toEqual(['The kept head of 11 entries is not rightly signed']);
  });
});

const TABLES = ['receipts', 'ledger_nodes', 'ledger_checkpoints'];
