import { jest } from '@jest/globals';
import { Bench, processesWith, soon, uniqueSeconds } from '../executor.contract.js';

jest.setTimeout(15_000);

describe('a run in a terminal', () => {
  let bench: Bench;
  beforeAll(async () => (bench = await Bench.open()));
  afterAll(() => bench.close());

  const terminal = { cols: 100, rows: 30 };
  const has = () => bench.report.terminal === true;
  const bash = () =>
    bench.start([{ argv: ['bash', '--norc', '-i'] }], { terminal, env: { PATH: '/usr/bin:/bin', TERM: 'xterm', PS1: '> ' } });

  it('has the size it was given, and a new one when the window changes', async () => {
    if (!has()) return;
    const run = bash();
    bench.executor.input(run.runId, 'stty size\n');
    await run.shows('30 100');
    bench.executor.resize(run.runId, { cols: 77, rows: 22 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    bench.executor.input(run.runId, 'stty size; exit 3\n');
    expect(await run.ended).toMatchObject({ outcome: 'failed', exitCode: 3, stderr: '', survivors: [], stdout: /22 77/ });
  });

  it('hears Ctrl-C, has a terminal of its own and no other, and is contained as ever', async () => {
    if (!has()) return;
    const seconds = uniqueSeconds();
    const run = bash();
    bench.executor.input(run.runId, `sleep ${seconds}\n`);
    expect(await soon(() => processesWith(seconds).length > 0)).toBe(true);
    bench.executor.input(run.runId, '\u0003');
    await run.shows('^C'); // what was typed before it is forgotten
    await new Promise((resolve) => setTimeout(resolve, 300));
    bench.executor.input(
      run.runId,
      'tty; test -t 0 && test -t 1 && test -t 2 && echo all""three; ls -l /proc/self/fd /proc/$$/fd | grep -c ptmx; touch /etc/x; exit\n',
    );
    const { stdout, sandbox } = await run.ended;
    expect(stdout).toContain('allthree');
    expect(stdout).toMatch(/\n0\r?\n/);
    expect(stdout).toContain('Read-only file system');
    expect(stdout).not.toContain('no job control');
    expect(sandbox).toMatchObject({ enforcement: bench.report.facts.enforcement });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('waits for what is typed, and ends by a cancel with all that it started', async () => {
    if (!has()) return;
    const seconds = uniqueSeconds();
    const run = bash();
    bench.executor.input(run.runId, `trap '' TERM HUP; setsid sleep ${seconds} & sleep ${seconds} & echo be""gun\n`);
    await run.shows('begun');
    bench.executor.cancel(run.runId);
    expect(await run.ended).toMatchObject({ outcome: 'cancelled', survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('shows what a program asks, and gives it the answer', async () => {
    if (!has()) return;
    const run = bench.start(bench.shell('printf "Name? "; read name; echo "Hello $name"'), { terminal });
    await run.shows('Name? ');
    bench.executor.input(run.runId, 'Ada\n');
    expect(await run.ended).toMatchObject({ outcome: 'succeeded', stdout: 'Name? Ada\r\nHello Ada\r\n' });
  });

  it('takes what is pasted for one line, with separators of another kind in it', async () => {
    if (!has()) return;
    const run = bench.start(bench.shell('read line; printf "got %s" "$line"'), { terminal });
    bench.executor.input(run.runId, 'one\u2028two\u2029three\n');
    expect(await run.ended).toMatchObject({
      outcome: 'succeeded',
      stdout: expect.stringContaining('got one\u2028two\u2029three') as unknown,
    });
  });

  it('keeps head and tail of much output, and is killed past the hard cap', async () => {
    if (!has()) return;
    const result = await bench.run([{ argv: ['yes'] }], { terminal, maxOutputBytes: 10_000 });
    expect(result).toMatchObject({ outcome: 'failed', limitHit: 'output', truncated: true, survivors: [] });
  });
});

it.each(['landlock', 'off'] as const)('says why there is no terminal, sandbox %s', async (choice) => {
  const bench = await Bench.open(choice);
  expect(bench.report.terminal).toBe(false);
  const result = await bench.run([{ argv: ['true'] }], { terminal: { cols: 80, rows: 24 } });
  expect(result).toMatchObject({ outcome: 'failed', failure: /needs bubblewrap/ });
  await bench.close();
});
