import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeLook } from '../../../../test/support/fake-look.js';
import type { PathLook } from '../core/index.js';
import { DiskLook } from './disk-look.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'disk-look-')));
mkdirSync(join(base, 'folder'));
writeFileSync(join(base, 'folder/file'), 'text and more');
linkSync(join(base, 'folder/file'), join(base, 'folder/twin'));
symlinkSync('folder/file', join(base, 'link'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const fake = new FakeLook({
  [`${base}/folder/file`]: { text: 'text and more', links: 2 },
  [`${base}/folder/twin`]: { text: 'text and more', links: 2 },
  [`${base}/link`]: { leadsTo: 'folder/file' },
});

describe.each<[string, PathLook]>([
  ['the disk', new DiskLook()],
  ['memory', fake],
])('looking at %s', (_name, look) => {
  it('tells what an entry is, without following links', () => {
    expect(look.lstat(join(base, 'folder'))?.kind).toBe('directory');
    expect(look.lstat(join(base, 'folder/file'))).toEqual({ kind: 'file', links: 2 });
    expect(look.lstat(join(base, 'link'))?.kind).toBe('symlink');
    expect(look.readlink(join(base, 'link'))).toBe('folder/file');
  });

  it('lists names and reads the start of a file', () => {
    expect([...(look.list(join(base, 'folder')) ?? [])].sort()).toEqual(['file', 'twin']);
    expect(look.readText(join(base, 'folder/file'), 4)).toBe('text');
  });

  it('answers null for what is not there or not that', () => {
    expect(look.lstat(join(base, 'none'))).toBeNull();
    expect(look.readlink(join(base, 'folder'))).toBeNull();
    expect(look.list(join(base, 'folder/file'))).toBeNull();
    expect(look.readText(join(base, 'folder'), 10)).toBeNull();
    expect(look.readText(join(base, 'link'), 10)).toBeNull();
  });
});

it('reads what is not UTF-8 as Latin-1, and never waits for a device', () => {
  writeFileSync(join(base, 'bytes'), Buffer.from([0xcf, 0xfa, 0xed, 0xfe]));
  const look = new DiskLook();
  expect(look.readText(join(base, 'bytes'), 4)).toBe('\u00cf\u00fa\u00ed\u00fe');
  expect(look.readText('/dev/tty', 4)).toBeNull();
});
