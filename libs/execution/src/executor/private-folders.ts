import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from './processes/process-table.js';

const PREFIX = 'countersign-run-';

/** The private places of one run; `scratch` is its /tmp, `home` its HOME. */
export interface RunFolder {
  readonly path: string;
  readonly scratch: string;
  readonly home: string;
}

/** Owner of everything the executor writes: one folder for its life, one below it per run. Nothing outlives it for long. */
export class PrivateFolders {
  readonly base: string;

  constructor(parent = tmpdir()) {
    removeLeftBehind(parent);
    const mark = `${String(process.pid)}-${startOf(process.pid) ?? '0'}-`;
    this.base = mkdtempSync(join(parent, PREFIX + mark));
  }

  open(runId: string): RunFolder {
    const path = join(this.base, runId);
    const scratch = join(path, 'tmp');
    const home = join(scratch, 'home');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { path, scratch, home };
  }

  async remove(folder: RunFolder): Promise<void> {
    try {
      await rm(folder.path, { recursive: true, force: true });
    } catch {
      removeStubborn(folder.path); // a program may have taken write permission from its folders
    }
  }

  removeAll(): void {
    removeStubborn(this.base);
  }
}

/** Folders of executors that are dead: the name says which process made it, and when that process began. */
function removeLeftBehind(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, start] = /^countersign-run-(\d+)-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || startOf(Number(pid)) === start) continue;
    const path = join(parent, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) removeStubborn(path);
  }
}

function removeStubborn(path: string): void {
  try {
    openUp(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // what cannot be removed stays for the next start to try again
  }
}

function openUp(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}
