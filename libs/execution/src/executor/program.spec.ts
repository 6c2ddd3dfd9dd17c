import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilePin } from '#contracts';
import { callPath, checkProgram } from './program.js';
import type { StageSpec } from './protocol.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'program-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function stage(executable: string, more: Partial<StageSpec> = {}): StageSpec {
  return { join: 'first', redirects: [], executable, argv: [executable], ...more };
}

function pinOf(path: string): FilePin {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
  return { path, dev, ino, size, mtimeMs, ctimeMs };
}

const otherMachine = Buffer.alloc(64);
otherMachine.write('\x7fELF\x02\x01\x01', 0, 'latin1');
otherMachine.writeUInt16LE(243, 18); // RISC-V

describe('checkProgram', () => {
  it('takes a program of this machine, and a script whose interpreter is one', () => {
    expect(() => checkProgram(stage(process.execPath))).not.toThrow();
    expect(() => checkProgram(stage(file('script', `#! ${process.execPath} --flag\n`)))).not.toThrow();
    const inner = file('inner', `#!${process.execPath}\n`);
    expect(() => checkProgram(stage(file('outer', `#!${inner}\n`)))).not.toThrow();
  });

  it.each([
    [
      'a text that a shell would be started for',
      () => file('text', 'echo a shell runs me\n'),
      /neither a program for this machine nor a script/,
    ],
    ['an empty file', () => file('empty', ''), /neither a program/],
    ['a program of another machine', () => file('other', otherMachine), /neither a program/],
    ['a script whose interpreter is such a text', () => file('script', `#!${file('text', 'echo')}\n`), /text is neither a program/],
    ['an interpreter that is looked up from the working folder', () => file('script', '#!bin/sh\n'), /relative path/],
    ['an interpreter that is not there', () => file('script', '#!/nowhere/sh\n'), /interpreter \/nowhere\/sh of .* does not exist/],
    ['a script that is its own interpreter', () => file('loop', `#!${join(folder, 'loop')}\n`), /too many interpreters/],
    ['a file nobody may execute', () => file('data', '#!/bin/sh\n', 0o644), /no permission/],
    ['a file that is not there', () => join(folder, 'gone'), /does not exist/],
    ['a name without a path', () => 'ls', /not named by an absolute path/],
    ['a folder', () => folder, /it is a folder/],
  ])('refuses %s', (_what, path, reason) => {
    expect(() => checkProgram(stage(path()))).toThrow(reason);
  });

  it('refuses a program that was replaced, but not one that was written again with the same content', () => {
    const path = join(folder, 'node');
    copyFileSync(process.execPath, path);
    const pin = pinOf(path);
    expect(() => checkProgram(stage(path, { pin }))).not.toThrow();
    utimesSync(path, 1, 1);
    expect(() => checkProgram(stage(path, { pin }))).toThrow(/has changed since it was planned/);
  });
});

describe('callPath', () => {
  it('calls a program by the name it was planned with, when that name leads to it', () => {
    mkdirSync(join(folder, 'bin'));
    symlinkSync(process.execPath, join(folder, 'bin', 'tool'));
    const executable = realpathSync(process.execPath);
    const path = `/nowhere:relative:${join(folder, 'bin')}`;
    expect(callPath(stage(executable, { argv: ['tool'] }), folder, path)).toBe(join(folder, 'bin', 'tool'));
    expect(callPath(stage(executable, { argv: ['bin/tool'] }), folder, undefined)).toBe(join(folder, 'bin', 'tool'));
    expect(callPath(stage(executable, { argv: ['something-else'] }), folder, path)).toBe(executable);
  });
});
