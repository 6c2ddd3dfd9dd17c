import { accessSync, closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { explain, NotStarted } from './not-started.js';
import { checkPin } from './pins.js';
import type { StageSpec } from './protocol.js';

const HEAD_BYTES = 256;
/** The kernel follows this many interpreters and no more. */
const MAX_INTERPRETERS = 5;
const ELF = 0x7f454c46;
const MACH_O = [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xbebafeca];
/** `e_machine` values that this processor runs itself. */
const OWN_MACHINES: Readonly<Record<string, readonly number[]>> = { x64: [62, 3], arm64: [183, 40] };

/**
 * Refuses what the kernel would not run itself. The C library answers "not executable" by starting /bin/sh with the file:
 * a shell that nobody planned.
 */
export function checkProgram({ executable, pin }: StageSpec): void {
  if (!isAbsolute(executable)) throw new NotStarted(`The program ${executable} is not named by an absolute path`);
  if (pin) checkPin(pin, 'The program');
  try {
    accessSync(executable, constants.X_OK);
  } catch (thrown) {
    throw explain(thrown, `The program ${executable} cannot be run`);
  }
  checkHead(executable, executable, 0);
}

function checkHead(path: string, program: string, depth: number): void {
  const head = readHead(path, program);
  if (head.length >= 4 && isBinary(head)) return;
  const [, interpreter] = /^#![ \t]*([^ \t\r\n]+)/.exec(head.toString('latin1')) ?? [];
  if (interpreter === undefined) throw new NotStarted(`${path} is neither a program for this machine nor a script that starts with #!`);
  if (!isAbsolute(interpreter)) throw new NotStarted(`The script ${path} names its interpreter by a relative path`);
  if (depth === MAX_INTERPRETERS) throw new NotStarted(`${program} leads through too many interpreters`);
  checkHead(interpreter, program, depth + 1);
}

function isBinary(head: Buffer): boolean {
  const magic = head.readUInt32BE(0);
  if (process.platform === 'darwin') return MACH_O.includes(magic);
  const machine = head.length >= 20 ? head.readUInt16LE(18) : -1;
  return magic === ELF && (OWN_MACHINES[process.arch]?.includes(machine) ?? true);
}

function readHead(path: string, program: string): Buffer {
  try {
    const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.subarray(0, readSync(handle, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    throw explain(
      thrown,
      path === program ? `The program ${program} cannot be read` : `The interpreter ${path} of ${program} cannot be read`,
    );
  }
}

/**
 * The path to call the program by, so that it sees itself under the name that was planned. Wrappers pass the path on as `argv[0]`,
 * and programs that serve several names, or look for their files beside their link, depend on it.
 */
export function callPath({ executable, argv }: StageSpec, cwd: string, path: string | undefined): string {
  const name = argv[0] ?? '';
  const candidates = name.includes('/')
    ? [resolve(cwd, name)]
    : (path ?? '')
        .split(':')
        .filter(isAbsolute)
        .map((folder) => join(folder, name));
  return candidates.find((candidate) => leadsTo(candidate, executable)) ?? executable;
}

function leadsTo(path: string, target: string): boolean {
  try {
    return realpathSync(path) === target;
  } catch {
    return false; // not there
  }
}
