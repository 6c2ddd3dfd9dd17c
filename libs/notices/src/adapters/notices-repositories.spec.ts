import type { AskId, DeliveryId, Webhook, WebhookId } from '#contracts';
import { newId, type Database, type Tx } from '#platform';
import { engines } from '../../../../test/support/engines.js';
import { testNotice } from '../core/notice.js';
import type { HeldWebhook, NewDelivery } from '../ports.js';
import { KyselyDeliveryRepository } from './kysely-delivery.repository.js';
import { KyselyNoticeProgressRepository } from './kysely-notice-progress.repository.js';
import { KyselyWebhookRepository } from './kysely-webhook.repository.js';
import { noticesMigrations } from './notices.migrations.js';

function aWebhook(part: Partial<Webhook> = {}): HeldWebhook {
  const webhook: Webhook = {
    id: newId<WebhookId>(),
    name: 'ops',
    format: 'json',
    place: 'https://hooks.example',
    routes: { types: ['ask.opened'], workspaces: [], leastRisk: 'medium', deciders: ['approver'] },
    quietHours: { zone: 'UTC', days: ['mon'], from: '22:00', to: '07:00' },
    isEnabled: true,
    stopped: null,
    createdAt: 1_000,
    changedAt: 1_000,
    ...part,
  };
  return { webhook, sealedUrl: 'sealed url', sealedSecret: 'sealed secret' };
}

describe.each(engines)('the repositories of notices on %s', (_name, open) => {
  let db: Database;
  let webhooks: KyselyWebhookRepository;
  let deliveries: KyselyDeliveryRepository;
  let progress: KyselyNoticeProgressRepository;
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work);

  beforeAll(async () => {
    db = await open(noticesMigrations);
    webhooks = new KyselyWebhookRepository(db);
    deliveries = new KyselyDeliveryRepository(db);
    progress = new KyselyNoticeProgressRepository(db);
  });
  afterEach(async () => {
    for (const table of ['deliveries', 'webhooks', 'notice_cursor', 'notice_reminders']) await db.deleteFrom(table as 'events').execute();
  });
  afterAll(() => db.destroy());

  const aDelivery = async (part: Partial<NewDelivery> = {}): Promise<NewDelivery> => {
    const held = aWebhook();
    const delivery: NewDelivery = {
      id: newId<DeliveryId>(),
      webhookId: held.webhook.id,
      notice: testNotice('ops', 1_000),
      createdAt: 1_000,
      nextAt: 2_000,
      ...part,
    };
    await write(async (tx) => {
      await webhooks.insert(tx, held);
      await deliveries.insert(tx, [delivery]);
    });
    return delivery;
  };

  it('keep webhooks, and change one only as it was seen', async () => {
    const held = aWebhook();
    await write((tx) => webhooks.insert(tx, held));
    expect(await webhooks.list()).toEqual([held]);
    const changed = { ...held, webhook: { ...held.webhook, name: 'new', quietHours: null, isEnabled: false, changedAt: 2_000 } };
    expect(await write((tx) => webhooks.update(tx, changed, 999))).toBe(false);
    expect(await write((tx) => webhooks.update(tx, changed, 1_000))).toBe(true);
    expect(await webhooks.find(held.webhook.id)).toEqual(changed);
  });

  it('remove a webhook with its messages, once', async () => {
    const { webhookId, id } = await aDelivery();
    expect(await write((tx) => webhooks.remove(tx, webhookId))).toBe(true);
    expect(await write((tx) => webhooks.remove(tx, webhookId))).toBe(false);
    expect(await deliveries.find(id)).toBeUndefined();
  });

  it('give a message that is due to one sender, until its time is over', async () => {
    const { id } = await aDelivery();
    expect(await deliveries.claimDue(1_999, 9_000, 10)).toEqual([]);
    const claims = await Promise.all([deliveries.claimDue(2_000, 9_000, 10), deliveries.claimDue(2_000, 9_000, 10)]);
    expect(claims.flat().map((due) => due.id)).toEqual([id]);
    expect(await deliveries.claimDue(8_999, 20_000, 10)).toEqual([]);
    expect(await deliveries.claimDue(9_000, 20_000, 10)).toMatchObject([{ id, attempts: 0, notice: { type: 'webhook.test' } }]);
  });

  it('count attempts, and make a dead message wait again', async () => {
    const { id, webhookId } = await aDelivery();
    await deliveries.attempted(id, { status: 'waiting', nextAt: 5_000, lastStatus: 500, lastError: 'no', endedAt: null });
    expect(await deliveries.find(id)).toMatchObject({ status: 'waiting', attempts: 1, nextAt: 5_000, lastStatus: 500, lastError: 'no' });
    expect(await deliveries.revive(id, 6_000)).toBe(false);
    await deliveries.attempted(id, { status: 'dead', nextAt: null, lastStatus: null, lastError: 'gone', endedAt: 5_000 });
    expect(await deliveries.page({ webhookId, status: 'dead', limit: 10 })).toMatchObject([{ id, attempts: 2, endedAt: 5_000 }]);
    expect(await deliveries.revive(id, 6_000)).toBe(true);
    expect(await deliveries.claimDue(6_000, 7_000, 10)).toMatchObject([{ id, attempts: 0 }]);
  });

  it('page the log, newest first, and forget what ended long ago', async () => {
    const first = await aDelivery();
    const next = { ...first, id: newId<DeliveryId>() };
    await write((tx) => deliveries.insert(tx, [next]));
    const { webhookId } = first;
    expect((await deliveries.page({ webhookId, limit: 1 })).map(({ id }) => id)).toEqual([next.id]);
    expect((await deliveries.page({ webhookId, before: next.id, limit: 9 })).map(({ id }) => id)).toEqual([first.id]);
    await deliveries.attempted(first.id, { status: 'delivered', nextAt: null, lastStatus: 200, lastError: null, endedAt: 5_000 });
    await deliveries.trim(5_000);
    expect(await deliveries.find(first.id)).toBeDefined();
    await deliveries.trim(5_001);
    expect(await deliveries.find(first.id)).toBeUndefined();
    expect(await deliveries.find(next.id)).toBeDefined();
  });

  it('move on from one place once', async () => {
    await progress.begin(7);
    await progress.begin(9);
    expect(await progress.cursor()).toBe(7);
    expect(await write((tx) => progress.move(tx, 7, 12))).toBe(true);
    expect(await write((tx) => progress.move(tx, 7, 13))).toBe(false);
    expect(await progress.cursor()).toBe(12);
  });

  it('give a reminder to one server, when it is due', async () => {
    const askId = newId<AskId>();
    const reminders = [
      { askId, at: 100, share: 0.5 },
      { askId, at: 200, share: 0.9 },
    ];
    await write((tx) => progress.remind(tx, reminders));
    await write((tx) => progress.remind(tx, reminders)); // the same event looked at again
    expect(await progress.dueReminders(150, 10)).toEqual([reminders[0]]);
    const taken = await Promise.all([0, 1].map(() => write((tx) => progress.takeReminder(tx, { askId, at: 100, share: 0.5 }))));
    expect(taken.sort()).toEqual([false, true]);
    expect(await progress.dueReminders(300, 10)).toEqual([reminders[1]]);
  });
});
