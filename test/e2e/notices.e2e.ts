import type { Client } from '@modelcontextprotocol/client';
import { Webhook as Verifier } from 'standardwebhooks';
import type { CreatedToken, CreatedWebhook, Delivery, Page, ReceiptSummary, Webhook } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { databases } from '../support/engines.js';
import { execute, plan, vote } from '../support/flow.js';
import { Receiver } from '../support/receiver.js';
import { verifies } from '../support/verifies.js';

describe.each(databases)('telling people, on %s', (_engine, open) => {
  let receiver: Receiver;
  let api: Booted;
  let owner: ConsoleClient;
  let agent: Client;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    receiver = await Receiver.start();
    const database = await open();
    remove = database.remove;
    api = await boot({ env: { ...database.env, EGRESS_PRIVATE_HOSTS: receiver.host } });
    owner = await api.owner();
    agent = await api.mcp();
  });
  afterEach(async () => {
    const { items } = (await owner.get('/api/webhooks')) as { items: Webhook[] };
    for (const { id } of items) await owner.request('DELETE', `/api/webhooks/${id}`);
    receiver.got.length = 0;
    receiver.answers.length = 0;
  });
  afterAll(async () => {
    await api.close();
    await receiver.close();
    await remove();
  });

  const add = async (more: object = {}): Promise<CreatedWebhook> =>
    (await owner.post('/api/webhooks', {
      name: 'ops',
      format: 'json',
      url: receiver.url('/hook?key=s3cr3t-part'),
      ...more,
    })) as CreatedWebhook;
  const log = async ({ webhook }: CreatedWebhook): Promise<readonly Delivery[]> =>
    ((await owner.get(`/api/webhooks/${webhook.id}/deliveries`)) as Page<Delivery>).items;

  verifies('notices:signed', 'a plan that waits, and how it ended', async () => {
    const created = await add();
    const waiting = await plan(agent, ['touch', 'x']);
    const [opened] = await receiver.until(1);
    await vote(owner, waiting, 'deny');
    const [, closed] = await receiver.until(2);
    const verifier = new Verifier(created.secret);
    const read = (message: typeof opened): unknown => verifier.verify(message?.body ?? '', message?.headers as Record<string, string>);
    expect(read(opened)).toMatchObject({ type: 'ask.opened', data: { url: `${api.url}/asks/${waiting.ask_id}`, risk: 'medium' } });
    expect(read(closed)).toMatchObject({ type: 'ask.closed', data: { title: expect.stringContaining('denied') as string } });
    expect(() => verifier.verify(`${opened?.body ?? ''} `, opened?.headers as Record<string, string>)).toThrow();
    expect(opened?.headers['webhook-id']).not.toBe(closed?.headers['webhook-id']);
    await untilTried(created);
    expect((await log(created)).map(({ status, type }) => [status, type])).toEqual([
      ['delivered', 'ask.closed'],
      ['delivered', 'ask.opened'],
    ]);
  });

  verifies('notices:no-secret', 'neither in messages nor in any answer', async () => {
    const created = await add();
    await plan(agent, ['touch', 'secret-of-nobody']);
    const [message] = await receiver.until(1);
    expect(message?.body).not.toMatch(/csn_|whsec_|s3cr3t-part|#token/);
    const shown = JSON.stringify([await owner.get('/api/webhooks'), await log(created), await owner.get('/api/receipts?kind=admin')]);
    expect(shown).not.toMatch(/whsec_|s3cr3t-part/);
    expect(created.webhook.place).toBe(`http://${receiver.host}`);
  });

  verifies('notices:tried-again', 'after a failure, and dead ones on request', async () => {
    const created = await add({ routes: { types: ['ask.opened'], workspaces: [], leastRisk: 'low', deciders: [] } });
    receiver.answers.push(500);
    await plan(agent, ['touch', 'y']);
    await receiver.until(1);
    const [failed] = await untilTried(created);
    expect(failed).toMatchObject({ status: 'waiting', attempts: 1, lastStatus: 500, lastError: 'The receiver answered 500' });
    receiver.answers.push(500, 204);
    const test = (await owner.post(`/api/webhooks/${created.webhook.id}/test`)) as Delivery;
    expect(test).toMatchObject({ status: 'dead', type: 'webhook.test', lastStatus: 500 });
    const again = (await owner.post(`/api/webhooks/${created.webhook.id}/deliveries/${test.id}/retry`)) as Delivery;
    expect(again).toMatchObject({ status: 'delivered', lastStatus: 204 });
    expect(receiver.got.at(-1)?.headers['webhook-id']).toBe(receiver.got.at(-2)?.headers['webhook-id']);
  });

  it('of failed runs only to those who asked for them', async () => {
    await add({ name: 'asks', routes: { types: ['ask.opened'], workspaces: [], leastRisk: 'low', deciders: [] } });
    await add({ name: 'runs', routes: { types: ['run.failed'], workspaces: [], leastRisk: 'low', deciders: [] } });
    await execute(agent, await plan(agent, ['ls', 'nowhere-at-all']));
    const [message] = await receiver.until(1);
    expect(JSON.parse(message?.body ?? '{}')).toMatchObject({
      type: 'run.failed',
      data: { lines: [expect.stringContaining('nowhere-at-all'), expect.any(String)] },
    });
    await execute(agent, await plan(agent, ['ls']));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.got).toHaveLength(1);
  });

  it('stops a webhook whose receiver says that it is gone, until it is switched on again', async () => {
    const created = await add();
    receiver.answers.push(410);
    await owner.post(`/api/webhooks/${created.webhook.id}/test`);
    const { items } = (await owner.get('/api/webhooks')) as { items: Webhook[] };
    expect(items).toMatchObject([{ isEnabled: false, stopped: expect.stringContaining('410') as string }]);
    const on = await owner.request('PATCH', `/api/webhooks/${created.webhook.id}`, { isEnabled: true });
    expect(await on.json()).toMatchObject({ isEnabled: true, stopped: null });
  });

  it('renews a secret: the old one signs nothing any more', async () => {
    const created = await add();
    const { secret } = (await owner.post(`/api/webhooks/${created.webhook.id}/secret`)) as CreatedWebhook;
    await owner.post(`/api/webhooks/${created.webhook.id}/test`);
    const [message] = await receiver.until(1);
    const headers = message?.headers as Record<string, string>;
    expect(new Verifier(secret).verify(message?.body ?? '', headers)).toMatchObject({ type: 'webhook.test' });
    expect(() => new Verifier(created.secret).verify(message?.body ?? '', headers)).toThrow();
  });

  verifies('notices:egress', 'only public addresses, and hosts that were named', async () => {
    const refused = async (url: string): Promise<unknown> => {
      const answer = await owner.request('POST', '/api/webhooks', { name: 'x', format: 'json', url });
      return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
    };
    for (const url of [
      ...[
        'http://example.com/hook',
        'https://127.0.0.1/x',
        'https://[::1]/',
        'https://169.254.169.254/latest',
        'https://10.0.0.1/',
        'file:///etc/passwd',
      ],
      ...['https://[::ffff:127.0.0.1]/', 'https://2130706433/', 'https://0x7f.1/', 'https://user:pw@example.com/', 'not an address'],
    ])
      expect([url, await refused(url)]).toEqual([url, [400, 'WEBHOOK_URL_INVALID']]);
    const { webhook } = (await owner.post('/api/webhooks', { name: 'x', format: 'json', url: 'https://localhost/hook' })) as CreatedWebhook;
    const test = (await owner.post(`/api/webhooks/${webhook.id}/test`)) as Delivery;
    expect(test).toMatchObject({ status: 'dead', lastError: expect.stringContaining('not on the public Internet') as string });
  });

  it('follows no redirect', async () => {
    const other = await Receiver.start();
    const created = await add();
    receiver.answers.push(302);
    receiver.headers['location'] = other.url();
    expect(await owner.post(`/api/webhooks/${created.webhook.id}/test`)).toMatchObject({ status: 'dead', lastStatus: 302 });
    expect(other.got).toEqual([]);
    await other.close();
  });

  verifies('notices:admins-only', 'and each change is a receipt', async () => {
    const created = await add({ name: 'audited' });
    await owner.request('PATCH', `/api/webhooks/${created.webhook.id}`, { name: 'renamed' });
    const { items } = (await owner.get('/api/receipts?kind=admin&limit=5')) as Page<ReceiptSummary>;
    expect(items.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('added the webhook audited'),
        expect.stringContaining('changed the webhook renamed'),
      ]),
    );
    const { secret } = (await owner.post('/api/tokens', { name: 'reader', scopes: ['receipts:read', 'terminal:plan'] })) as CreatedToken;
    const answer = await api.fetch('/api/webhooks', { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(403);
  });

  it('refuses bad wishes by name', async () => {
    const code = async (body: object): Promise<unknown> => {
      const answer = await owner.request('POST', '/api/webhooks', { name: 'x', format: 'json', url: receiver.url(), ...body });
      return ((await answer.json()) as { error: { code: string } }).error.code;
    };
    expect(await code({ quietHours: { zone: 'Mars/Olympus', days: [], from: '22:00', to: '07:00' } })).toBe('INPUT_INVALID');
    expect(await code({ quietHours: { zone: 'UTC', days: [], from: '25:00', to: '07:00' } })).toBe('INPUT_INVALID');
    expect(await code({ format: 'carrier-pigeon' })).toBe('INPUT_INVALID');
    expect(await code({ routes: { types: ['everything'] } })).toBe('INPUT_INVALID');
  });

  /** The log once its newest message was tried. */
  async function untilTried(created: CreatedWebhook): Promise<readonly Delivery[]> {
    for (const giveUpAt = Date.now() + 5_000; ;) {
      const deliveries = await log(created);
      if ((deliveries[0]?.attempts ?? 0) > 0 || Date.now() > giveUpAt) return deliveries;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});
