import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const Package = z.object({ name: z.literal('countersign'), version: z.string() });

/** The version of the product: that of the nearest package file above this one, in the source tree and in the build. */
export function readVersion(): string {
  return find(import.meta.dirname);
}

function find(folder: string): string {
  const parsed = Package.safeParse(read(join(folder, 'package.json')));
  if (parsed.success) return parsed.data.version;
  const parent = dirname(folder);
  return parent === folder ? 'unknown' : find(parent);
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // no package file here: the search goes on above
  }
}
