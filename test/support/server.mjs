// Starts the built product as its own process on a free loopback port with a throwaway data folder, and reads what it prints.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRODUCT_FLAGS } from '../../scripts/node.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cli = join(root, 'dist', 'server', 'apps', 'api', 'src', 'cli.js');

/** What the start prints, by label; see apps/api/src/banner.ts. */
const LABELS = { console: 'Console', link: 'Sign-in link', token: 'Agent token', mcp: 'MCP', workspace: 'Workspace', sandbox: 'Sandbox' };

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function temporaryFolder(prefix = 'countersign-') {
  return realpathSync(mkdtempSync(join(tmpdir(), prefix)));
}

/**
 * @param {{ dataDir?: string, port?: number, env?: Record<string, string>, nodeArgs?: string[] }} options
 * @returns {Promise<{ url: string, link: string | undefined, token: string | undefined, mcp: string, dataDir: string, port: number, pid: number,
 *   workspace: string, ended: Promise<number | null>, output: () => string, stop: (signal?: NodeJS.Signals) => Promise<number | null>, remove: () => Promise<void> }>}
 */
export async function startServer({ dataDir = join(temporaryFolder(), 'data'), port, env = {}, nodeArgs = [] } = {}) {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [...PRODUCT_FLAGS, ...nodeArgs, cli, 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: String(chosen), COUNTERSIGN_DATA: dataDir, ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
  const gone = ended.then((code) => {
    throw new Error(`The server ended with ${code} before it listened.\n${output}\n${errors}`);
  });
  gone.catch(() => undefined); // after listening, an end is the caller's business
  await Promise.race([
    gone,
    until(
      () => /^Ready\b/m.test(output),
      60_000,
      () => `${output}\n${errors}`,
    ),
  ]);
  const said = (label) => new RegExp(`^${label}:\\s+(\\S+)`, 'm').exec(output)?.[1];
  const token = said(LABELS.token);
  return {
    url: said(LABELS.console),
    link: said(LABELS.link),
    token: token?.startsWith('csn_') ? token : undefined,
    mcp: said(LABELS.mcp),
    workspace: said(LABELS.workspace),
    dataDir,
    port: chosen,
    pid: child.pid,
    ended,
    output: () => output + errors,
    /** Asks the server to end, and answers with its exit code (null after a kill). */
    stop: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
    /** Ends the server and deletes its data. */
    remove: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

async function until(isDone, limitMs, describe) {
  const deadline = Date.now() + limitMs;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(`The server did not listen within ${limitMs} ms.\n${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
