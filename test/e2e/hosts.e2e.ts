import type { HostId, HostView } from '#contracts';
import { HostConnections } from '#relay';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';

const KEY = 'sk-never-to-be-seen-again';
const settings = { kind: 'bridge', provider: 'deepseek-official', model: 'deepseek-v4-flash' };

let server: Booted;
let owner: ConsoleClient;

beforeAll(async () => {
  server = await boot({ env: { HOST_PACKAGES: '/nowhere/at/all' } });
  owner = await server.owner();
  await server.app.get(HostConnections).begin();
}, 60_000);
afterAll(() => server.close());

const create = (name: string, more: object = {}): Promise<HostView> =>
  owner.post('/api/hosts', { name, settings, ...more }) as Promise<HostView>;
const one = (id: HostId): Promise<HostView> => owner.get(`/api/hosts/${id}`) as Promise<HostView>;
const errorOf = async (method: string, path: string, body?: object): Promise<{ code: string; details: object }> => {
  const { error } = (await (await owner.request(method, path, body)).json()) as { error: { code: string; details: object } };
  return error;
};

it('keeps a key that no door shows, and writes a receipt of every change without it', async () => {
  const made = await create('keeps', { key: KEY });
  expect(made).toMatchObject({ hasKey: true, state: 'stopped', isWanted: false, autoApproveEscalations: false, health: null });
  const changed = (await owner.patch(`/api/hosts/${made.id}`, { autoApproveEscalations: true })) as HostView;
  expect(changed).toMatchObject({ hasKey: true, autoApproveEscalations: true });
  expect(await owner.patch(`/api/hosts/${made.id}`, { withoutKey: true })).toMatchObject({ hasKey: false });
  const receipts = JSON.stringify(await owner.get('/api/receipts?kind=admin'));
  expect(receipts).toContain('added the host keeps');
  expect(receipts).toContain('changed the host keeps');
  expect(receipts + JSON.stringify(await owner.get('/api/hosts'))).not.toContain(KEY);
});

it('refuses what cannot be used, and names it', async () => {
  const attach = { name: 'far', settings: { kind: 'attach', url: 'http://192.0.2.1:4000' } };
  expect(await errorOf('POST', '/api/hosts', attach)).toMatchObject({ code: 'INPUT_INVALID', details: { paths: ['settings.url'] } });
  const program = { name: 'agent', settings: { kind: 'acp', argv: ['agent'] } };
  expect(await errorOf('POST', '/api/hosts', program)).toMatchObject({ code: 'INPUT_INVALID', details: { paths: ['settings.argv'] } });
  await create('taken');
  expect((await errorOf('POST', '/api/hosts', { name: 'taken', settings })).code).toBe('HOST_CONFLICT');
  expect((await errorOf('GET', '/api/hosts/01920000-0000-7000-8000-000000000001')).code).toBe('HOST_NOT_FOUND');
});

it('says why a host does not come up, goes on trying, and stops when it is told to', async () => {
  const { id } = await create('missing');
  await owner.post(`/api/hosts/${id}/start`);
  const failed = async (): Promise<HostView> => {
    const view = await one(id);
    return view.state === 'failed' ? view : failed();
  };
  expect((await failed()).why).toContain('npx countersign host install');
  expect((await errorOf('POST', `/api/hosts/${id}/test`)).code).toBe('HOST_UNAVAILABLE');
  expect(await owner.post(`/api/hosts/${id}/stop`)).toMatchObject({ state: 'stopped', isWanted: false });
  expect(await owner.get('/api/hosts')).toMatchObject({ package: { isInstalled: false, version: '0.1.0-rc.8' } });
});

it('a host that is removed is gone', async () => {
  const { id } = await create('leaves');
  await owner.delete(`/api/hosts/${id}`);
  expect((await errorOf('GET', `/api/hosts/${id}`)).code).toBe('HOST_NOT_FOUND');
});
