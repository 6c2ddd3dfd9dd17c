import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Bench } from '../executor.contract.js';

jest.setTimeout(60_000);

const NAMES = ['site.example', 'deep.below.example', 'registry.npmjs.org', 'pypi.org', 'files.pythonhosted.org', 'git.example'];
const hasCurl = existsSync('/usr/bin/curl');

/** Servers on the loopback that stand for hosts of the Internet, with a certificate for their names. */
class Internet {
  readonly folder = mkdtempSync(join(tmpdir(), 'internet-'));
  readonly certificate = join(this.folder, 'cert.pem');
  readonly asked: string[] = [];
  #tls!: TlsServer;
  #plain!: Server;

  async open(): Promise<void> {
    const key = join(this.folder, 'key.pem');
    const names = `subjectAltName=${NAMES.map((name) => `DNS:${name}`).join(',')}`;
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', [...request, '-subj', '/CN=test', '-addext', names, '-keyout', key, '-out', this.certificate], {
      stdio: 'ignore',
    });
    const answer: Parameters<typeof createHttp>[1] = (message, response) => {
      this.asked.push(`${message.headers.host ?? ''}${message.url ?? ''}`);
      response.end(this.#page(message.url ?? ''));
    };
    this.#tls = createHttps({ key: readFileSync(key), cert: readFileSync(this.certificate) }, answer);
    this.#plain = createHttp(answer);
    await Promise.all([this.#tls, this.#plain].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))));
  }

  get port(): number {
    return (this.#tls.address() as AddressInfo).port;
  }

  get plainPort(): number {
    return (this.#plain.address() as AddressInfo).port;
  }

  close(): void {
    this.#tls.close();
    this.#plain.close();
    rmSync(this.folder, { recursive: true });
  }

  #page(url: string): string {
    if (url.startsWith('/tiny'))
      return JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { name: 'tiny', version: '1.2.3' } } });
    return 'a page';
  }
}

describe('a run with granted hosts', () => {
  const internet = new Internet();
  let bench: Bench;
  beforeAll(async () => {
    await internet.open();
    bench = await Bench.open('auto', Object.fromEntries(NAMES.map((name) => [name, '127.0.0.1'])));
    writeFileSync(join(bench.workspace, 'ca.pem'), readFileSync(internet.certificate));
  });
  beforeEach(() => internet.asked.splice(0));
  afterAll(async () => {
    await bench.close();
    internet.close();
  });

  const isHeld = () => bench.report.facts.kind === 'bwrap' && bench.report.facts.network === 'none';
  const env = (more: Record<string, string> = {}) => ({ PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...more });

  it('reaches them with curl over TLS, and the receipt says each connection', async () => {
    if (!isHeld() || !hasCurl) return;
    const host = `site.example:${String(internet.port)}`;
    const result = await bench.run([{ argv: ['curl', '-sS', '--cacert', 'ca.pem', `https://${host}/x`] }], {
      sandbox: { network: [host] },
    });
    expect(result).toMatchObject({
      outcome: 'succeeded',
      stdout: 'a page',
      stderr: '',
      sandbox: { network: 'hosts', enforcement: 'full' },
    });
    expect(internet.asked).toEqual([`${host}/x`]);
    expect(result.network).toMatchObject({
      hosts: [host],
      refused: 0,
      leftOut: 0,
      connections: [{ host: 'site.example', address: '127.0.0.1', allowed: true }],
    });
    expect(result.network?.received).toBeGreaterThan(500);
  });

  it('reaches no other host, port, address or name server, by proxy or past it', async () => {
    if (!isHeld()) return;
    const code = `
      const net = require('net'), dgram = require('dgram');
      const ask = (host, port, line) => new Promise((done) => {
        const socket = net.connect(port, host, () => line ? socket.write(line) : done('open'));
        socket.on('data', (data) => { done(String(data).split(' ')[1]); socket.destroy(); });
        socket.on('error', (error) => done(error.code));
      });
      const tunnel = (target) => ask('127.0.0.1', 3128, 'CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\n');
      (async () => {
        const said = [];
        for (const target of process.argv.slice(1)) said.push(await tunnel(target));
        said.push(await ask('127.0.0.1', ${String(internet.plainPort)}), await ask('1.1.1.1', 443));
        const socket = dgram.createSocket('udp4');
        said.push(await new Promise((done) => socket.send('x', 53, '1.1.1.1', (error) => done(error ? error.code : 'sent'))));
        socket.close();
        console.log(JSON.stringify(said));
      })();`;
    const host = `site.example:${String(internet.port)}`;
    const others = [
      'deep.below.example:443',
      `127.0.0.1:${String(internet.port)}`,
      'localhost:22',
      '169.254.169.254:80',
      `site.example:${String(internet.plainPort)}`,
    ];
    const result = await bench.run(bench.script(code, host, ...others), { sandbox: { network: [host] } });
    expect(JSON.parse(result.stdout)).toEqual(['200', '403', '403', '403', '403', '403', 'ECONNREFUSED', 'ENETUNREACH', 'ENETUNREACH']);
    expect(result.network?.refused).toBe(others.length);
    expect(result.network?.connections.filter(({ allowed }) => !allowed).map(({ host: name }) => name)).toContain('169.254.169.254');
    expect(internet.asked).toEqual([]);
  });

  it('reaches names below a domain, plain HTTP, and inner addresses that were named as such', async () => {
    if (!isHeld() || !hasCurl) return;
    const [below, inner] = [`deep.below.example:${String(internet.port)}`, `127.0.0.1:${String(internet.plainPort)}`];
    const steps = [
      { argv: ['curl', '-sS', '--cacert', 'ca.pem', `https://${below}/`] },
      { argv: ['curl', '-sS', `http://${inner}/`], join: 'and' as const },
    ];
    const result = await bench.run(steps, { sandbox: { network: [`*.below.example:${String(internet.port)}`, inner] } });
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: 'a pagea page', network: { refused: 0 } });
  });

  it('reaches its own servers directly', async () => {
    if (!isHeld() || !hasCurl) return;
    const code = `require('http').createServer((_, answer) => answer.end('own')).listen(8123, () => {
      const curl = require('child_process').spawn('curl', ['-sS', 'http://localhost:8123/']);
      curl.stdout.on('data', (data) => { console.log(String(data)); process.exit(); });
    })`;
    const result = await bench.run(bench.script(code), { sandbox: { network: ['site.example'] } });
    expect(result).toMatchObject({ stdout: 'own\n', network: { refused: 0, connections: [] } });
  });

  it('serves npm and git, which take the proxy by their own ways', async () => {
    if (!isHeld()) return;
    const registry = `registry.npmjs.org:${String(internet.port)}`;
    const npm = join(process.execPath, '..', '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    const cli = [npm, '/usr/lib/node_modules/npm/bin/npm-cli.js', '/usr/share/nodejs/npm/bin/npm-cli.js'].find((path) => existsSync(path));
    if (cli !== undefined) {
      const result = await bench.run(
        [
          {
            argv: [
              process.execPath,
              cli,
              'view',
              'tiny',
              'version',
              `--registry=https://${registry}/`,
              '--cafile=ca.pem',
              '--fetch-retries=0',
            ],
          },
        ],
        { env: env(), sandbox: { network: [registry] } },
      );
      expect(result).toMatchObject({ outcome: 'succeeded', stdout: '1.2.3\n' });
    }
    const git = `git.example:${String(internet.port)}`;
    const result = await bench.run([{ argv: ['git', 'ls-remote', `https://${git}/repo.git`] }], {
      env: env({ GIT_SSL_CAINFO: join(bench.workspace, 'ca.pem'), GIT_TERMINAL_PROMPT: '0' }),
      sandbox: { network: [git] },
    });
    expect(internet.asked.some((line) => line.startsWith(`${git}/repo.git/info/refs`))).toBe(true);
    expect(result.network).toMatchObject({ refused: 0, connections: [{ host: 'git.example', allowed: true }] });
  });

  it('passes its exit code, its signal and its argv on, and leaves nothing behind', async () => {
    const sandbox = { network: ['site.example'] };
    expect(await bench.run(bench.shell('exit 7'), { sandbox })).toMatchObject({ outcome: 'failed', exitCode: 7, survivors: [] });
    expect(await bench.run(bench.shell('kill -KILL $$'), { sandbox })).toMatchObject({ exitCode: null, signal: 9 });
    expect(await bench.run([{ argv: ['sh', '-c', 'echo "$0" "$1"; cat', 'name', 'a b'], redirects: [] }], { sandbox })).toMatchObject({
      stdout: 'name a b\n',
    });
    expect(await bench.run([{ argv: ['echo', 'one'] }, { argv: ['tr', 'a-z', 'A-Z'] }], { sandbox })).toMatchObject({ stdout: 'ONE\n' });
    const stopped = await bench.run(bench.shell(`trap 'echo tidy; exit 3' TERM; sleep 60 & wait`), { sandbox, timeoutMs: 800 });
    expect(stopped).toMatchObject({ outcome: 'timed_out', stdout: 'tidy\n', survivors: [] });
  });

  it('has no proxy without hosts, and says what is enforced', async () => {
    const result = await bench.run(bench.shell('echo "$HTTPS_PROXY"; ls /run'), {});
    expect(result).toMatchObject({ stdout: isHeld() ? '\n' : (expect.any(String) as unknown) });
    expect(result.network).toBeUndefined();
  });
});

it.each(['landlock', 'off'] as const)('says that nothing holds a run to its hosts, sandbox %s', async (choice) => {
  const bench = await Bench.open(choice);
  const result = await bench.run([{ argv: ['true'] }], { sandbox: { network: ['site.example'] } });
  expect(result).toMatchObject({ outcome: 'succeeded', sandbox: { network: 'open' } });
  expect(result.network).toBeUndefined();
  const required = await bench.run([{ argv: ['true'] }], { sandbox: { network: ['site.example'] }, sandboxRequired: true });
  expect(required).toMatchObject({ outcome: 'failed', refusal: 'SANDBOX_UNAVAILABLE' });
  await bench.close();
});
