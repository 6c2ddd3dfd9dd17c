// Tells whether an installed or built folder still belongs to the files it was made from: by content, so that touching a file costs nothing.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node.mjs';

export function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
    return;
  }
  if (/\.(spec|e2e)\.ts$/.test(path) || path.endsWith('.md')) return;
  hash.update(`${path}\0`).update(readFileSync(full));
}

export function isFresh(stamp, digest) {
  try {
    return readFileSync(join(root, stamp), 'utf8') === digest;
  } catch {
    return false; // never stamped
  }
}

export function markFresh(stamp, digest) {
  mkdirSync(dirname(join(root, stamp)), { recursive: true });
  writeFileSync(join(root, stamp), digest);
}
