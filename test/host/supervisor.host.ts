import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { HostId, HostView } from '#contracts';
import { ConnectedHosts, HostConnections, type HostEvent, type HostNews } from '#relay';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { startMockModel } from './mock-model.mjs';

const PASSWORD = 'correct horse battery';
const KEY = 'sk-mock-key-that-stays-in-one-process';

let root: string;
let cwd: string;
let model: Awaited<ReturnType<typeof startMockModel>>;
let server: Booted;
let owner: ConsoleClient;
let id: HostId;
let news: HostNews[];

async function start(): Promise<void> {
  server = await boot({ dataDir: join(root, 'data'), keep: true, env: { WORKSPACE_ROOT: cwd, APPROVAL_MODE: 'confirm' } });
  owner = new ConsoleClient(server.url);
  await (server.link === '' ? owner.login('owner', PASSWORD) : owner.welcome(server.link, { password: PASSWORD }));
  news = [];
  server.app.get(ConnectedHosts).news.subscribe((each) => news.push(each));
  await server.app.get(HostConnections).begin();
}

async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await after(10);
  }
  throw new Error(`Waited too long for ${what}; told: ${news.map(({ type }) => type).join(' ')}`);
}

const view = async (): Promise<HostView> => (await owner.get(`/api/hosts/${id}`)) as HostView;
const connected = (): Promise<HostView> =>
  until('a connected host', async () => {
    const seen = await view();
    return seen.state === 'connected' && seen;
  });
const driver = () => server.app.get(ConnectedHosts).find(id)?.driver ?? fail();
const told = <T extends HostEvent['type']>(type: T): Extract<HostEvent, { type: T }>[] =>
  news.flatMap((each) => (each.type === 'event' && each.event.type === type ? [each.event as Extract<HostEvent, { type: T }>] : []));

/** One that has ended may stand in the table until its parent has looked. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function fail(): never {
  throw new Error('No such host');
}

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-supervisor-')));
  cwd = join(root, 'work');
  mkdirSync(cwd);
  model = await startMockModel();
  await start();
  const settings = { kind: 'bridge', provider: 'deepseek-official', model: 'deepseek-v4-flash', baseUrl: model.url };
  ({ id } = (await owner.post('/api/hosts', { name: 'first', settings, key: KEY })) as HostView);
  await owner.post(`/api/hosts/${id}/start`, {});
  await connected();
});

afterAll(async () => {
  await owner.post(`/api/hosts/${id}/stop`, {});
  await server.close();
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

it('starts the pinned host with every seam, and shows neither key nor token', async () => {
  const seen = await connected();
  expect(seen).toMatchObject({ hasKey: true, health: { version: '0.1.0-rc.8', limits: [] } });
  expect(Object.values(seen.health?.seams ?? {}).every(Boolean)).toBe(true);
  expect(JSON.stringify(seen)).not.toContain(KEY);
  const environment = readFileSync(`/proc/${String(seen.health?.pid)}/environ`, 'utf8')
    .split('\0')
    .map((line) => line.split('=')[0]);
  expect(environment.filter((name) => name !== '').sort()).toEqual([
    'COUNTERSIGN_LAUNCH',
    'DEEPSEEK_API_KEY',
    'DEEPSEEK_BASE_URL',
    'DSH_HOME',
    'DSH_TELEMETRY_DISABLED',
    'HOME',
    'LANG',
    'PATH',
    'TMPDIR',
  ]);
  expect(readdirSync(join(root, 'data', 'hosts', id))).not.toContain('launch.json');
});

it('keeps the key from the commands of the agent where nobody allowed more', async () => {
  await driver().registerWorkspace(cwd);
  const session = await driver().createSession({ cwd });
  await driver().send(session.id, 'DO_TOOL {"name":"bash","arguments":{"description":"look","command":"env; cat /proc/$PPID/environ"}}');
  await driver().whenIdle(session.id, AbortSignal.timeout(20_000));
  expect(JSON.stringify(await driver().log(session.id, 0))).not.toContain(KEY);
});

it('a server that comes back finds the same process, and every ask that waits there, once', async () => {
  const before = await connected();
  const session = await driver().createSession({ cwd });
  await driver().send(session.id, 'DO_ESCALATE');
  const [{ ask }] = await until('an ask', () => told('ask').length > 0 && (told('ask') as [ReturnType<typeof told<'ask'>>[0]]));
  await server.close();
  const since = Date.now();
  await start();
  const again = await connected();
  expect(Date.now() - since).toBeLessThan(5_000);
  expect(again.health?.pid).toBe(before.health?.pid);
  expect(told('ask').map((each) => each.ask)).toEqual([ask]);
  expect(news.map(({ type }) => type).indexOf('connected')).toBeGreaterThan(news.findIndex(({ type }) => type === 'event'));
  expect(await driver().answerApproval(ask.handle, 'allowed-once')).toBe(true);
  await until('the end of the ask', () => told('askEnded').some(({ end }) => end === 'applied'));
  await driver().whenIdle(session.id, AbortSignal.timeout(20_000));
});

it('notices within two seconds that a host was killed, starts it anew, and its sessions can be read', async () => {
  const before = await connected();
  const session = await driver().createSession({ cwd });
  const goal = await driver().createGoal(session.id, { objective: 'DO_ESCALATE for ever', maxRounds: 3 });
  await until('an ask', () => told('ask').some(({ ask }) => ask.sessionId === session.id));
  await after(400); // the host writes its log in batches
  process.kill(before.health?.pid ?? 0, 'SIGKILL');
  const since = Date.now();
  await until('the news', () => news.some(({ type }) => type === 'gone'));
  expect(Date.now() - since).toBeLessThan(2_000);
  const again = await connected();
  expect(again.health?.pid).not.toBe(before.health?.pid);
  expect((await driver().log(session.id, 0)).length).toBeGreaterThan(0);
  await driver().resume(session.id);
  expect(await driver().goal(session.id)).toMatchObject({ id: goal.id, phase: 'active', activation: 'disarmed' });
  expect(told('ask').filter(({ ask }) => ask.sessionId === session.id)).toHaveLength(1);
});

it('stops in an orderly way: what waits is told to have ended', async () => {
  const session = await driver().createSession({ cwd });
  await driver().send(session.id, 'DO_ESCALATE');
  await until('an ask', () => told('ask').some(({ ask }) => ask.sessionId === session.id));
  const { health } = await connected();
  expect(await owner.post(`/api/hosts/${id}/stop`, {})).toMatchObject({ state: 'stopped', health: null });
  const last = told('askEnded').at(-1);
  expect(last?.sessionId).toBe(session.id);
  expect(['withdrawn', 'stopped']).toContain(last?.end); // the host may withdraw it before the bridge goes
  await until('the end of the process', () => !isThere(health?.pid ?? 0));
});
