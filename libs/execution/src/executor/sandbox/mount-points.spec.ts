import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxWish } from '../protocol.js';
import { MountPoints, removeMountPoints } from './mount-points.js';
import { protectedGitPaths, protectedPaths } from './protected-paths.js';

let root: string;
let base: string;
let points: MountPoints;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mounts-')));
  base = mkdtempSync(join(tmpdir(), 'mounts-base-'));
  points = new MountPoints(base);
});
afterEach(() => [root, base].forEach((path) => rmSync(path, { recursive: true })));

function wish(change: Partial<SandboxWish> = {}): SandboxWish {
  return { workspaceRoot: root, workspaceWritable: true, gitWritable: false, network: 'none', hidden: [], ...change };
}

const acquire = (change: Partial<SandboxWish> = {}, cwd = root) => points.acquire(protectedPaths(wish(change), cwd));

it('stands in for what is absent while it is needed, and leaves nothing', () => {
  const { paths, release } = acquire();
  expect(paths).toEqual(expect.arrayContaining([join(root, '.git'), join(root, '.npmrc'), join(root, '.husky')]));
  expect(lstatSync(join(root, '.git')).isDirectory()).toBe(true);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toBe('');
  release();
  expect(readdirSync(root)).toEqual([]);
});

it('removes a stand-in only when the last run is done with it, and only once', () => {
  const first = acquire();
  const second = acquire();
  first.release();
  first.release();
  expect(readdirSync(root)).toContain('.npmrc');
  second.release();
  expect(readdirSync(root)).toEqual([]);
});

it('keeps what somebody else has put there meanwhile', () => {
  const { release } = acquire();
  writeFileSync(join(root, '.npmrc'), 'registry=mine\n');
  writeFileSync(join(root, '.vscode', 'settings.json'), '{}');
  release();
  expect(readdirSync(root).sort()).toEqual(['.npmrc', '.vscode']);
});

it('protects what is there where it is, also through a link, and makes nothing for it', () => {
  writeFileSync(join(root, 'real'), 'content');
  symlinkSync(join(root, 'real'), join(root, '.npmrc'));
  symlinkSync(join(root, 'nowhere'), join(root, '.yarnrc'));
  mkdirSync(join(root, '.circleci'));
  const { paths, release } = acquire({ analysed: true });
  expect([...paths].sort()).toEqual([join(root, '.circleci'), join(root, 'real')]);
  release();
  expect(readFileSync(join(root, 'real'), 'utf8')).toBe('content');
});

it('lets a person open a protected path, and what leads to it, but not by naming the folder it lies in', () => {
  const { paths, release } = acquire({ unprotected: [root, join(root, '.github', 'workflows', 'ci.yml'), join(root, '.npmrc')] });
  expect(paths).not.toContain(join(root, '.github'));
  expect(paths).not.toContain(join(root, '.npmrc'));
  expect(paths).toContain(join(root, '.husky'));
  release();
});

it('protects a repository between the working folder and the root', () => {
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  mkdirSync(join(root, 'a', '.git'));
  const { paths, release } = acquire({}, join(root, 'a', 'b'));
  expect(paths).toContain(join(root, 'a', '.git'));
  release();
  expect(readdirSync(join(root, 'a')).sort()).toEqual(['.git', 'b']);
});

it('leaves git its folder but not what makes a later git run a program', () => {
  mkdirSync(join(root, '.git', 'modules', 'sub'), { recursive: true });
  writeFileSync(join(root, '.git', 'config'), '');
  writeFileSync(join(root, '.git', 'modules', 'sub', 'config'), '');
  const { paths, release } = points.acquire(protectedGitPaths(wish({ gitWritable: true }), root));
  const git = join(root, '.git');
  expect([...paths].sort()).toEqual(
    [
      join(git, 'config'),
      join(git, 'hooks'),
      join(git, 'info'),
      ...['config', 'hooks', 'info'].map((name) => join(git, 'modules', 'sub', name)),
    ].sort(),
  );
  release();
  expect(readdirSync(git).sort()).toEqual(['config', 'modules']);
});

it('cleans up after an executor that died, and takes nothing that is not the same any more', () => {
  acquire();
  unlinkSync(join(root, '.npmrc'));
  writeFileSync(join(root, '.npmrc'), '');
  writeFileSync(join(root, '.envrc'), 'content');
  removeMountPoints(base);
  expect(readdirSync(root)).toContain('.envrc');
  expect(readdirSync(root)).not.toContain('.git');
  expect(readFileSync(join(root, '.envrc'), 'utf8')).toBe('content');
});
