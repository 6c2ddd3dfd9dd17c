import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import type { CallFact } from './log-facts.js';

/** A folder that a session made for itself. */
export interface TempResource {
  readonly kind: 'worktree' | 'folder';
  /** Absolute. */
  readonly path: string;
}

const WORKTREE = /(?:^|&&|;|\n)\s*git\s+worktree\s+add\s+(?:-[bB]\s+\S+\s+|--\S+\s+)*(?<path>[^\s;&|<>$`*?(){}'"\\]+)/gu;
const MADE = /(?:^|&&|;|\n)\s*mkdir\s+(?:-p\s+|-m\s+\d+\s+)*(?<path>[^\s;&|<>$`*?(){}'"\\]+)/gu;
/** Only what says of itself that it is temporary; what a session builds for others is its work. */
const TEMPORARY = /^(?:\.?tmp|temp|\.worktrees?|worktrees?|\.scratch|scratch)(?:[-._].*)?$/iu;

/** Temporary folders that the successful commands of a session made below its workspace. */
export function tempResources(root: string, cwd: string, calls: readonly CallFact[]): readonly TempResource[] {
  const found = new Map<string, TempResource>();
  for (const { command, result } of calls) {
    if (command === null || result?.isError !== false) continue;
    for (const { kind, pattern } of [
      { kind: 'worktree', pattern: WORKTREE },
      { kind: 'folder', pattern: MADE },
    ] as const) {
      for (const { groups } of command.matchAll(pattern)) {
        const path = placeOf(cwd, groups?.['path'] ?? '');
        if (liesBelow(root, path) && isTemporary(root, path) && !found.has(path)) found.set(path, { kind, path });
      }
    }
  }
  return [...found.values()];
}

/** The first proof of containment, on the names alone; the second is made on the disk, where links are followed. */
export function liesBelow(root: string, path: string): boolean {
  const way = relative(root, normalize(path));
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function placeOf(cwd: string, written: string): string {
  return normalize(isAbsolute(written) ? written : join(cwd, written)).replace(/\/+$/u, '');
}

function isTemporary(root: string, path: string): boolean {
  const parts = relative(root, path).split(sep);
  return !parts.includes('.git') && parts.some((part) => TEMPORARY.test(part));
}
