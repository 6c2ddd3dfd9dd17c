import { request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { HOST_ABILITIES } from '#contracts';
import { FakeBridge } from '../../../../test/support/fake-bridge.js';
import type { HostEvent } from '../host-driver.js';
import { describeHostDriver } from '../host-driver.contract.js';
import { BridgeDriver } from './bridge-driver.js';

const world = (missing: readonly string[]) => async () => {
  const bridge = await new FakeBridge(missing).open();
  return { driver: new BridgeDriver(bridge.port, bridge.token), cwd: '/srv/work', close: () => bridge.die() };
};

describe('the bridge driver', () => describeHostDriver(world([]), HOST_ABILITIES));

describe('the bridge driver on a host without some services', () => {
  const LESS = HOST_ABILITIES.filter((ability) => ability !== 'goals' && ability !== 'questions');
  describeHostDriver(world(['goals', 'userQuestions']), LESS);
});

describe('the door of the bridge', () => {
  let bridge: FakeBridge;
  const call = (headers: Record<string, string>, body = '{"verb":"health"}', path = '/call'): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(bridge.port)}${path}`, { method: 'POST', headers, body });
  const json = { 'content-type': 'application/json' };
  const statusOfHost = (host: string, authorization: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: bridge.port, path: '/call', method: 'POST', headers: { ...json, authorization, host } };
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{"verb":"health"}');
    });

  beforeAll(async () => {
    bridge = await new FakeBridge().open();
  });
  afterAll(() => bridge.die());

  it('refuses without the token, from a page, and what is no JSON', async () => {
    const authorization = `Bearer ${bridge.token}`;
    expect((await call(json)).status).toBe(401);
    expect((await call({ ...json, authorization: 'Bearer nope' })).status).toBe(401);
    expect((await call({ ...json, authorization, origin: 'http://evil.example' })).status).toBe(403);
    expect(await statusOfHost('evil.example', authorization)).toBe(403);
    expect(await statusOfHost(`127.0.0.1:${String(bridge.port)}`, authorization)).toBe(200);
    expect((await call({ authorization, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call({ ...json, authorization }, '[')).status).toBe(400);
    expect((await call({ ...json, authorization }, `{"verb":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413);
    expect((await call({ ...json, authorization }, '{"verb":"constructor"}')).status).toBe(404);
    expect((await call({ ...json, authorization })).status).toBe(200);
  });
});

describe('a connection', () => {
  let bridge: FakeBridge;
  let driver: BridgeDriver;
  let told: HostEvent[];
  const open = async (): Promise<string> => (await driver.createSession({ cwd: '/srv/work' })).id;
  const until = async (look: () => boolean): Promise<void> => {
    for (const end = Date.now() + 5_000; !look();) {
      if (Date.now() > end) throw new Error(`Waited too long; told: ${told.map(({ type }) => type).join(' ')}`);
      await after(5);
    }
  };
  const connect = async (): Promise<void> => {
    driver = new BridgeDriver(bridge.port, bridge.token);
    told = [];
    driver.events.subscribe((event) => told.push(event));
    await driver.connect(AbortSignal.timeout(5_000));
  };

  beforeEach(async () => {
    bridge = await new FakeBridge().open();
    await connect();
    await driver.registerWorkspace('/srv/work');
  });
  afterEach(async () => {
    await driver.close();
    await bridge.die();
  });

  it('tells of the asks that are parked already', async () => {
    const id = await open();
    void bridge.host.raiseApproval(id, 'make deploy');
    await driver.close();
    await connect();
    expect(told).toMatchObject([{ type: 'ask', ask: { kind: 'approval', sessionId: id } }]);
  });

  it('goes on after a cut, without a gap and without a repetition', async () => {
    const id = await open();
    for (let index = 0; index < 50; index += 1) {
      bridge.host.append(id, 'line', { index });
      if (index % 10 === 5) bridge.cut();
      await after(1);
    }
    await until(() => lines().at(-1) === 49);
    expect(lines()).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('reads anew what was lost when the cut was too long', async () => {
    const id = await open();
    void bridge.host.raiseApproval(id, 'first');
    await until(() => told.some(({ type }) => type === 'ask'));
    bridge.cut();
    bridge.host.answerElsewhere([...bridge.host.parked.keys()][0] ?? '', 'rejected');
    for (let index = 0; index < 5_000; index += 1) bridge.host.append(id, 'line', { index });
    void bridge.host.raiseApproval(id, 'second');
    await until(() => told.filter(({ type }) => type === 'ask').length === 2 && lines().length === 5_000);
    expect(told.filter(({ type }) => type === 'askEnded')).toHaveLength(1);
    expect(lines()).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  });

  it('says within two seconds that the host is gone, once', async () => {
    await bridge.die();
    const since = Date.now();
    await until(() => told.some(({ type }) => type === 'gone'));
    expect(Date.now() - since).toBeLessThan(2_000);
    await expect(driver.sessions()).rejects.toMatchObject({ code: 'HOST_UNAVAILABLE' });
    expect(told.filter(({ type }) => type === 'gone')).toHaveLength(1);
  });

  it('takes another launch at the same port for another host', async () => {
    const { launchId } = bridge.frames;
    Object.assign(bridge.frames, { launchId: `${launchId}-2` });
    bridge.cut();
    await until(() => told.some(({ type }) => type === 'gone'));
  });

  function lines(): unknown[] {
    return told.flatMap((event) => (event.type === 'log' && event.event.type === 'line' ? [event.event.data['index']] : []));
  }
});
