import { appendFileSync, closeSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtectedPath } from './protected-paths.js';

const JOURNAL = 'mount-points';

/**
 * Owner of the empty files and folders that stand in for protected paths while they are absent: a mount needs something to be
 * mounted on. Made when the first run needs one, removed when the last is done, and only if it is still ours and still empty.
 */
export class MountPoints {
  readonly #users = new Map<string, number>();
  readonly #journal: string;

  constructor(base: string) {
    this.#journal = join(base, JOURNAL);
  }

  /** The paths that exist now, each to be mounted read-only. */
  acquire(wanted: readonly ProtectedPath[]): { readonly paths: readonly string[]; release: () => void } {
    const made: string[] = [];
    const paths = wanted.flatMap((entry) => this.#standIn(entry, made) ?? []);
    return { paths, release: () => made.splice(0).forEach((path) => this.#drop(path)) };
  }

  /** Where to mount for this path; undefined: there is nothing, and nothing can be made. */
  #standIn({ path, absent }: ProtectedPath, made: string[]): string | undefined {
    const users = this.#users.get(path);
    if (users === undefined) {
      if (lstatSync(path, { throwIfNoEntry: false })) return targetOf(path);
      if (absent === null || !this.#make(path, absent)) return undefined;
    }
    this.#users.set(path, (users ?? 0) + 1);
    made.push(path);
    return path;
  }

  #make(path: string, kind: 'file' | 'folder'): boolean {
    try {
      if (kind === 'folder') mkdirSync(path);
      else closeSync(openSync(path, 'wx', 0o644));
    } catch {
      return false; // where we cannot create it, neither can the run
    }
    appendFileSync(this.#journal, `${identityOf(path)} ${path}\0`);
    return true;
  }

  #drop(path: string): void {
    const users = (this.#users.get(path) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(path, users);
      return;
    }
    this.#users.delete(path);
    removeIfEmpty(path);
  }
}

/** What an executor that died has left in workspaces; `base` is its folder. */
export function removeMountPoints(base: string): void {
  let journal: string;
  try {
    journal = readFileSync(join(base, JOURNAL), 'utf8');
  } catch {
    return; // it made none
  }
  for (const entry of journal.split('\0').filter(Boolean)) {
    const [, identity, path] = /^(\d+:\d+) (.*)$/s.exec(entry) ?? [];
    if (path !== undefined && identityOf(path) === identity) removeIfEmpty(path);
  }
}

function removeIfEmpty(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  try {
    if (found?.isDirectory()) rmdirSync(path);
    else if (found?.isFile() && found.size === 0) unlinkSync(path);
  } catch {
    // somebody has put something into it: it is theirs now
  }
}

/** A mount lands on what a link leads to, so that is what is protected. */
function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // a link that leads nowhere
  }
}

function identityOf(path: string): string {
  const { dev, ino } = lstatSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0 };
  return `${String(dev)}:${String(ino)}`;
}
