import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Bench, outsideFolder } from './executor.contract.js';

jest.setTimeout(60_000);

/** System calls by number, made by a real program. Numbers are those of x64. */
const CALLS: readonly (readonly [name: string, words: string, errno: number])[] = [
  ['ptrace', '101, 0, 0, 0, 0', 1],
  ['process_vm_readv', '310, 1, 0, 0, 0, 0, 0', 1],
  ['process_vm_writev', '311, 1, 0, 0, 0, 0, 0', 1],
  ['pidfd_getfd', '438, 0, 0, 0', 1],
  ['keyctl', '250, 0, 0, 0, 0, 0', 1],
  ['add_key', '248, $s, $s, $s, 1, -3', 1],
  ['request_key', '249, $s, $s, 0, 0', 1],
  ['bpf', '321, 0, 0, 0', 1],
  ['perf_event_open', '298, 0, 0, -1, -1, 0', 1],
  ['userfaultfd', '323, 0', 1],
  ['io_uring_setup', '425, 1, 0', 38],
  ['io_uring_enter', '426, 0, 0, 0, 0, 0', 38],
  ['io_uring_register', '427, 0, 0, 0, 0', 38],
  ['clone3', '435, 0, 0', 38],
  ['a user namespace in the user namespace, by clone', '56, 0x10000011, 0, 0, 0, 0', 1],
  ['a user namespace in the user namespace, by unshare', '272, 0x10000000', 1],
  ['another network', '272, 0x40000000', 1],
  ['setns', '308, 0, 0', 1],
  ['mount', '165, $s, $s, $s, 0, 0', 1],
  ['umount2', '166, $s, 2', 1],
  ['pivot_root', '155, $s, $s', 1],
  ['chroot', '161, $s', 1],
  ['open_tree', '428, -100, $s, 1', 1],
  ['move_mount', '429, -100, $s, -100, $s, 0', 1],
  ['fsopen', '430, $s, 0', 1],
  ['fsconfig', '431, 0, 0, 0, 0, 0', 1],
  ['fsmount', '432, 0, 0, 0', 1],
  ['fspick', '433, -100, $s, 0', 1],
  ['mount_setattr', '442, -100, $s, 0, 0, 0', 1],
  ['open_tree_attr', '467, -100, $s, 0, 0, 0', 1],
  ['open_by_handle_at', '304, -100, 0, 0', 1],
  ['personality', '135, 0x0400000', 1],
  ['kexec_load', '246, 0, 0, 0, 0', 1],
  ['kexec_file_load', '320, 0, 0, 0, 0, 0', 1],
  ['init_module', '175, 0, 0, 0', 1],
  ['finit_module', '313, 0, 0, 0', 1],
  ['delete_module', '176, $s, 0', 1],
  ['reboot', '169, 0, 0, 0, 0', 1],
  ['syslog', '103, 3, 0, 0', 1],
  ['iopl', '172, 3', 1],
  ['modify_ldt', '154, 0, 0, 0', 1],
  ['settimeofday', '164, 0, 0', 1],
  ['sethostname', '170, $s, 1', 1],
  ['TIOCSTI', '16, 0, 0x5412, $s', 1],
  ['TIOCSTI with a high half that the kernel ignores', '16, 0, 0x100005412, $s', 1],
  ['a raw packet socket', '41, 17, 3, 0', 97],
  ['a socket of the hypervisor', '41, 40, 1, 0', 97],
  ['a socket of the ciphers of the kernel', '41, 38, 5, 0', 97],
  ['a socket of the packet filter', '41, 16, 3, 12', 97],
  ['a call in the second numbering', '0x40000000 + 39', 38],
];

const hasPerl = existsSync('/usr/bin/perl') && process.arch === 'x64' && process.platform === 'linux';

describe('the surface of the kernel', () => {
  let bench: Bench;
  beforeAll(async () => (bench = await Bench.open()));
  afterAll(() => bench.close());

  it('answers each of these calls with no, made by a real program', async () => {
    if (!hasPerl || !bench.report.facts.seccomp) return;
    // a call that succeeds answers 0 here, and a child that was made by accident ends at once
    const code = CALLS.map(
      ([, words]) => `{ $! = 0; my $r = syscall(${words}); exit 0 if $r == 0 && $$ != $me; push @e, $r == -1 ? $!+0 : 0; }`,
    ).join('\n');
    const { stdout } = await bench.run([{ argv: ['perl', '-e', `my $me = $$; my $s = 'x'; my @e; ${code} print join(',', @e);`] }]);
    const answers = stdout.split(',').map(Number);
    expect(CALLS.map(([name], index) => [name, answers[index]])).toEqual(CALLS.map(([name, , errno]) => [name, errno]));
  });

  it('has no terminal to type into, and devices that lead nowhere', async () => {
    if (!bench.isContained) return;
    const code = `
      const fs = require('fs');
      const opens = (path, flags) => { try { fs.closeSync(fs.openSync(path, flags)); return true; } catch { return false; } };
      console.log(JSON.stringify({
        tty: opens('/dev/tty', 'r+'),
        devices: fs.readdirSync('/dev').sort(),
        sys: ['/sys/kernel/uevent_helper', '/sys/power/state', '/sys/fs/cgroup/cgroup.procs', '/sys/module/printk/parameters/time'].map((path) => opens(path, 'r+')),
        proc: ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/kcore', '/proc/kmsg'].map((path) => opens(path, 'r+')),
        processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length,
        first: fs.readFileSync('/proc/1/status', 'utf8').match(/^(CapEff|Seccomp|NoNewPrivs):\\s+\\w+/gm).map((line) => line.split(/\\s+/)[1]),
        keys: (() => { try { return fs.readFileSync('/proc/keys', 'utf8').length } catch { return 0 } })(),
      }));`;
    const { stdout } = await bench.run(bench.script(code));
    const seen = JSON.parse(stdout) as Record<string, unknown> & { readonly devices: readonly string[]; readonly processes: number };
    expect(seen).toMatchObject({ tty: false, sys: [false, false, false, false], proc: [false, false, false, false] });
    const harmless = 'console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'.split(' ');
    expect(seen.devices.filter((name) => !harmless.includes(name))).toEqual([]);
    expect(seen.processes).toBeLessThanOrEqual(3);
    // the sandbox's own process inside may be looked into, so it must be no stronger than the program
    expect(seen['first']).toEqual(['0000000000000000', '1', bench.report.facts.seccomp ? '2' : '0']);
  });
});

describe('services of this machine that listen on local sockets', () => {
  let bench: Bench;
  let outside: string;
  let servers: Server[] = [];
  let calls = 0;
  beforeAll(async () => {
    bench = await Bench.open();
    outside = outsideFolder();
  });
  afterEach(() => {
    for (const server of servers) server.close();
    [servers, calls] = [[], 0];
  });
  afterAll(async () => {
    rmSync(outside, { recursive: true, force: true });
    await bench.close();
  });

  const serve = (path: string) =>
    new Promise<void>((resolve) => {
      const server = createServer((socket) => {
        calls += 1;
        socket.destroy();
      });
      servers.push(server);
      server.listen(path, resolve);
    });

  const tryAll = (...paths: string[]) => {
    const code = `
      const net = require('net');
      (async () => { for (const path of process.argv.slice(1)) await new Promise((done) => net.connect(path.replace(/^@/, '\\0')).on('error', done).on('connect', done)); })();`;
    return bench.run(bench.script(code, ...paths));
  };

  it('are out of reach: in folders, in the workspace, in the abstract name space', async () => {
    const abstract = `@countersign-${String(process.pid)}`;
    const paths = [join(outside, 'docker.sock'), join(bench.workspace, 'bus'), `/tmp/countersign-${String(process.pid)}.sock`];
    for (const path of [...paths, abstract.replace('@', '\0')]) await serve(path);
    await tryAll(...paths, abstract);
    expect(calls).toBe(bench.isContained ? 0 : 4);
  });

  it('but a program reaches sockets of its own', async () => {
    const code = `
      const net = require('net');
      const server = net.createServer((socket) => { console.log('reached'); socket.destroy(); server.close(); }).listen(process.env.TMPDIR + '/own', () => net.connect(process.env.TMPDIR + '/own'));`;
    expect(await bench.run(bench.script(code))).toMatchObject({ stdout: 'reached\n' });
  });
});

describe('a hidden place deep inside the workspace', () => {
  it('stays hidden in the next run, whatever a run does with the folders on the way', async () => {
    const bench = await Bench.open();
    if (!bench.isContained) return bench.close();
    const hidden = join(bench.workspace, 'a', 'b', 'data');
    mkdirSync(hidden, { recursive: true });
    writeFileSync(join(hidden, 'key'), 'the-hidden-key');
    writeFileSync(join(bench.workspace, 'a', 'plain'), 'plain');
    const sandbox = { hidden: [hidden] };
    const moves = 'mv a c; mv a/b c; mv a/b a/c; rm -rf a; mkdir d && mv a d/a; ln -s a/b/data way; mv -T a/b e';
    await bench.run(bench.shell(`(${moves}) 2>/dev/null; echo fine > a/new; echo fine > a/b/new; mv a/plain a/b/plain`), { sandbox });
    const result = await bench.run(bench.shell('find . -name key; cat */key */*/key */*/*/key way/key; cat a/new a/b/new; ls a/b/data'), {
      sandbox,
    });
    expect(result.stdout).toBe('fine\nfine\n');
    expect(readFileSync(join(hidden, 'key'), 'utf8')).toBe('the-hidden-key');
    await bench.close();
  });

  it('is hidden where it really lies when the folder on the way is a link', async () => {
    const bench = await Bench.open();
    if (!bench.isContained) return bench.close();
    mkdirSync(join(bench.workspace, 'real', 'data'), { recursive: true });
    writeFileSync(join(bench.workspace, 'real', 'data', 'key'), 'the-hidden-key');
    symlinkSync('real', join(bench.workspace, 'a'));
    const sandbox = { hidden: [join(bench.workspace, 'a', 'data')] };
    const result = await bench.run(bench.shell('mv real other; cat real/data/key a/data/key other/data/key; echo end'), { sandbox });
    expect(result.stdout).toBe('end\n');
    await bench.close();
  });
});

describe('.git', () => {
  it('is written by the stage that is git, and only by that one', async () => {
    const bench = await Bench.open();
    if (!bench.isContained) return bench.close();
    const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const sandbox = { gitWritable: true };
    await bench.run([{ argv: ['git', 'init', '-q', '.'] }], { env, sandbox });
    const git = { argv: ['git', 'update-ref', '--stdin'] };
    const other = { argv: ['sh', '-c', 'echo evil > .git/HEAD; rm -rf .git/objects; mv .git .g; echo'], join: 'then' as const };
    const pretends = join(bench.workspace, 'git');
    writeFileSync(pretends, '#!/bin/sh\necho evil > .git/HEAD\n', { mode: 0o755 });
    const result = await bench.run([git, other, { argv: ['./git'], join: 'then' as const }], { env, sandbox });
    expect(result.stages.map(({ ran }) => ran)).toEqual([true, true, true]);
    expect(readFileSync(join(bench.workspace, '.git', 'HEAD'), 'utf8')).toMatch(/^ref: /);
    expect(existsSync(join(bench.workspace, '.git', 'objects'))).toBe(true);
    await bench.close();
  });

  it('keeps hooks, config, info and those of submodules and worktrees, also while absent', async () => {
    const bench = await Bench.open();
    if (!bench.isContained) return bench.close();
    const git = join(bench.workspace, '.git');
    const inner = [join(git, 'modules', 'sub'), join(git, 'worktrees', 'tree')];
    for (const folder of [git, ...inner]) mkdirSync(folder, { recursive: true });
    for (const folder of [git, ...inner]) writeFileSync(join(folder, 'config'), '[core]\n');
    const env = { PATH: '/usr/bin:/bin' };
    // git runs what `!` stands before, so this is git itself with all that git may do
    const alias = [
      '-c',
      'alias.try=!f() { for d in .git .git/modules/sub .git/worktrees/tree; do mkdir -p $d/hooks $d/info; echo x > $d/hooks/pre-commit; echo x > $d/info/attributes; echo x > $d/config; echo x > $d/free; done; }; f',
    ];
    await bench.run([{ argv: ['git', ...alias, 'try'] }], { env, sandbox: { gitWritable: true } });
    for (const folder of [git, ...inner]) {
      expect(existsSync(join(folder, 'hooks', 'pre-commit'))).toBe(false);
      expect(existsSync(join(folder, 'info', 'attributes'))).toBe(false);
      expect(readFileSync(join(folder, 'config'), 'utf8')).toBe('[core]\n');
      expect(existsSync(join(folder, 'free'))).toBe(true);
    }
    await bench.close();
  });

  it('cannot be moved away and put in its place by another', async () => {
    const bench = await Bench.open();
    if (!bench.isContained) return bench.close();
    mkdirSync(join(bench.workspace, '.git'));
    writeFileSync(join(bench.workspace, '.git', 'config'), '[core]\n');
    await bench.run(bench.shell('mv .git .old; mkdir new; echo evil > new/config; mv new .git; cp new/config .git/config'));
    expect(readFileSync(join(bench.workspace, '.git', 'config'), 'utf8')).toBe('[core]\n');
    await bench.close();
  });
});

it('a workspace that was put in the place of another between plan and run is refused', async () => {
  const bench = await Bench.open();
  const { dev, ino } = (await import('node:fs')).statSync(bench.workspace);
  const rootPin = { path: bench.workspace, dev, ino, size: 0, mtimeMs: 0, ctimeMs: 0 };
  renameSync(bench.workspace, `${bench.workspace}-old`);
  mkdirSync(bench.workspace);
  const result = await bench.run([{ argv: ['touch', 'x'] }], { sandbox: { rootPin } });
  expect(result).toMatchObject({ outcome: 'failed', refusal: 'PLAN_STALE' });
  rmSync(`${bench.workspace}-old`, { recursive: true });
  await bench.close();
});
