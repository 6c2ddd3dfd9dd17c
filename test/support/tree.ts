import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Files below a folder of the project, relative to it, sorted; generated folders left out. */
export function filesBelow(folder: string, wanted: (path: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (['node_modules', 'dist', '.cache', '.angular', '.git', 'data', 'test-results'].includes(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (wanted(relative(root, path))) found.push(relative(root, path));
    }
  };
  visit(join(root, folder));
  return found.sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Files that git keeps; empty outside a checkout. */
export function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}
