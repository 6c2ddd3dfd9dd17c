import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MachineFiles } from './machine-files.js';
import { MachineProcesses } from './machine-processes.js';

describe('MachineFiles', () => {
  const files = new MachineFiles();
  let home: string;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-files-')));
    mkdirSync(join(home, 'dir'));
    writeFileSync(join(home, 'script.sh'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(home, 'plain'), 'echo hi\n', { mode: 0o755 });
    writeFileSync(join(home, 'data'), 'data', { mode: 0o644 });
    symlinkSync(join(home, 'dir'), join(home, 'link'));
    symlinkSync(join(home, 'script.sh'), join(home, 'tool'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('finds the real path of folders only', () => {
    expect(files.realFolder(join(home, 'link'))).toBe(join(home, 'dir'));
    expect(files.realFolder(join(home, 'data'))).toBeUndefined();
    expect(files.realFolder(join(home, 'nowhere'))).toBeUndefined();
    expect(files.realFolder('a\0b')).toBeUndefined();
  });

  it('pins a folder by identity, whatever is done inside, and notices another in its place', () => {
    const pin = files.pinFolder(join(home, 'dir'));
    writeFileSync(join(home, 'dir', 'new'), '');
    expect(files.pinFolder(join(home, 'dir'))).toEqual(pin);
    renameSync(join(home, 'dir'), join(home, 'old'));
    expect(files.pinFolder(join(home, 'dir'))).toBeUndefined();
    symlinkSync(join(home, 'old'), join(home, 'dir'));
    expect(files.pinFolder(join(home, 'dir'))).toBeUndefined();
  });

  it('pins a file by times, or by content', async () => {
    const path = join(home, 'script.sh');
    const before = await files.pinFile(path, true);
    expect(before).toMatchObject({ path, size: 10, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    writeFileSync(path, '#!/bin/ls\n');
    expect((await files.pinFile(path, true))?.sha256).not.toBe(before?.sha256);
    expect(await files.pinFile(path, false)).not.toHaveProperty('sha256');
    expect(await files.pinFile(join(home, 'tool'), true)).toBeUndefined(); // a link is not the file
    expect(await files.pinFile(join(home, 'dir'), true)).toBeUndefined();
  });

  it('finds programs on the path and by path, through links, and tells what only a shell could run', () => {
    expect(files.findProgram('tool', '/', [join(home, 'nowhere'), home])).toEqual({ path: join(home, 'script.sh'), isProgram: true });
    expect(files.findProgram('./plain', home, [])).toEqual({ path: join(home, 'plain'), isProgram: false });
    expect(files.findProgram('sh', home, ['/usr/bin', '/bin'])).toMatchObject({ isProgram: true });
    expect(files.findProgram('data', home, [home])).toBeUndefined(); // not executable
    expect(files.findProgram('dir', home, [home])).toBeUndefined();
    expect(files.findProgram('script.sh', home, [])).toBeUndefined(); // the working folder is not on the path
    chmodSync(join(home, 'script.sh'), 0o644);
    expect(files.findProgram('script.sh', home, [home])).toBeUndefined();
  });

  it('reads the beginning of a file that is reached without any link', () => {
    expect(files.head(join(home, 'data'), 2)).toEqual({ bytes: Buffer.from('da'), size: 4 });
    expect(files.head(join(home, 'tool'), 10)).toBeUndefined();
    writeFileSync(join(home, 'dir', 'inner'), 'x');
    expect(files.head(join(home, 'link', 'inner'), 10)).toBeUndefined();
    expect(files.head(join(home, 'dir'), 10)).toBeUndefined();
  });
});

it('reads nothing through a folder that is swapped while it looks', async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-swap-')));
  for (const [folder, text] of [
    ['inside', 'harmless'],
    ['outside', 'secret'],
  ] as const) {
    mkdirSync(join(place, folder));
    writeFileSync(join(place, folder, 'file'), text);
  }
  symlinkSync(join(place, 'outside'), join(place, 'link'));
  const swapper = new Worker(SWAP, { eval: true, workerData: place });
  await once(swapper, 'message');
  const seen = new Set<string>();
  const files = new MachineFiles();
  for (const until = Date.now() + 1_500; Date.now() < until;) {
    const head = files.head(join(place, 'way', 'file'), 10);
    if (head) seen.add(Buffer.from(head.bytes).toString());
  }
  await swapper.terminate();
  rmSync(place, { recursive: true, force: true });
  expect([...seen]).not.toContain('secret');
});

/** Puts a folder and a link in turn in the same place, without end. */
const SWAP = `
  const { renameSync } = require('node:fs');
  const { parentPort, workerData: place } = require('node:worker_threads');
  parentPort.postMessage('begun');
  for (;;) {
    for (const name of ['inside', 'link']) {
      renameSync(place + '/' + name, place + '/way');
      renameSync(place + '/way', place + '/' + name);
    }
  }
`;

function startOf(pid: number): string {
  return (
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ')[19] ?? ''
  );
}

describe('MachineProcesses', () => {
  const processes = new MachineProcesses();

  it('knows itself, and that it lives', () => {
    const self = processes.self();
    expect(self).toMatchObject({ pid: process.pid, processStart: expect.stringMatching(/^\d+$/) as string });
    expect(processes.isAlive(self)).toBe(true);
  });

  it('takes a pid that is used again for a stranger', () => {
    const self = processes.self();
    expect(processes.isAlive({ ...self, processStart: '1' })).toBe(false);
    expect(processes.killGroup(process.pid, '1')).toBe(false);
  });

  it('says nothing about another place', () => {
    expect(processes.isAlive({ ...processes.self(), place: 'elsewhere' })).toBeUndefined();
  });

  it('kills a whole group, and only while it is the same', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 30 & wait'], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const processStart = startOf(pid);
    expect(processes.isAlive({ ...processes.self(), pid, processStart })).toBe(true);
    const ended = once(child, 'exit');
    expect(processes.killGroup(pid, processStart)).toBe(true);
    await ended;
    expect(processes.isAlive({ ...processes.self(), pid, processStart })).toBe(false);
    expect(processes.killGroup(pid, processStart)).toBe(false);
  });
});
