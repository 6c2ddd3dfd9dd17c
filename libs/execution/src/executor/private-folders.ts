import { accessSync, chmodSync, constants, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from './processes/process-table.js';
import { removeMountPoints } from './sandbox/mount-points.js';

const PREFIX = 'countersign-run-';
const SHARED_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;

/** The private places of one run. */
export interface RunFolder {
  /** What we need to run it: pipes, the sandbox's papers. */
  readonly path: string;
  /** Its TMPDIR. */
  readonly scratch: string;
  /** Its HOME, inside the scratch folder. */
  readonly home: string;
}

/**
 * Owner of everything the executor writes outside workspaces: folders of its own, and below them one per run. Nothing outlives it
 * for long. Small things lie in memory, because a disk that is busy with a database makes every file wait; scratch space of runs
 * that write lies on disk, because it may become large.
 */
export class PrivateFolders {
  readonly base: string;
  readonly #parents = [...new Set([isInMemory(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), tmpdir()])];
  #onDisk: string | undefined;

  constructor() {
    this.#parents.forEach(removeLeftBehind);
    this.base = this.#make(this.#parents[0] ?? tmpdir());
    // Before the first run, so that it is hidden from every run, also from one that began before anything lay in it.
    this.#onDisk = this.#tryOnDisk();
  }

  /** All places that a run must not see. */
  get all(): readonly string[] {
    return this.#onDisk === undefined ? [this.base] : [this.base, this.#onDisk];
  }

  open(runId: string, isLarge: boolean): RunFolder {
    const path = join(this.base, runId);
    mkdirSync(path, { mode: 0o700 });
    if (isLarge) this.#onDisk ??= this.#make(tmpdir());
    const scratch = join(isLarge && this.#onDisk !== undefined ? this.#onDisk : path, isLarge ? runId : 'tmp');
    const home = join(scratch, 'home');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { path, scratch, home };
  }

  /** At once where nothing was left behind; else in the background: a program may have left much, and nobody waits for it. */
  remove({ path, scratch, home }: RunFolder): void {
    if ([home, scratch, path].every(removeEmpty)) return;
    // a program may have taken write permission from its folders
    for (const folder of [path, scratch]) rm(folder, { recursive: true, force: true }).catch(() => removeStubborn(folder));
  }

  removeAll(): void {
    this.all.forEach(removeStubborn);
  }

  /** A disk that cannot be written is no hindrance to runs that only read. */
  #tryOnDisk(): string | undefined {
    try {
      return this.#make(tmpdir());
    } catch {
      return undefined; // the first run that writes says why
    }
  }

  #make(parent: string): string {
    return mkdtempSync(join(parent, `${PREFIX}${String(process.pid)}-${startOf(process.pid) ?? '0'}-`));
  }
}

function isInMemory(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return process.platform === 'linux' && statfsSync(folder).type === TMPFS;
  } catch {
    return false; // not there, or not for us
  }
}

/** Folders of executors that are dead: the name says which process made it, and when that process began. */
function removeLeftBehind(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, start] = /^countersign-run-(\d+)-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || startOf(Number(pid)) === start) continue;
    const path = join(parent, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    removeMountPoints(path);
    removeStubborn(path);
  }
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // something lies in it
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
