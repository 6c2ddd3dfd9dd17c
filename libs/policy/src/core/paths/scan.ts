import type { PathLook } from '../path-look.js';
import { protection, isSecret } from './names.js';
import { isInside, resolvePath, segmentsBelow } from './resolve.js';

const MAX_FOLDERS = 300;
const MAX_ENTRIES = 6_000;
/** Bulky folders of tools; what stands there came from a registry, not from a person. */
const SKIPPED = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv', 'target']);

export interface Found {
  /** The first secret file, protected name and link that leads outside, by path; null when there is none. */
  readonly secret: string | null;
  readonly protected: string | null;
  readonly link: string | null;
  /** Not everything was seen. */
  readonly partial: boolean;
}

/** Which names a walking tool leaves out by itself. */
export type Skips = (path: string, name: string) => boolean;

/** What a tool that walks a folder by itself would meet there. Bounded: a huge folder is seen in part. */
export function scanFolder(look: PathLook, folder: string, root: string, skips: Skips = () => false): Found {
  const found: { secret: string | null; protected: string | null; link: string | null } = { secret: null, protected: null, link: null };
  const queue = [folder];
  let entries = 0;
  let folders = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if ((folders += 1) > MAX_FOLDERS) return { ...found, partial: true };
    for (const name of [...(look.list(next) ?? [])].sort()) {
      if ((entries += 1) > MAX_ENTRIES) return { ...found, partial: true };
      const path = `${next === '/' ? '' : next}/${name}`;
      if (skips(path, name)) continue;
      const fact = look.lstat(path);
      const below = segmentsBelow(root, path);
      if (fact?.kind === 'file' && isSecret(below)) found.secret ??= path;
      if (protection(below) !== null) found.protected ??= path;
      if (fact?.kind === 'symlink' && leadsOut(look, path, root)) found.link ??= path;
      if (fact?.kind === 'directory' && !SKIPPED.has(name)) queue.push(path);
    }
  }
  return { ...found, partial: false };
}

function leadsOut(look: PathLook, path: string, root: string): boolean {
  const resolved = resolvePath(look, '/', path, true);
  return resolved !== null && !isInside(root, resolved.real);
}
