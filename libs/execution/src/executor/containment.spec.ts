import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Bench, outsideFolder, processesWith, soon, uniqueSeconds } from './executor.contract.js';
import type { SandboxChoice } from './protocol.js';

jest.setTimeout(60_000);

/** What each kind of sandbox is documented to stop. The run's own facts say which kind it was, so the expectation follows them. */
const STOPS = {
  bwrap: { writeOutside: true, readHidden: true, network: true, signal: true, protectedPaths: true, kernel: true },
  landlock: { writeOutside: true, readHidden: true, network: false, signal: false, protectedPaths: false, kernel: false },
  seatbelt: { writeOutside: true, readHidden: true, network: true, signal: true, protectedPaths: true, kernel: false },
  none: { writeOutside: false, readHidden: false, network: false, signal: false, protectedPaths: false, kernel: false },
} as const;

describe.each<SandboxChoice>(['auto', 'landlock', 'off'])('sandbox %s holds back what is documented of it', (choice) => {
  let bench: Bench;
  let outside: string;
  let stops: (typeof STOPS)[keyof typeof STOPS];
  beforeAll(async () => {
    bench = await Bench.open(choice);
    stops = STOPS[bench.report.facts.kind];
    outside = outsideFolder();
  });
  afterAll(async () => {
    rmSync(outside, { recursive: true, force: true });
    await bench.close();
  });

  it('says in facts what it does, and how there would be more', () => {
    const { facts, advice } = bench.report;
    const expected = { bwrap: ['full', 'partial'], landlock: ['partial'], seatbelt: ['partial'], none: ['none'] };
    expect(expected[facts.kind]).toContain(facts.enforcement);
    expect(facts).toMatchObject({ pidNamespace: facts.kind === 'bwrap', fileSystem: facts.kind === 'none' ? 'open' : 'workspace_write' });
    if (choice === 'off') expect(advice).toContain('SANDBOX=auto');
    if (facts.enforcement === 'full') expect(advice).toBeNull();
  });

  it('writing outside the workspace', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    const targets = [join(outside, 'file'), join(elsewhere, 'file')];
    const result = await bench.run(
      bench.script('for (const path of process.argv.slice(1)) try { require("fs").writeFileSync(path, "x") } catch {}', ...targets),
    );
    expect(result.exitCode).toBe(0);
    expect(targets.map((path) => existsSync(path))).toEqual(targets.map(() => !stops.writeOutside));
    rmSync(elsewhere, { recursive: true });
  });

  it('writing into a workspace that may only be read', async () => {
    const result = await bench.run(bench.shell('echo x > new'), { sandbox: { workspaceWritable: false } });
    expect(existsSync(join(bench.workspace, 'new'))).toBe(!stops.writeOutside);
    expect(result.sandbox.fileSystem).toBe(bench.report.facts.kind === 'none' ? 'open' : 'read_only');
    rmSync(join(bench.workspace, 'new'), { force: true });
  });

  it('reading hidden folders, also through a link', async () => {
    const hidden = join(outside, 'hidden');
    mkdirSync(hidden, { recursive: true });
    writeFileSync(join(hidden, 'key'), 'the-hidden-key');
    symlinkSync(hidden, join(bench.workspace, 'way'));
    const result = await bench.run(bench.shell(`cat ${hidden}/key; cat way/key; ls ${outside}`), { sandbox: { hidden: [hidden] } });
    expect(result.stdout.includes('the-hidden-key')).toBe(!stops.readHidden);
    rmSync(join(bench.workspace, 'way'));
  });

  it.each(['hidden', 'hidden/workspace'])(
    'reading what a link under a protected name leads to, with a workspace beside or inside it (%s)',
    async (at) => {
      const hidden = join(outside, 'hidden');
      const workspace = at === 'hidden' ? bench.workspace : join(outside, at);
      mkdirSync(join(outside, 'hidden', 'workspace'), { recursive: true });
      writeFileSync(join(hidden, 'key'), 'the-hidden-key');
      symlinkSync(hidden, join(workspace, '.fleet'));
      const sandbox = { workspaceRoot: workspace, hidden: [hidden] };
      const result = await bench.run(bench.shell(`cat ${hidden}/key .fleet/key`), { cwd: workspace, sandbox });
      expect(result.stdout.includes('the-hidden-key')).toBe(!stops.readHidden);
      expect(result.failure).toBeNull();
      rmSync(join(workspace, '.fleet'));
    },
  );

  it('reading beside a workspace that lies inside a hidden folder', async () => {
    const workspace = join(outside, 'data', 'workspace');
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(outside, 'data', 'database'), 'the-database');
    writeFileSync(join(workspace, 'mine'), 'my-own-file');
    const sandbox = { workspaceRoot: workspace, hidden: [join(outside, 'data')] };
    const result = await bench.run(bench.shell('cat mine; cat ../database; echo x > written'), { cwd: workspace, sandbox });
    expect(result.stdout).toContain('my-own-file');
    expect(result.stdout.includes('the-database')).toBe(!stops.readHidden);
    expect(existsSync(join(workspace, 'written'))).toBe(true);
  });

  it('reaching the network', async () => {
    const { server, port, calls } = await listener();
    const code = `const socket = require('net').connect(${String(port)}, '127.0.0.1'); socket.on('error', () => process.exit(7)); socket.on('connect', () => socket.end());`;
    const result = await bench.run(bench.script(code));
    server.close();
    expect(calls()).toBe(stops.network ? 0 : 1);
    expect(result.exitCode).toBe(stops.network ? 7 : 0);
    expect(result.sandbox.network).toBe(stops.network ? 'none' : 'open');
  });

  it('reaching past the proxy when a host was granted, or says that nothing holds the run to it', async () => {
    const { server, port, calls } = await listener();
    const result = await bench.run(bench.script(`require('net').connect(${String(port)}, '127.0.0.1').on('error', () => undefined)`), {
      sandbox: { network: ['granted.example'] },
    });
    server.close();
    const isHeld = bench.report.facts.kind === 'bwrap';
    expect(calls()).toBe(isHeld ? 0 : 1);
    expect(result.sandbox.network).toBe(isHeld ? 'hosts' : 'open');
  });

  it('signals to processes outside', async () => {
    const canary = spawn('sleep', [uniqueSeconds()], { stdio: 'ignore' });
    const isAll = bench.isContained; // where nothing holds it back, "all" would be all of this machine
    const result = await bench.run(
      bench.shell(`kill -9 ${String(canary.pid)}; ${isAll ? 'kill -9 1; kill -9 -1; kill -9 $PPID;' : ''} echo done`),
    );
    expect(await ends(canary)).toBe(!stops.signal);
    expect(result.stdout).toBe('done\n');
    canary.kill();
  });

  it('processes that outlive the run, by own sessions, double forks, an empty environment', async () => {
    const seconds = uniqueSeconds();
    const sleep = `sleep ${seconds}`;
    const ways = [
      `${sleep} &`,
      `setsid ${sleep} &`,
      `(setsid sh -c '${sleep} & ${sleep}' &) ;`,
      `nohup ${sleep} >/dev/null 2>&1 &`,
      `env -i ${sleep} &`,
    ];
    const result = await bench.run(bench.shell(`${ways.join(' ')} sleep 0.3; echo done`));
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: 'done\n', survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('processes that outlive a cancel', async () => {
    const seconds = uniqueSeconds();
    const run = bench.start(
      bench.shell(
        `trap '' TERM; setsid sleep ${seconds} & (setsid sh -c "trap '' TERM; sleep ${seconds}; sleep ${seconds}" &) ; echo begun; sleep ${seconds}`,
      ),
    );
    await run.shows('begun');
    expect(await soon(() => processesWith(seconds).length >= 3)).toBe(true);
    bench.executor.cancel(run.runId);
    expect(await run.ended).toMatchObject({ outcome: 'cancelled', survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('writing protected paths, whether they are there or not, and leaves no trace of the guard', async () => {
    mkdirSync(join(bench.workspace, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(bench.workspace, '.git', 'config'), '[core]\n');
    const tries = ['.git/config', '.git/hooks/post-checkout', '.npmrc', '.husky/pre-commit', '.vscode/tasks.json', '.mcp.json'];
    const code = tries.map((path) => `mkdir -p $(dirname ${path}); echo evil > ${path}`).join('; ');
    const result = await bench.run(bench.shell(`(${code}) 2>/dev/null; rm -rf .git; mv .git .old; echo fine > ordinary; echo done`));
    expect(result.stdout).toBe('done\n');
    const evil = tries.filter((path) => read(join(bench.workspace, path)) === 'evil\n');
    if (stops.protectedPaths) {
      expect(evil).toEqual([]);
      expect(readdirSync(bench.workspace).sort()).toEqual(['.git', 'ordinary']);
      expect(read(join(bench.workspace, '.git', 'config'))).toBe('[core]\n');
    } else expect(existsSync(join(bench.workspace, 'ordinary'))).toBe(true);
    for (const name of readdirSync(bench.workspace)) rmSync(join(bench.workspace, name), { recursive: true });
  });

  it('the environment and the files of the executor and its server', async () => {
    const code = `
      const fs = require('fs');
      const found = [];
      for (const pid of process.argv.slice(1)) try { fs.readFileSync('/proc/' + pid + '/environ'); found.push(pid); } catch {}
      for (const folder of ['/tmp', '/dev/shm']) try { found.push(...fs.readdirSync(folder).filter((name) => name.startsWith('countersign-run-'))); } catch {}
      console.log(JSON.stringify(found));`;
    const { stdout } = await bench.run(bench.script(code, String(bench.executor.pid), String(process.pid)));
    if (stops.readHidden) expect(JSON.parse(stdout)).toEqual([]);
    else expect(JSON.parse(stdout)).toBeInstanceOf(Array);
  });

  it('steering the kernel', async () => {
    const code = `
      const fs = require('fs');
      const isTried = process.argv[1] === 'true';
      const status = fs.readFileSync('/proc/self/status', 'utf8');
      const line = (name) => new RegExp('^' + name + ':\\\\s+(\\\\S+)$', 'm').exec(status)?.[1];
      const opens = (path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return true; } catch { return false; } };
      const works = (program, ...args) => require('child_process').spawnSync(program, args).status === 0;
      console.log(JSON.stringify({
        seccomp: line('Seccomp'), capabilities: line('CapEff'), privileges: line('NoNewPrivs'),
        corePattern: opens('/proc/sys/kernel/core_pattern'), sysrq: opens('/proc/sysrq-trigger'),
        namespace: isTried && works('unshare', '--user', 'true'), mount: isTried && works('mount', '-t', 'tmpfs', 'none', process.env.HOME),
        handles: fs.readdirSync('/proc/self/fd').map(Number).filter((fd) => { try { return fs.fstatSync(fd).isDirectory(); } catch { return false; } }),
      }));`;
    const { stdout } = await bench.run(bench.script(code, String(stops.kernel))); // what is not held back would happen
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    expect(seen['handles']).toEqual([]);
    if (!stops.kernel) return;
    expect(seen).toMatchObject({
      capabilities: '0000000000000000',
      privileges: '1',
      corePattern: false,
      sysrq: false,
      namespace: false,
      mount: false,
    });
    expect(seen['seccomp']).toBe(bench.report.facts.seccomp ? '2' : '0');
  });
});

describe('git', () => {
  it('writes its folder when that was granted, but not its hooks, configuration and excludes', async () => {
    const bench = await Bench.open();
    const git = (...argv: string[]) => ({ argv: ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...argv] });
    const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const init = await bench.run([{ argv: ['git', 'init', '-q', '.'] }], { env, sandbox: { gitWritable: true } });
    expect(init).toMatchObject({ outcome: 'succeeded' });
    writeFileSync(join(bench.workspace, 'file'), 'content\n');
    writeFileSync(join(bench.workspace, '.npmrc'), 'mine=1\n');
    const steps = [
      git('add', '-A'),
      { ...git('commit', '-q', '-m', 'first'), join: 'and' as const },
      { ...git('ls-files'), join: 'and' as const },
    ];
    expect(await bench.run(steps, { env, sandbox: { gitWritable: true } })).toMatchObject({
      outcome: 'succeeded',
      stdout: '.npmrc\nfile\n',
    });
    if (bench.isContained) {
      const config = await bench.run([git('config', 'core.fsmonitor', 'touch evil')], { env, sandbox: { gitWritable: true } });
      expect(config.outcome).toBe('failed');
      const denied = await bench.run([git('commit', '-q', '--allow-empty', '-m', 'second')], { env });
      expect(denied.outcome).toBe('failed');
      const hook = await bench.run(bench.shell('echo evil > .git/hooks/post-checkout'), { env, sandbox: { gitWritable: true } });
      expect(hook.outcome).toBe('failed');
    }
    expect(read(join(bench.workspace, '.git', 'config'))).not.toContain('fsmonitor');
    await bench.close();
  });
});

describe('SANDBOX=required', () => {
  it.each<SandboxChoice>(['auto', 'landlock', 'off'])('runs in full containment or not at all, sandbox %s', async (choice) => {
    const bench = await Bench.open(choice);
    const result = await bench.run([{ argv: ['echo', 'ran'] }], { sandboxRequired: true });
    const isFull = bench.report.facts.enforcement === 'full';
    expect(result).toMatchObject(
      isFull
        ? { outcome: 'succeeded', stdout: 'ran\n' }
        : { outcome: 'failed', stdout: '', refusal: 'SANDBOX_UNAVAILABLE', failure: /full containment/ },
    );
    await bench.close();
  });
});

async function listener(): Promise<{ readonly server: Server; readonly port: number; readonly calls: () => number }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0, calls: () => calls };
}

function ends(child: ChildProcess): Promise<boolean> {
  return soon(() => child.exitCode !== null || child.signalCode !== null, 500);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // not there
  }
}
