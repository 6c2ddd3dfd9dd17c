import { fork } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { percentile } from './measure.mjs';

const ENTRY = fileURLToPath(new URL('../../dist/server/libs/execution/src/executor/main.js', import.meta.url));
const ROUNDS = 120;
const WARM = 10;

/** The executor alone, spoken to as the server does. */
class Executor {
  #waiting = new Map();

  constructor(choice) {
    this.child = fork(ENTRY, [choice], {
      serialization: 'advanced',
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ready = new Promise((resolve) => {
      this.child.on('message', (message) => {
        if (message.type === 'ready') resolve(message.report.facts);
        if (message.type === 'ended') this.#waiting.get(message.runId)?.(message.result);
      });
    });
  }

  async run(spec) {
    const begun = performance.now();
    const result = await new Promise((resolve) => {
      this.#waiting.set(spec.runId, resolve);
      this.child.send({ type: 'start', spec });
    });
    this.#waiting.delete(spec.runId);
    if (result.outcome !== 'succeeded') throw new Error(`true did not succeed: ${String(result.failure)}`);
    return performance.now() - begun;
  }

  close() {
    this.child.disconnect();
  }
}

/** What the sandbox adds to a `true`: with and without it by turns, so that a slow moment hits both. */
export async function measureSandbox() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-sandbox-')));
  const [on, off] = [new Executor('auto'), new Executor('off')];
  const facts = await on.ready;
  await off.ready;
  const spec = (runId) => ({
    runId,
    stages: [{ join: 'first', redirects: [], executable: realpathSync('/bin/true'), argv: ['true'] }],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 10_000,
    maxOutputBytes: 65_536,
    sandbox: { workspaceRoot: folder, workspaceWritable: false, gitWritable: false, network: 'none', hidden: [], analysed: true },
    sandboxRequired: false,
  });
  const times = { on: [], off: [] };
  for (let round = 0; round < ROUNDS + WARM; round += 1) {
    const pair = { on: await on.run(spec(`on-${String(round)}`)), off: await off.run(spec(`off-${String(round)}`)) };
    if (round < WARM) continue;
    times.on.push(pair.on);
    times.off.push(pair.off);
  }
  on.close();
  off.close();
  rmSync(folder, { recursive: true });
  const [p50On, p50Off] = [percentile(times.on, 0.5), percentile(times.off, 0.5)];
  return { kind: facts.kind, p50On, p50Off, added: p50On - p50Off };
}
