import type { ActionRun, ConnectorId, PlanId, PrincipalId, ReceiptId, RunId, WorkspaceId } from '#contracts';
import { type Database, type Tx, newId } from '#platform';
import { engines } from '../../../../test/support/engines.js';
import { checkSettings } from '../core/settings.js';
import type { HeldConnector } from '../ports.js';
import { KyselyActionRunRepository } from './kysely-action-run.repository.js';
import { KyselyConnectorRepository } from './kysely-connector.repository.js';
import { oomolMigrations } from './oomol.migrations.js';

describe.each(engines)('the repositories of oomol on %s', (_engine, open) => {
  let db: Database;
  beforeEach(async () => {
    db = await open(oomolMigrations);
  });
  afterEach(() => db.destroy());
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work);

  const held = (name: string): HeldConnector => {
    const settings = checkSettings({ name, endpoint: 'https://c.example/mcp' });
    if (!settings.ok) throw new Error('not taken');
    return {
      ...{ id: newId<ConnectorId>(), settings: settings.value, workspaces: [newId<WorkspaceId>()], createdAt: 1, changedAt: 1 },
      ...{ sealedKey: 'sealed', sealedAdminToken: null, sealedRuntimeToken: null, runtimeTokenId: null },
    };
  };
  const run = (): ActionRun => ({
    ...{ runId: newId<RunId>(), planId: newId<PlanId>(), workspaceId: newId<WorkspaceId>(), owner: newId<PrincipalId>() },
    ...{ connectorId: newId<ConnectorId>(), provider: 'github', action: 'github.create_issue', account: 'a', effect: 'write' },
    ...{ status: 'sent', code: null, executionId: null, auditPersisted: null, findings: [], suggestion: null, sentAt: 1, endedAt: null },
    resolution: null,
  });

  it('keeps connectors, changes them only as they were seen, and refuses a name twice', async () => {
    const rows = new KyselyConnectorRepository(db);
    const one = held('one');
    expect(await write((tx) => rows.insert(tx, one))).toBe(true);
    expect(await write((tx) => rows.insert(tx, held('one')))).toBe(false);
    expect(await rows.find(one.id)).toEqual(one);
    expect(await write((tx) => rows.update(tx, { ...one, changedAt: 2 }, 1))).toBe(true);
    expect(await write((tx) => rows.update(tx, { ...one, changedAt: 3 }, 1))).toBe(false);
    await write((tx) => rows.setDefault(tx, one.id, 'github', 'a'));
    await write((tx) => rows.setDefault(tx, one.id, 'github', 'b'));
    expect([...(await rows.defaults(one.id))]).toEqual([['github', 'b']]);
    expect(await write((tx) => rows.remove(tx, one.id))).toBe(true);
    expect(await rows.list()).toEqual([]);
  });

  it('ends a call once, and settles one that is unknown once', async () => {
    const rows = new KyselyActionRunRepository(db);
    const one = run();
    await write((tx) => rows.insert(tx, one));
    const end = { status: 'unknown', code: 'network', executionId: 'e', auditPersisted: true, endedAt: 2 } as const;
    const resolution = { outcome: 'failed', by: 'p', note: 'n', at: 3, receiptId: newId<ReceiptId>() } as const;
    expect(await write((tx) => rows.settle(tx, one.runId, resolution))).toBe(false);
    expect(await write((tx) => rows.end(tx, one.runId, end))).toBe(true);
    expect(await write((tx) => rows.end(tx, one.runId, { ...end, status: 'succeeded' }))).toBe(false);
    await write((tx) => rows.note(tx, one.runId, [{ at: 1, kind: 'answer', text: 't', executionId: null }]));
    expect(await write((tx) => rows.settle(tx, one.runId, resolution))).toBe(true);
    expect(await write((tx) => rows.settle(tx, one.runId, resolution))).toBe(false);
    expect(await rows.find(one.runId)).toMatchObject({ ...end, resolution, findings: [{ text: 't' }] });
    expect(await rows.page({ status: 'unknown', connectorId: one.connectorId, limit: 5 })).toHaveLength(1);
    expect(await rows.page({ before: one.runId, limit: 5 })).toEqual([]);
  });
});
