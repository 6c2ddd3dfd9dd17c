import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FilePin } from '#contracts';
import { Bench, processesWith, soon, uniqueSeconds } from './executor.contract.js';

jest.setTimeout(90_000);

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

describe('pipelines', () => {
  it('joins stages with real pipes', async () => {
    const result = await bench.run([{ argv: ['seq', '100000'] }, { argv: ['grep', '7'] }, { argv: ['wc', '-l'] }]);
    expect(result).toMatchObject({ outcome: 'succeeded', exitCode: 0, stdout: expect.stringMatching(/^\s*40951\n$/) as string });
    expect(result.stages.map(({ ran, exitCode }) => [ran, exitCode])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
  });

  it('sends what a stage says on stderr into the pipe where the command asks for it, and only there', async () => {
    const merged = await bench.run([{ argv: ['ls', '/not-there'], stderrToStdout: true }, { argv: ['wc', '-l'] }]);
    expect(merged).toMatchObject({ stdout: expect.stringMatching(/^\s*1\n$/) as string, stderr: '' });
    const apart = await bench.run([{ argv: ['ls', '/not-there'] }, { argv: ['wc', '-l'] }]);
    expect(apart).toMatchObject({
      stdout: expect.stringMatching(/^\s*0\n$/) as string,
      stderr: expect.stringContaining('not-there') as string,
    });
  });

  it('ends a writer whose reader has gone', async () => {
    const result = await bench.run([{ argv: ['yes'] }, { argv: ['head', '-n', '2'] }]);
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: 'y\ny\n', exitCode: 0, survivors: [] });
    expect(result.stages[0]).toMatchObject({ exitCode: null, signal: 13 });
  });

  it('goes on, skips and stops as and, or and then say', async () => {
    const result = await bench.run([
      { argv: ['false'] },
      { argv: ['echo', 'or'], join: 'or' },
      { argv: ['echo', 'and'], join: 'and' },
      { argv: ['echo', 'never'], join: 'or' },
      { argv: ['false'], join: 'then' },
      { argv: ['echo', 'never'], join: 'and' },
    ]);
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 1, stdout: 'or\nand\n' });
    expect(result.stages.map(({ ran }) => ran)).toEqual([true, true, true, false, true, false]);
  });

  it('opens /dev/stdout and /dev/stderr for programs that want them', async () => {
    const result = await bench.run(bench.shell('echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/null'));
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 0 });
  });

  it('reads from and writes to files of the workspace', async () => {
    const path = (name: string): string => join(bench.workspace, name);
    writeFileSync(path('in'), 'b\na\n');
    const result = await bench.run([
      {
        argv: ['sort'],
        redirects: [
          { stream: 'stdin', path: path('in'), append: false },
          { stream: 'stdout', path: path('out'), append: false },
        ],
      },
      { argv: ['ls', 'nowhere'], join: 'then', redirects: [{ stream: 'stderr', path: path('out'), append: true }] },
    ]);
    expect(result).toMatchObject({ stdout: '', stderr: '' });
    expect(readFileSync(path('out'), 'utf8')).toMatch(/^a\nb\n\S*ls: .*nowhere/);
  });
});

describe('what cannot be started', () => {
  it.each([
    ['a program that is not there', [{ argv: ['no-such-program'] }], /does not exist/],
    ['a text that a shell would be started for', [{ argv: ['./text'] }], /neither a program for this machine nor a script/],
    ['a NUL in an argument', [{ argv: ['echo', 'a\0b'] }], /NUL/],
    ['an argument longer than the system takes', [{ argv: ['echo', 'x'.repeat(3_000_000)] }], /longer than this system allows/],
    ['a second stage that is not there', [{ argv: ['yes'] }, { argv: ['no-such-program'] }], /does not exist/],
    [
      'a redirection out of the workspace',
      [{ argv: ['echo'], redirects: [{ stream: 'stdout', path: '/etc/motd', append: true }] as const }],
      /may not write/,
    ],
  ])('says so for %s', async (_what, steps, reason) => {
    writeFileSync(join(bench.workspace, 'text'), 'touch marker\n', { mode: 0o755 });
    const result = await bench.run(steps);
    expect(result).toMatchObject({ outcome: 'failed', failure: reason, survivors: [] });
    expect(existsSync(join(bench.workspace, 'marker'))).toBe(false);
  });

  it('says so for a working folder that has gone, and hides secrets in what it says', async () => {
    const secret = 'super-secret-folder-name';
    bench.executor.protect([secret]);
    const result = await bench.run([{ argv: ['true'] }], { cwd: `/nowhere/${secret}` });
    bench.executor.protect([]);
    expect(result).toMatchObject({ outcome: 'failed', failure: /working folder \/nowhere\/\[REDACTED.*does not exist/ });
  });

  it('refuses a folder that is not the planned one', async () => {
    const pin = { path: bench.workspace, dev: 1, ino: 1, size: 0, mtimeMs: 0, ctimeMs: 0 };
    expect(await bench.run([{ argv: ['true'] }], { cwdPin: pin })).toMatchObject({ outcome: 'failed', refusal: 'PLAN_STALE' });
    expect(await bench.run([{ argv: ['true'] }], { sandbox: { rootPin: pin } })).toMatchObject({
      outcome: 'failed',
      refusal: 'PLAN_STALE',
    });
  });
});

describe('scripts that were pinned', () => {
  const pinOf = (name: string): FilePin => {
    const path = join(bench.workspace, name);
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return { path, dev, ino, size, mtimeMs, ctimeMs, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  };
  const script = (name: string, text: string): void => writeFileSync(join(bench.workspace, name), text);
  const run = async (argvs: readonly (readonly string[])[], scripts: readonly FilePin[], writable: boolean) => {
    const {
      runId: _id,
      stages,
      ...spec
    } = bench.spec(
      argvs.map((argv) => ({ argv, join: 'then' as const })),
      { sandbox: { workspaceWritable: writable } },
    );
    return bench.run([], { ...spec, stages: stages.map((stage) => ({ ...stage, ...(stage.argv[0] === 'sh' ? { scripts } : {}) })) });
  };

  it('are compared by content at the moment of the spawn, whatever their times say', async () => {
    script('task.sh', 'echo good');
    const pin = pinOf('task.sh');
    const evil = (): void => {
      script('task.sh', 'echo evil');
      utimesSync(pin.path, new Date(pin.mtimeMs), new Date(pin.mtimeMs));
    };
    expect(await run([['sh', 'task.sh']], [pin], false)).toMatchObject({ outcome: 'succeeded', stdout: 'good\n' });
    evil();
    expect(await run([['sh', 'task.sh']], [pin], true)).toMatchObject({
      outcome: 'failed',
      refusal: 'PLAN_STALE',
      stdout: '',
      failure: /task\.sh has changed/,
    });
    rmSync(pin.path);
    expect(await run([['sh', 'task.sh']], [pin], true)).toMatchObject({ refusal: 'PLAN_STALE' });
    script('other.sh', 'echo good');
    symlinkSync('other.sh', pin.path);
    expect(await run([['sh', 'task.sh']], [pin], true)).toMatchObject({ refusal: 'PLAN_STALE' });
    rmSync(pin.path);
  });

  it('are compared before anything runs, also those of later stages', async () => {
    script('late.sh', 'echo good');
    const pin = pinOf('late.sh');
    script('late.sh', 'echo evil');
    expect(
      await run(
        [
          ['touch', 'ran-first'],
          ['sh', 'late.sh'],
        ],
        [pin],
        true,
      ),
    ).toMatchObject({ outcome: 'failed', refusal: 'PLAN_STALE' });
    expect(existsSync(join(bench.workspace, 'ran-first'))).toBe(false);
  });

  it('may be written by the run itself, and by nobody else while it runs', async () => {
    script('made.sh', 'echo old');
    script('source.sh', 'echo new');
    const pin = pinOf('made.sh');
    expect(
      await run(
        [
          ['cp', 'source.sh', 'made.sh'],
          ['sh', 'made.sh'],
        ],
        [pin],
        true,
      ),
    ).toMatchObject({ outcome: 'succeeded', stdout: 'new\n' });
    const again = pinOf('made.sh');
    const running = run(
      [
        ['sleep', '0.6'],
        ['sh', 'made.sh'],
      ],
      [again],
      false,
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    script('made.sh', 'echo evil');
    expect(await running).toMatchObject({ outcome: 'failed', refusal: 'PLAN_STALE', stdout: '' });
  });
});

describe('output', () => {
  it('shows a character that is split over writes, on both streams, and marks what is no text', async () => {
    const code = `
      const parts = [[0xe2], [0x89], [0xa4, 0x0a, 0x00, 0xff], [0xf0, 0x9f]];
      const next = () => { const part = parts.shift(); if (!part) return;
        for (const stream of [process.stdout, process.stderr]) stream.write(Buffer.from(part)); setTimeout(next, 100); };
      next();`;
    const result = await bench.run(bench.script(code));
    const raw = Buffer.from([0xe2, 0x89, 0xa4, 0x0a, 0x00, 0xff, 0xf0, 0x9f]);
    const fact = { bytes: 8, sha256: createHash('sha256').update(raw).digest('hex'), invalidUtf8: 2 };
    expect(result).toMatchObject({ stdout: '≤\n\0\uFFFD\uFFFD', stderr: '≤\n\0\uFFFD\uFFFD', stdoutFact: fact, stderrFact: fact });
  });

  it('hides secrets wherever they show: live, at the end, and in arguments', async () => {
    const secret = 'correct-horse-battery-staple-42';
    bench.executor.protect([secret]);
    const run = bench.start(
      bench.shell(`printf correct-horse-; sleep 0.2; printf 'battery-staple-42\\n'; echo ${secret} >&2; printf %s ${secret} | base64`),
    );
    const result = await run.ended;
    bench.executor.protect([]);
    expect(JSON.stringify([run.signals, result])).not.toContain(secret);
    expect(result.stdout).not.toContain(Buffer.from(secret).toString('base64').slice(0, 30));
    expect(result.stdout).toMatch(/^\[REDACTED:/);
    expect(result.stdoutFact.bytes).toBeGreaterThan(secret.length);
    expect(result.stdoutFact.redactions).toBe(2);
  });

  it('kills a flood at the hard cap, keeps head and tail, and stops showing at the cap', async () => {
    const run = bench.start([{ argv: ['yes'] }], { maxOutputBytes: 65_536 });
    const result = await run.ended;
    expect(result).toMatchObject({ outcome: 'failed', limitHit: 'output', signal: 9, truncated: true, survivors: [] });
    expect(result.stdout).toMatch(/^(y\n)+\n\[\.\.\. [\d,]+ bytes left out \.\.\.\]\n/);
    expect(result.stdoutFact.bytes).toBeGreaterThan(16 * 65_536);
    // The program writes on until the kill reaches it; how much depends on the machine, but it ends.
    expect(result.stdoutFact.bytes).toBeLessThan(32 * 65_536);
    expect(Buffer.byteLength(run.shown('stdout'))).toBe(65_536);
  });

  it('stays small through a line of one GiB, a flood of bytes that are no text, and several of them at once', async () => {
    const line = [{ argv: ['head', '-c', '1073741824', '/dev/zero'] }, { argv: ['tr', '\\0', 'x'] }];
    const noise = [{ argv: ['head', '-c', '1073741824', '/dev/urandom'] }];
    const results = await Promise.all([line, noise, line, noise].map((steps) => bench.run(steps)));
    for (const result of results) expect(result).toMatchObject({ outcome: 'failed', limitHit: 'output', truncated: true });
    for (const result of results) expect(Buffer.byteLength(result.stdout)).toBeLessThan(1_048_576 * 3 + 100);
    if (process.platform === 'linux') expect(peakMiB(bench.executor.pid ?? 0)).toBeLessThan(150);
  });

  it('makes a program wait while the server is busy, and loses nothing of what it writes', async () => {
    const cap = 8 * 1_048_576;
    const run = bench.start([{ argv: ['seq', '1', '1500000'] }], { maxOutputBytes: cap });
    await run.shows('1\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500); // the server does nothing else for a while
    const result = await run.ended;
    expect(result).toMatchObject({ outcome: 'succeeded', truncated: true });
    const expected = Array.from({ length: 1_500_000 }, (_, index) => `${String(index + 1)}\n`).join('');
    expect(run.shown('stdout') === expected.slice(0, cap)).toBe(true);
    expect(result.stdoutFact).toMatchObject({ bytes: expected.length, sha256: createHash('sha256').update(expected).digest('hex') });
  });

  it('ends a run whose grandchild keeps stdout open', async () => {
    const seconds = uniqueSeconds();
    const begun = Date.now();
    const result = await bench.run(bench.shell(`sleep ${seconds} & echo done`));
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: 'done\n', survivors: [] });
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe('ending early', () => {
  it('ends a program that ignores being asked, and says that it ran out of time', async () => {
    const seconds = uniqueSeconds();
    const result = await bench.run(bench.shell(`trap '' TERM; sleep ${seconds} & wait; sleep ${seconds}`), { timeoutMs: 300 });
    expect(result).toMatchObject({ outcome: 'timed_out', limitHit: 'time', exitCode: null, survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('gives a program time to tidy up', async () => {
    const run = bench.start(bench.shell(`trap 'sleep 0.3; echo tidy; exit 0' TERM; echo begun; sleep ${uniqueSeconds()} & wait`));
    await run.shows('begun');
    bench.executor.cancel(run.runId);
    expect(await run.ended).toMatchObject({ outcome: 'cancelled', stdout: 'begun\ntidy\n', exitCode: 0 });
  });

  it('ends what a leader that obeys leaves behind', async () => {
    const seconds = uniqueSeconds();
    const run = bench.start(bench.shell(`sh -c 'trap "" TERM; echo begun; sleep ${seconds}; sleep ${seconds}' & wait`));
    await run.shows('begun');
    bench.executor.cancel(run.runId);
    expect((await run.ended).outcome).toBe('cancelled');
    expect(processesWith(seconds)).toEqual([]);
  });

  it('starts no further stage after a cancel', async () => {
    const run = bench.start([{ argv: ['sh', '-c', `echo begun; sleep ${uniqueSeconds()}`] }, { argv: ['touch', 'marker'], join: 'then' }]);
    await run.shows('begun');
    bench.executor.cancel(run.runId);
    expect((await run.ended).stages.map(({ ran }) => ran)).toEqual([true, false]);
    expect(existsSync(join(bench.workspace, 'marker'))).toBe(false);
  });

  it('stops all that runs while paused, its clock too, and ends at a cancel', async () => {
    const run = bench.start(bench.shell('(while :; do echo child; sleep 0.02; done) & while :; do echo parent; sleep 0.02; done'), {
      timeoutMs: 3_000,
    });
    await run.shows('child');
    bench.executor.pause(run.runId);
    await soon(() => run.signals.some(({ type }) => type === 'moved'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = run.shown('stdout').length;
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(run.shown('stdout').length).toBe(before);
    bench.executor.resume(run.runId);
    expect(await soon(() => run.shown('stdout').length > before)).toBe(true);
    bench.executor.pause(run.runId);
    bench.executor.cancel(run.runId);
    expect(await run.ended).toMatchObject({ outcome: 'cancelled', survivors: [] });
  });

  it('starts the next stage only when the pause is over', async () => {
    const run = bench.start([{ argv: ['sh', '-c', 'echo begun; sleep 0.5'] }, { argv: ['echo', 'second'], join: 'then' }]);
    await run.shows('begun');
    bench.executor.pause(run.runId);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(run.shown('stdout')).toBe('begun\n');
    bench.executor.resume(run.runId);
    expect(await run.ended).toMatchObject({ outcome: 'succeeded', stdout: 'begun\nsecond\n' });
  });
});

describe('bounds', () => {
  const isLinux = process.platform === 'linux';

  it('ends a run that starts too many processes, with all of them', async () => {
    const seconds = uniqueSeconds();
    const many = bench.shell(`i=0; while [ $i -lt 60 ]; do sleep ${seconds} & i=$((i+1)); done; wait`);
    const result = await bench.run(many, { bounds: { processes: 30 }, timeoutMs: 5_000 });
    expect(result).toMatchObject(isLinux ? { outcome: 'failed', limitHit: 'processes' } : { outcome: 'timed_out' });
    expect(result.survivors).toEqual([]);
    expect(processesWith(seconds)).toEqual([]);
  });

  it('ends a run that takes too much memory or processor time, and tells what it used', async () => {
    const memory = bench.script('const kept = []; setInterval(() => kept.push(Buffer.alloc(4_000_000, 1)), 5)');
    const busy = bench.script('for (;;);');
    const bounds = { memoryBytes: 200_000_000, cpuMs: 500 };
    const [greedy, hot] = await Promise.all([
      bench.run(memory, { bounds: { memoryBytes: bounds.memoryBytes }, timeoutMs: 30_000 }),
      bench.run(busy, { bounds: { cpuMs: bounds.cpuMs }, timeoutMs: 30_000 }),
    ]);
    expect([greedy.limitHit, hot.limitHit]).toEqual(isLinux ? ['memory', 'cpu'] : ['time', 'time']);
    expect(greedy.maxRssBytes ?? bounds.memoryBytes).toBeGreaterThanOrEqual(bounds.memoryBytes);
    expect(hot.cpuMs ?? bounds.cpuMs).toBeGreaterThanOrEqual(bounds.cpuMs);
  });

  it('ends a run that writes a file that is too big, or says what is missing for that', async () => {
    const result = await bench.run([{ argv: ['dd', 'if=/dev/zero', 'of=big', 'bs=65536', 'count=100'] }], {
      bounds: { fileBytes: 1_000_000 },
    });
    if (existsSync('/usr/bin/prlimit')) {
      expect(result).toMatchObject({ outcome: 'failed', limitHit: 'file_size' });
      expect(readFileSync(join(bench.workspace, 'big')).length).toBe(1_000_000);
    } else expect(result).toMatchObject({ outcome: 'failed', failure: /prlimit/ });
  });
});

function peakMiB(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1_024;
}
