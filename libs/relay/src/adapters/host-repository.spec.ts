import type { HostId } from '#contracts';
import { type Database, EventFeed, newId, type Tx } from '#platform';
import { TestClock } from '../../../../test/support/clock.js';
import { engines } from '../../../../test/support/engines.js';
import type { HeldHost } from '../ports.js';
import { hostsMigrations } from './hosts.migrations.js';
import { KyselyHostRepository } from './kysely-host.repository.js';

describe.each(engines)('hosts on %s', (_engine, open) => {
  let db: Database;
  let rows: KyselyHostRepository;
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => new EventFeed(db, new TestClock()).write(work);
  const aHost = (name: string): HeldHost => ({
    host: {
      ...{ id: newId<HostId>(), name, settings: { kind: 'attach', url: 'http://127.0.0.1:4000' }, hasKey: true, workspaces: [] },
      ...{ autoApproveEscalations: false, isWanted: true, createdAt: 1_000, changedAt: 1_000 },
    },
    sealedKey: 'v1.key',
    sealedRun: null,
  });

  beforeAll(async () => {
    db = await open(hostsMigrations);
    rows = new KyselyHostRepository(db);
  });
  afterAll(() => db.destroy());

  it('keeps a host whole, and changes it only if nobody did in between', async () => {
    const held = aHost('one');
    await write((tx) => rows.insert(tx, held));
    expect(await rows.find(held.host.id)).toEqual(held);
    const host = { ...held.host, autoApproveEscalations: true, hasKey: false, isWanted: false, changedAt: 2_000 };
    const changed = { ...held, host, sealedKey: null };
    expect(await write((tx) => rows.update(tx, changed, 999))).toBe(false);
    expect(await write((tx) => rows.update(tx, changed, 1_000))).toBe(true);
    expect(await rows.find(held.host.id)).toEqual(changed);
  });

  it('a change of what people set leaves the process findable, and the other way round', async () => {
    const held = aHost('two');
    await write((tx) => rows.insert(tx, held));
    await rows.setRun(held.host.id, 'v1.run');
    await write((tx) => rows.update(tx, { ...held, host: { ...held.host, name: 'three', changedAt: 3_000 } }, 1_000));
    expect(await rows.find(held.host.id)).toMatchObject({ sealedRun: 'v1.run', host: { name: 'three' } });
  });

  it('removes a host once', async () => {
    const held = aHost('four');
    await write((tx) => rows.insert(tx, held));
    expect(await write((tx) => rows.remove(tx, held.host.id))).toBe(true);
    expect(await write((tx) => rows.remove(tx, held.host.id))).toBe(false);
  });
});
