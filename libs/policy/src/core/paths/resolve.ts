import type { FileFact, PathLook } from '../path-look.js';

const MAX_LINKS = 40;
/** No system opens a longer path. */
export const MAX_PATH_LENGTH = 4_096;

export interface Resolved {
  /** Absolute, without links, `.` or `..`; of an absent file the place where it would be. */
  readonly real: string;
  /** What is there, links not followed; null when absent. */
  readonly fact: FileFact | null;
}

/**
 * Walks a path as the kernel does, segment by segment, also through what does not exist yet.
 * Null for a loop of links or a path that is too long. The last segment is followed only when `followLast` is set or a slash ends the path.
 */
export function resolvePath(look: PathLook, cwd: string, text: string, followLast: boolean): Resolved | null {
  if (text.length > MAX_PATH_LENGTH) return null;
  const pending = segmentsOf(text).reverse();
  const follow = followLast || /\/\.{0,2}$/.test(text);
  const real = text.startsWith('/') ? [] : segmentsOf(cwd);
  let links = 0;
  let fact: FileFact | null = { kind: 'directory', links: 1 };
  while (pending.length > 0) {
    const segment = pending.pop() ?? '';
    if (segment === '.') continue;
    if (segment === '..') {
      real.pop();
      fact = { kind: 'directory', links: 1 };
      continue;
    }
    real.push(segment);
    fact = look.lstat(toPath(real));
    if (fact?.kind !== 'symlink' || (pending.length === 0 && !follow)) continue;
    const target = look.readlink(toPath(real));
    if (target === null || (links += 1) > MAX_LINKS) return null;
    real.pop();
    if (target.startsWith('/')) real.length = 0;
    pending.push(...segmentsOf(target).reverse());
    fact = { kind: 'directory', links: 1 };
  }
  return { real: toPath(real), fact: real.length === 0 ? fact : look.lstat(toPath(real)) };
}

/** Removes `.` and `..` by the words alone, as a reader would. */
export function lexicalPath(cwd: string, text: string): string {
  const done: string[] = text.startsWith('/') ? [] : segmentsOf(cwd);
  for (const segment of segmentsOf(text)) {
    if (segment === '..') done.pop();
    else if (segment !== '.') done.push(segment);
  }
  return toPath(done);
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}

/** Segments of a path below `root`; empty for the root itself. */
export function segmentsBelow(root: string, path: string): readonly string[] {
  return isInside(root, path) ? segmentsOf(path.slice(root.length)) : segmentsOf(path);
}

export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function toPath(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}
