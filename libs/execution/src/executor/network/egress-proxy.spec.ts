import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkFact } from '#contracts';
import { hostRule } from '../../core/network-hosts.js';
import { EgressProxy } from './egress-proxy.js';
import { type LookUp, Names, type StandIns } from './names.js';

describe('Names', () => {
  it('looks a name up once and keeps what was judged, whatever the name server says later', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    let asked = 0;
    const names = new Names({}, () => Promise.resolve(answers[Math.min(asked++, 1)] ?? []));
    expect(await names.resolve('a.example')).toEqual({ addresses: ['93.184.216.34'] });
    expect(await names.resolve('a.example')).toEqual({ addresses: ['93.184.216.34'] });
    expect(asked).toBe(1);
  });

  it('refuses a name of which only one address is inside', async () => {
    const names = new Names({}, () => Promise.resolve(['93.184.216.34', '::ffff:10.0.0.1']));
    expect(await names.resolve('a.example')).toMatchObject({ refused: /10\.0\.0\.1/ });
  });

  it('says why a name leads nowhere, and asks again the next time', async () => {
    let isUp = false;
    const lookUp: LookUp = () =>
      isUp ? Promise.resolve(['93.184.216.34']) : Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }));
    const names = new Names({}, lookUp);
    expect(await names.resolve('a.example')).toMatchObject({ refused: /EAI_AGAIN/ });
    isUp = true;
    expect(await names.resolve('a.example')).toMatchObject({ addresses: ['93.184.216.34'] });
  });
});

describe('EgressProxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'));
  let count = 0;
  let inner: Server;
  let seen: string[] = [];

  beforeAll(async () => {
    inner = createHttp((message, response) => {
      seen.push(`${message.method ?? ''} ${message.headers.host ?? ''}${message.url ?? ''}`);
      void text(message).then((body) => response.setHeader('x-hop', 'yes').end(`got ${body}`));
    });
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => (seen = []));
  afterAll(() => {
    inner.close();
    rmSync(folder, { recursive: true });
  });

  const port = () => (inner.address() as AddressInfo).port;

  async function open(hosts: readonly string[], standIns: StandIns = {}, lookUp?: LookUp) {
    const socketPath = join(folder, String((count += 1)));
    const proxy = new EgressProxy(
      hosts.flatMap((host) => hostRule(host) ?? []),
      new Names(standIns, lookUp),
    );
    await proxy.listen(socketPath);
    return { socketPath, close: (): NetworkFact => proxy.close() };
  }

  it('makes a plain request for the granted host, whatever host the request itself names', async () => {
    const { socketPath, close } = await open([`site.example:${String(port())}`], { 'site.example': '127.0.0.1' });
    const url = `http://site.example:${String(port())}/path?q=1`;
    expect(await ask(socketPath, 'POST', url, { host: 'other.example', 'proxy-authorization': 'Basic eDp5' }, 'body')).toEqual([
      200,
      'got body',
    ]);
    expect(seen).toEqual([`POST site.example:${String(port())}/path?q=1`]);
    const { connections, refused } = close();
    expect(refused).toBe(0);
    expect(connections).toEqual([
      expect.objectContaining({ host: 'site.example', port: port(), address: '127.0.0.1', allowed: true, reason: null }),
    ]);
    expect(connections[0]?.sent).toBeGreaterThan(50);
    expect(connections[0]?.received).toBeGreaterThan(50);
  });

  it('opens a tunnel to a granted host, and counts what passes', async () => {
    const { socketPath, close } = await open([`site.example:${String(port())}`], { 'site.example': '127.0.0.1' });
    const target = `site.example:${String(port())}`;
    const answered = await raw(
      socketPath,
      `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\nGET /t HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(answered).toMatch(/^HTTP\/1\.1 200 [^]*got /);
    expect(close()).toMatchObject({ refused: 0, connections: [{ allowed: true }] });
  });

  it.each([
    ['another host', 'other.example:443'],
    ['another port', 'granted.example:22'],
    ['the name with the host inside it', 'granted.example.evil.example:443'],
    ['an address that nobody named', '127.0.0.1:443'],
    ['the metadata service', '169.254.169.254:80'],
    ['an address in IPv6 clothes', '[::ffff:127.0.0.1]:443'],
    ['an address in one number', '2130706433:443'],
    ['no host at all', ':443'],
    ['a path', '/etc/passwd'],
  ])('refuses %s, and writes it down', async (_what, target) => {
    const { socketPath, close } = await open(['granted.example', '*.below.example']);
    expect(await raw(socketPath, `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(close()).toMatchObject({ refused: 1, connections: [{ allowed: false, address: null }] });
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254'])(
    'refuses a granted name that leads to %s',
    async (address) => {
      const { socketPath, close } = await open(['granted.example'], {}, () => Promise.resolve([address]));
      expect(await raw(socketPath, 'CONNECT granted.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(
        /^HTTP\/1\.1 403 [^]*not on the public Internet/,
      );
      expect(close().connections).toEqual([
        expect.objectContaining({ allowed: false, reason: expect.stringContaining(address) as unknown }),
      ]);
    },
  );

  it('reaches an inner address that was named as such', async () => {
    const { socketPath, close } = await open([`127.0.0.1:${String(port())}`]);
    expect(await ask(socketPath, 'GET', `http://127.0.0.1:${String(port())}/`)).toEqual([200, 'got ']);
    expect(await ask(socketPath, 'GET', `http://2130706433:${String(port())}/`)).toEqual([200, 'got ']); // the same address in other words
    expect(close().refused).toBe(0);
  });

  it('serves no request that is not for a proxy, and no other protocol', async () => {
    const { socketPath, close } = await open(['granted.example']);
    expect((await ask(socketPath, 'GET', '/'))[0]).toBe(400);
    expect((await ask(socketPath, 'GET', 'ftp://granted.example/'))[0]).toBe(400);
    expect(await raw(socketPath, 'GET http://granted.example/ HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 501 /,
    );
    expect(await raw(socketPath, 'nonsense\r\n\r\n')).toBe('');
    close();
  });

  it('has a bound on connections at once, and cuts all of them when it closes', async () => {
    const holding = createServer(() => undefined);
    await new Promise<void>((resolve) => holding.listen(0, '127.0.0.1', resolve));
    const target = `127.0.0.1:${String((holding.address() as AddressInfo).port)}`;
    const { socketPath, close } = await open([target]);
    const sockets = await Promise.all(Array.from({ length: 64 }, () => tunnel(socketPath, target)));
    expect(sockets.every(({ head }) => head.startsWith('HTTP/1.1 200'))).toBe(true);
    expect((await tunnel(socketPath, target)).head).toMatch(/^HTTP\/1\.1 429 /);
    expect(close()).toMatchObject({ refused: 1, leftOut: 0 });
    await Promise.all(sockets.map(({ closed }) => closed));
    holding.close();
  });

  it('has a bound on connections of the run to itself, idle ones too', async () => {
    const { socketPath, close } = await open(['granted.example']);
    let cut = 0;
    const sockets = Array.from({ length: 300 }, () =>
      connect(socketPath)
        .on('error', () => undefined)
        .on('close', () => (cut += 1)),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(cut).toBe(44);
    close();
    sockets.forEach((socket) => socket.destroy());
  });

  it('opens nothing any more once it is closed', async () => {
    let answer: (addresses: readonly string[]) => void = () => undefined;
    const target = `granted.example:${String(port())}`;
    const { socketPath, close } = await open([target], {}, () => new Promise((resolve) => (answer = resolve)));
    const over = raw(socketPath, `GET http://${target}/late HTTP/1.1\r\nhost: x\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { connections } = close();
    answer(['93.184.216.34']);
    expect(await over).toBe('');
    expect(connections).toEqual([]);
  });

  it('writes no more of a name down than a name can have', async () => {
    const { socketPath, close } = await open(['granted.example']);
    await raw(socketPath, `CONNECT ${'a'.repeat(9_000)}:443 HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(close().connections).toEqual([expect.objectContaining({ host: 'a'.repeat(255), allowed: false })]);
  });

  it('says that a host does not answer', async () => {
    const { socketPath, close } = await open(['127.0.0.1:1']);
    expect(await raw(socketPath, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 [^]*ECONNREFUSED/);
    expect(close()).toMatchObject({ refused: 1, connections: [{ allowed: false, reason: /ECONNREFUSED/ }] });
  });
});

function ask(
  socketPath: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers }, (answered) => {
      void text(answered).then((told) => resolve([answered.statusCode ?? 0, told]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function raw(socketPath: string, words: string): Promise<string> {
  return new Promise((resolve) => {
    let told = '';
    const socket = connect(socketPath, () => socket.write(words));
    socket.on('data', (chunk) => (told += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(told));
  });
}

function tunnel(socketPath: string, target: string): Promise<{ readonly head: string; readonly closed: Promise<void> }> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`));
    const closed = new Promise<void>((gone) => socket.on('close', () => gone()));
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => resolve({ head: chunk.toString(), closed }));
  });
}

async function text(stream: IncomingMessage): Promise<string> {
  let told = '';
  for await (const chunk of stream) told += String(chunk);
  return told;
}
