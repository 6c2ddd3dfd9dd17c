import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { FilePin } from '#contracts';
import { read } from '../../../../test/support/tree.js';
import { Bench, outsideFolder, processesWith, soon, uniqueSeconds } from './executor.contract.js';
import type { RunResult, SandboxChoice } from './protocol.js';

jest.setTimeout(60_000);

/** What the page promises: for each attempt, the word of each kind of sandbox. */
const PROMISED = new Map(
  read('docs/sandbox.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, attempt = '', bwrap = '', landlock = '', none = '']) => [attempt, { bwrap, landlock, none }] as const),
);

const tried = new Set<string>();

describe.each<SandboxChoice>(['auto', 'landlock', 'off'])('escapes, sandbox %s', (choice) => {
  let bench: Bench;
  let home: string;
  let elsewhere: string;
  beforeAll(async () => {
    bench = await Bench.open(choice);
    home = outsideFolder();
    elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  });
  afterAll(async () => {
    for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
    await bench.close();
  });

  /** One attempt. `succeeds` answers whether it worked, seen from outside, and with the result of the run where there was one. */
  function attempt(what: string, succeeds: () => Promise<{ readonly escaped: boolean; readonly result?: RunResult }>): void {
    tried.add(what);
    it(what, async () => {
      const { facts } = bench.report;
      const promised = PROMISED.get(what)?.[facts.kind === 'seatbelt' ? 'landlock' : facts.kind];
      const { escaped, result } = await succeeds();
      expect([promised, escaped]).toEqual([
        expect.stringMatching(/^(stopped|open|account)$/) as string,
        promised === 'account' ? escaped : promised === 'open',
      ]);
      if (!result) return;
      // The receipt takes these facts over as they are.
      expect(result.sandbox).toMatchObject({
        kind: facts.kind,
        enforcement: facts.enforcement,
        pidNamespace: facts.pidNamespace,
        seccomp: facts.seccomp,
      });
      expect(result.survivors).toEqual([]);
    });
  }

  const path = (name: string): string => join(bench.workspace, name);
  const script = (name: string, text: string): void => writeFileSync(path(name), text, { mode: 0o755 });
  const run = (code: string, change: Parameters<Bench['run']>[1] = {}): Promise<RunResult> => bench.run(bench.shell(code), change);
  const pinOf = (file: string): FilePin => {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return {
      path: file,
      dev,
      ino,
      size,
      mtimeMs,
      ctimeMs,
      sha256: createHash('sha256')
        .update(statSync(file).isFile() ? readFileSync(file) : '')
        .digest('hex'),
    };
  };
  const isStale = (result: RunResult): { escaped: boolean; result: RunResult } => {
    expect(result).toMatchObject({ refusal: 'PLAN_STALE', failure: expect.stringMatching(/planned/) as string });
    return { escaped: result.stdout !== '', result };
  };
  const canRead = async (folder: string, name: string): Promise<{ escaped: boolean; result: RunResult }> => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), 'the-hidden-words');
    const result = await run(`cat ${folder}/${name}; cp ${folder}/${name} copy; cat copy; rm -f copy`, { sandbox: { hidden: [folder] } });
    return { escaped: result.stdout.includes('the-hidden-words'), result };
  };
  /** A process outside that tells whether something was done to it. */
  const canary = async <T>(use: (pid: number, ended: () => boolean) => Promise<T>): Promise<T> => {
    const child = spawn('sleep', [uniqueSeconds()], { stdio: 'ignore' });
    try {
      return await use(child.pid ?? 0, () => child.exitCode !== null || child.signalCode !== null);
    } finally {
      child.kill('SIGKILL');
    }
  };

  attempt('to write outside the workspace', async () => {
    const targets = [join(home, 'written'), join(elsewhere, 'written')];
    const result = await run(targets.map((target) => `echo x > ${target}`).join('; '));
    return { escaped: targets.some((target) => existsSync(target)), result };
  });

  attempt('to read the data folder of the server', () => canRead(join(home, 'data'), 'countersign.db'));
  attempt('to read `~/.ssh`', () => canRead(join(home, '.ssh'), 'id_ed25519'));

  attempt('to reach the network', async () => {
    let calls = 0;
    const server = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const result = await bench.run(
      bench.script(`require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(7)).on('connect', () => process.exit(0))`),
    );
    server.close();
    expect(result.sandbox.network).toBe(calls === 0 ? 'none' : 'open');
    return { escaped: calls > 0, result };
  });

  attempt('to signal a process outside', () =>
    canary(async (pid, ended) => {
      const result = await run(`kill -TERM ${pid}; echo done`);
      return { escaped: await soon(ended, 500), result };
    }),
  );

  attempt('to end process 1', async () => {
    // Where nothing holds it back only the question is asked: the answer would be the end of this machine.
    const result = await run(bench.isContained ? 'kill -9 1; sleep 0.1; echo "still $(cat /proc/1/comm)"' : 'kill -0 1 && echo may');
    if (bench.isContained) expect(existsSync('/proc/1/stat')).toBe(true);
    return { escaped: result.stdout.includes('may'), result };
  });

  attempt('to mount a file system', async () => {
    const result = await run('mkdir -p mnt; mount -t tmpfs none mnt && umount mnt && echo mounted; rmdir mnt');
    return { escaped: result.stdout.includes('mounted'), result };
  });

  attempt('to trace a process outside', () =>
    canary(async (pid) => {
      const traced = (): boolean => /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      const attach = { x64: 101, arm64: 117 }[process.arch as string] ?? 101;
      const running = run(`perl -e 'syscall(${attach}, 16, ${pid}, 0, 0); select(undef, undef, undef, 0.5)'`);
      const escaped = await soon(traced, 450);
      return { escaped, result: await running };
    }),
  );

  attempt('to fork without end', async () => {
    const seconds = uniqueSeconds();
    const result = await run(`while :; do sleep ${seconds} & done`, { bounds: { processes: 100 } });
    expect(result).toMatchObject({ outcome: 'failed', limitHit: 'processes' });
    return { escaped: processesWith(seconds).length > 0, result };
  });

  attempt('a folder that was swapped for a link since the plan', async () => {
    mkdirSync(path('here'));
    const cwdPin = pinOf(path('here'));
    renameSync(path('here'), path('there'));
    symlinkSync(home, path('here'));
    const outcome = isStale(await run('ls', { cwd: path('here'), cwdPin }));
    rmSync(path('here'));
    return outcome;
  });

  attempt('a script that was replaced since the plan', async () => {
    script('task.sh', 'echo good');
    const scripts = [pinOf(path('task.sh'))];
    script('task.sh', 'echo evil');
    const { stages } = bench.spec([{ argv: ['sh', 'task.sh'] }]);
    return isStale(await bench.run([], { stages: stages.map((stage) => ({ ...stage, scripts })) }));
  });

  attempt('a program that was replaced since the plan', async () => {
    script('tool', '#!/bin/sh\necho good\n');
    const pin = pinOf(path('tool'));
    rmSync(path('tool'));
    script('tool', '#!/bin/sh\necho evil\n');
    const { stages } = bench.spec([{ argv: ['./tool'] }]);
    return isStale(await bench.run([], { stages: stages.map((stage) => ({ ...stage, executable: path('tool'), pin })) }));
  });

  attempt('to link a file from outside into the workspace and write through it', async () => {
    const target = join(elsewhere, 'precious');
    writeFileSync(target, 'precious\n');
    const result = await run(`ln ${target} linked && echo spoilt >> linked`);
    rmSync(path('linked'), { force: true });
    return { escaped: readFileSync(target, 'utf8').includes('spoilt'), result };
  });

  attempt('to write through a hard link that was in the workspace before', async () => {
    const target = join(elsewhere, 'shared');
    writeFileSync(target, 'shared\n');
    linkSync(target, path('was-there'));
    const result = await run('echo spoilt >> was-there');
    rmSync(path('was-there'));
    return { escaped: readFileSync(target, 'utf8').includes('spoilt'), result };
  });

  attempt('to read through `/proc/*/root`', async () => {
    const hidden = join(home, 'rooted');
    mkdirSync(hidden);
    writeFileSync(join(hidden, 'key'), 'the-hidden-words');
    const ways = ['root', 'cwd/root', 'task/*/root'].map((way) => `cat /proc/*/${way}${hidden}/key`).join('; ');
    const result = await run(`(${ways}) 2>/dev/null; true`, { sandbox: { hidden: [hidden] } });
    return { escaped: result.stdout.includes('the-hidden-words'), result };
  });

  attempt('to use a file handle that was left open', async () => {
    const code = `
      const fs = require('fs');
      const open = fs.readdirSync('/proc/self/fd').map(Number).filter((fd) => fd > 2)
        .flatMap((fd) => { try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; } })
        .filter((target) => target.startsWith('/') && !target.startsWith('/dev/') && !target.startsWith('/proc/'));
      console.log(JSON.stringify(open));`;
    const result = await bench.run(bench.script(code));
    return { escaped: result.stdout !== '[]\n', result };
  });

  attempt('to leave a process behind, by own session and double fork', async () => {
    const seconds = uniqueSeconds();
    const result = await run(
      `(setsid sh -c 'sleep ${seconds} & sleep ${seconds}' &); (sh -c 'setsid sleep ${seconds} &' &); sleep 0.3; echo done`,
    );
    return { escaped: !(await soon(() => processesWith(seconds).length === 0, 500)), result };
  });

  attempt('to leave a process behind that has shed session, parent and environment at once', async () => {
    const seconds = uniqueSeconds();
    const result = await run(`(setsid env -i sleep ${seconds} >/dev/null 2>&1 &); sleep 0.3; echo done`);
    const left = processesWith(seconds);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    return { escaped: left.length > 0, result };
  });
});

it('every line of the page has been tried', () => {
  expect([...PROMISED.keys()].sort()).toEqual([...tried].sort());
});
