import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redirect } from '#contracts';
import type { SandboxWish } from './protocol.js';
import { closeRedirects, openRedirects } from './redirects.js';

let root: string;
let outside: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'redirects-')));
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'redirects-outside-')));
  writeFileSync(join(root, 'old'), 'old content\n');
});
afterEach(() => [root, outside].forEach((path) => rmSync(path, { recursive: true })));

function wish(change: Partial<SandboxWish> = {}): SandboxWish {
  return { workspaceRoot: root, workspaceWritable: true, gitWritable: false, network: 'none', hidden: [], ...change };
}

function to(path: string, change: Partial<Redirect> = {}): Redirect {
  return { stream: 'stdout', path, append: false, ...change };
}

function write(redirect: Redirect, text: string): void {
  const opened = openRedirects([redirect], wish());
  writeSync(opened.stdout ?? -1, text);
  closeRedirects(opened);
}

it('makes, replaces and appends files of the workspace', () => {
  write(to(join(root, 'new')), 'new\n');
  write(to(join(root, 'old')), 'x');
  write(to(join(root, 'old'), { append: true }), 'y');
  expect([readFileSync(join(root, 'new'), 'utf8'), readFileSync(join(root, 'old'), 'utf8')]).toEqual(['new\n', 'xy']);
});

it('gives both streams one file, and reads where reading is meant', () => {
  const both = openRedirects([to(join(root, 'both'), { stream: 'both' })], wish());
  expect(both.stdout).toBe(both.stderr);
  closeRedirects(both);
  const input = openRedirects(
    [to(join(root, 'old'), { stream: 'stdin' }), to('/dev/null', { stream: 'stderr' })],
    wish({ workspaceWritable: false }),
  );
  expect(readFileSync(input.stdin ?? -1, 'utf8')).toBe('old content\n');
  closeRedirects(input);
});

it.each<[string, () => Redirect, Partial<SandboxWish>, RegExp]>([
  ['a write into a workspace that is only read', () => to(join(root, 'x')), { workspaceWritable: false }, /may not write/],
  ['a write outside', () => to(join(outside, 'x')), {}, /may not write/],
  ['a write to a path that only begins like the workspace', () => to(`${root}-more/x`), {}, /may not write/],
  ['a write to a hook', () => to(join(root, '.git', 'hooks', 'post-commit')), {}, /protected/],
  ['a write to a protected file in other letters, deep down', () => to(join(root, 'a', '.NPMRC')), {}, /protected/],
  ['a device', () => to('/dev/zero', { stream: 'stdin' }), {}, /not a plain file/],
  ['a folder', () => to(root, { stream: 'stdin' }), {}, /not a plain file/],
  ['a file that is not there', () => to(join(root, 'gone'), { stream: 'stdin' }), {}, /does not exist/],
])('refuses %s', (_what, redirect, change, reason) => {
  expect(() => openRedirects([redirect()], wish(change))).toThrow(reason);
});

it('follows no symbolic link, neither the file itself nor its folder', () => {
  symlinkSync(join(outside, 'target'), join(root, 'link'));
  symlinkSync(outside, join(root, 'way'));
  expect(() => openRedirects([to(join(root, 'link'))], wish())).toThrow(/symbolic link/);
  expect(() => openRedirects([to(join(root, 'way', 'x'))], wish())).toThrow(/symbolic link|not a folder/);
  expect(execFileSync('ls', ['-A', outside], { encoding: 'utf8' })).toBe('');
});

it('neither waits for a named pipe nor takes it', () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(() => openRedirects([to(join(root, 'pipe'), { stream: 'stdin' })], wish())).toThrow(/not a plain file/);
  expect(() => openRedirects([to(join(root, 'pipe'))], wish())).toThrow();
});

it('reads nothing that is hidden, but what lies in a workspace inside a hidden folder', () => {
  const workspace = join(outside, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'mine'), 'x');
  writeFileSync(join(outside, 'secret'), 'x');
  const inside = wish({ workspaceRoot: workspace, hidden: [outside] });
  closeRedirects(openRedirects([to(join(workspace, 'mine'), { stream: 'stdin' })], inside));
  expect(() => openRedirects([to(join(outside, 'secret'), { stream: 'stdin' })], inside)).toThrow(/hidden/);
  expect(() => openRedirects([to('/etc/shadow', { stream: 'stdin' })], wish())).toThrow(/hidden/);
});

it('lets a person open a protected path by name', () => {
  const open = wish({ unprotected: [root, join(root, '.npmrc')] });
  closeRedirects(openRedirects([to(join(root, '.npmrc'))], open));
  expect(() => openRedirects([to(join(root, '.yarnrc'))], open)).toThrow(/protected/);
});
