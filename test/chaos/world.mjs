// What the flows run against: two servers on one database, a workspace, and everything that can be done to them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { ConsoleClient } from '../support/console-client.mjs';
import { openLine } from '../support/cut-line.mjs';
import { startServer, temporaryFolder } from '../support/server.mjs';

const PASSWORD = 'correct horse battery';
const SETTINGS = {
  MAX_CONCURRENT_SESSIONS: '1000',
  RATE_LIMIT_PER_MINUTE: '10000000',
  LOG_LEVEL: 'silent',
  APPROVAL_MODE: 'confirm',
  COUNTERSIGN_SECRET_KEY: 'c4'.repeat(32),
};
/** Writes its word to a file of its own, and takes a moment so that it can be hit at work. */
const MARK = '#!/bin/sh\necho "$1" >> "out/$1"\nsleep "0.$2"\necho "ran $1"\n';

/** One of the servers, with all its lives. */
class Seat {
  pids = [];
  falls = [];
  server = undefined;
  #returning = undefined;

  constructor(options) {
    this.options = options;
  }

  get isUp() {
    return this.server !== undefined;
  }

  async start() {
    const server = await startServer(this.options);
    this.options.port = server.port;
    this.pids.push(server.pid, ...childrenOf(server.pid));
    this.server = server;
    void server.ended.then((code) => this.#fell(server, code));
    return server;
  }

  /** Ends this life with a signal; the next one begins at once, and is tried until it stands. */
  async end(signal) {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await server.stop(signal);
    this.#returning = this.#comeBack();
  }

  /** Nobody has ended it: that is a fault of the product, and the flows go on with the next life. */
  #fell(server, code) {
    if (this.server !== server) return;
    this.server = undefined;
    this.falls.push(`a server ended by itself with ${code}: ${server.output().slice(-1_500)}`);
    this.#returning = this.#comeBack();
  }

  async #comeBack() {
    for (;;) {
      try {
        return await this.start();
      } catch {
        await pause(200); // the database may be out of reach at this moment
      }
    }
  }

  /** The last end: nothing comes back. */
  async leave(signal) {
    const { server } = this;
    this.server = undefined;
    await server?.stop(signal);
  }

  back() {
    return this.#returning ?? Promise.resolve();
  }
}

export class World {
  /** How many calls the product has answered. */
  answers = 0;

  /** Processes that were ever started here. */
  get pids() {
    return this.seats.flatMap(({ pids }) => pids);
  }

  static async open({ databaseUrl }) {
    const world = new World();
    world.home = temporaryFolder('countersign-chaos-');
    world.workspace = join(world.home, 'site');
    mkdirSync(join(world.workspace, 'out'), { recursive: true });
    writeFileSync(join(world.workspace, 'mark.sh'), MARK, { mode: 0o755 });
    world.databaseUrl = databaseUrl;
    world.line = databaseUrl === undefined ? undefined : await openLine(new URL(databaseUrl));
    const env = { ...SETTINGS, WORKSPACE_ROOT: world.workspace, ...(world.line && { DATABASE_URL: world.line.url }) };
    const data = join(world.home, 'data');
    world.dataDir = data;
    world.seats = [
      new Seat({ env, dataDir: data }),
      new Seat({ env, dataDir: databaseUrl === undefined ? data : join(world.home, 'data-too') }), // PostgreSQL servers share no folder
    ];
    const first = await world.seats[0].start();
    world.token = first.token;
    await new ConsoleClient(first.url).welcome(first.link, { password: PASSWORD });
    await world.seats[1].start();
    process.once('exit', () => world.seats.forEach(({ server }) => server && kill(server.pid)));
    return world;
  }

  /** A server that is up, in a random order of preference. */
  pick(random) {
    const up = this.seats.filter(({ isUp }) => isUp);
    return up[Math.floor(random() * up.length)]?.server;
  }

  /** A person at the console of whichever server is up. */
  async person(random) {
    const server = this.pick(random);
    if (!server) throw new Error('No server is up');
    const known = (this.people ??= new Map());
    const client = known.get(server.url) ?? new ConsoleClient(server.url);
    if (!known.has(server.url)) await client.login('owner', PASSWORD);
    known.set(server.url, client);
    return client;
  }

  executorOf({ pid }) {
    return childrenOf(pid).find((child) => commandLine(child).some((word) => word.endsWith('executor/main.js')));
  }

  /** Ends every connection to the database from its own side. */
  async terminateBackends() {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await client.end();
  }

  /** Another process has the file for itself for a moment. */
  async lockFile(ms) {
    const file = new DatabaseSync(join(this.dataDir, 'countersign.db'), { timeout: 5_000 });
    file.exec('begin immediate');
    await pause(ms);
    file.exec('rollback');
    file.close();
  }

  lines(mark) {
    const path = join(this.workspace, 'out', mark);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Before the last orderly stop nobody expects an end any more. */
  get falls() {
    return this.seats.flatMap(({ falls }) => falls).map((words) => `fallen: ${words}`);
  }

  async stop() {
    for (const seat of this.seats) await seat.back();
    await Promise.all(this.seats.map((seat) => seat.leave('SIGTERM')));
  }

  async remove() {
    await Promise.all(this.seats.map((seat) => seat.leave('SIGKILL')));
    await this.line?.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** False: there was nobody to hit. */
export function kill(pid, signal = 'SIGKILL') {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended by itself
  }
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has ended
  }
}

/** The words of a process of this machine; empty when it has ended. */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  } catch {
    return [];
  }
}

/** Processes of the whole machine whose words satisfy a test. */
export function processesWhose(test) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => test(commandLine(name)))
    .map(Number);
}
