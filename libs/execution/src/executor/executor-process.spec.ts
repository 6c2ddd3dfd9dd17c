import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { RunId } from '#contracts';
import { executorContract } from '../../../../test/support/executor-contract.js';
import { Bench, processesWith, soon, uniqueSeconds } from './executor.contract.js';
import { ExecutorOptions, ExecutorProcess } from './executor-process.js';
import type { SandboxChoice } from './protocol.js';

jest.setTimeout(60_000);

describe.each<SandboxChoice>(['auto', 'landlock', 'off'])('ExecutorProcess, sandbox %s', (choice) => {
  let bench: Bench;
  executorContract(
    async () => {
      bench = await Bench.open(choice);
      return {
        executor: bench.executor,
        quick: (runId: RunId) => bench.spec([{ argv: ['echo', 'hello'] }], { runId }),
        slow: (runId: RunId) => bench.spec([{ argv: ['sleep', uniqueSeconds()] }], { runId }),
      };
    },
    () => bench.close(),
  );
});

describe('the life of the executor', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  it('ends the runs of an executor that dies as interrupted, with what was shown, leaves nothing of them, and is soon back', async () => {
    const seconds = uniqueSeconds();
    const run = bench.start(bench.shell(`echo begun; sleep ${seconds} & sleep ${seconds}`));
    await run.shows('begun');
    process.kill(bench.executor.pid ?? 0, 'SIGKILL');
    expect(await run.ended).toMatchObject({ outcome: 'interrupted', stdout: 'begun\n', exitCode: null, truncated: true, failure: /died/ });
    expect(run.signals.filter(({ type }) => type === 'ended')).toHaveLength(1);
    expect(await soon(() => processesWith(seconds).length === 0)).toBe(true);
    expect(await bench.run([{ argv: ['echo', 'again'] }])).toMatchObject({ outcome: 'succeeded', stdout: 'again\n' });
  });

  it('leaves nothing of an executor that dies, also where nothing but a mark holds its processes together', async () => {
    const bare = await Bench.open('off');
    try {
      const seconds = uniqueSeconds();
      const run = bare.start(bare.shell(`setsid sleep ${seconds} & (setsid sh -c 'sleep ${seconds}; :' &) ; echo begun; sleep ${seconds}`));
      await run.shows('begun');
      expect(await soon(() => processesWith(seconds).length >= 3)).toBe(true);
      process.kill(bare.executor.pid ?? 0, 'SIGKILL');
      expect(await run.ended).toMatchObject({ outcome: 'interrupted', survivors: [] });
      expect(await soon(() => processesWith(seconds).length === 0, 250)).toBe(true); // before another executor could have come
    } finally {
      await bare.close();
    }
  });

  it('takes everything along when it is stopped, and takes nothing new', async () => {
    const seconds = uniqueSeconds();
    const run = bench.start(bench.shell(`echo begun; sleep ${seconds}`));
    await run.shows('begun');
    await bench.executor.stop();
    expect((await run.ended).outcome).toBe('interrupted');
    expect(processesWith(seconds)).toEqual([]);
    expect(() => bench.start([{ argv: ['true'] }])).toThrow(expect.objectContaining({ code: 'EXECUTOR_UNAVAILABLE' }) as Error);
    await expect(bench.executor.report()).rejects.toMatchObject({ code: 'EXECUTOR_UNAVAILABLE' });
  });

  it('removes its private folders when it ends, also those that a program has closed', async () => {
    const mine = (): readonly string[] =>
      [tmpdir(), '/dev/shm']
        .flatMap((folder) => readdirSync(folder))
        .filter((name) => name.startsWith(`countersign-run-${String(bench.executor.pid)}-`));
    const { stdout } = await bench.run(
      bench.shell('mkdir -p "$HOME/a/b" && touch "$HOME/a/b/c" && chmod 500 "$HOME/a/b" && chmod 000 "$HOME/a" && echo done'),
    );
    expect(stdout).toBe('done\n');
    expect(mine()).not.toEqual([]);
    const names = mine();
    await bench.executor.stop();
    expect([tmpdir(), '/dev/shm'].flatMap((folder) => readdirSync(folder)).filter((name) => names.includes(name))).toEqual([]);
  });

  it('says why when it cannot start, at once and not after a wait', async () => {
    const broken = new ExecutorProcess(new ExecutorOptions('auto', '/nowhere/main.js'));
    await expect(broken.report()).rejects.toMatchObject({
      code: 'EXECUTOR_UNAVAILABLE',
      message: expect.stringContaining('/nowhere/main.js') as string,
    });
    expect(() => broken.start(bench.spec([{ argv: ['true'] }]), () => undefined)).toThrow(
      expect.objectContaining({ code: 'EXECUTOR_UNAVAILABLE' }) as Error,
    );
    await broken.stop();
  });

  it('ends a run that waited for an executor that never came', async () => {
    const broken = new ExecutorProcess(new ExecutorOptions('auto', '/nowhere/main.js'));
    const result = await new Promise((resolve) => broken.start(bench.spec([{ argv: ['true'] }]), (signal) => resolve(signal)));
    expect(result).toMatchObject({ type: 'ended', result: { outcome: 'interrupted', failure: /nothing ran/ } });
    await broken.stop();
  });

  it('has an environment of its own that holds nothing of the server', async () => {
    const { stdout } = await bench.run([{ argv: ['env'] }], { env: { PATH: '/usr/bin:/bin', GREETING: 'hello' } });
    const names = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(0, line.indexOf('=')));
    expect(names.filter((name) => !['PWD', 'COUNTERSIGN_RUN', '_', 'SHLVL'].includes(name)).sort()).toEqual([
      'GREETING',
      'HOME',
      'PATH',
      'TMPDIR',
    ]);
  });
});

/** A server in small: starts the compiled executor, gives it a run, and is then killed without a word. */
const PARENT = `
  const { fork } = await import('node:child_process');
  const [entry, choice, spec] = process.argv.slice(1);
  const child = fork(entry, [choice], { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', (message) => {
    if (message.type === 'ready') child.send({ type: 'start', spec: JSON.parse(spec) });
    if (message.type === 'output') console.log(child.pid);
  });
`;

let other: Bench | undefined;
afterEach(() => other?.close());

it.each<SandboxChoice>(['auto', 'landlock', 'off'])('leaves nothing behind when the server is killed, sandbox %s', async (choice) => {
  const bench = (other = await Bench.open(choice));
  const seconds = uniqueSeconds();
  const spec = bench.spec(bench.shell(`(setsid sleep ${seconds} &) ; trap '' TERM; echo begun; sleep ${seconds}`));
  const args = ['--input-type=module', '-e', PARENT, new ExecutorOptions(choice).entry, choice, JSON.stringify(spec)];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  expect(processesWith(`sleep ${seconds}`).length).toBeGreaterThan(0);
  parent.kill('SIGKILL');
  expect(await soon(() => processesWith(`sleep ${seconds}`).length === 0)).toBe(true);
  expect(await soon(() => !readdirSync('/proc').includes(String(Number(pid))))).toBe(true);
  expect(await soon(() => readdirSync(bench.workspace).length === 0)).toBe(true);
});
