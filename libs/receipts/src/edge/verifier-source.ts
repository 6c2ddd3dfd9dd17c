import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = join('libs', 'receipts', 'verifier', 'verify.mjs');

let source: Promise<string> | undefined;

/** The text of the offline verifier. It is the same file whether this module runs from its source or from the build. */
export function verifierSource(): Promise<string> {
  source ??= find(dirname(fileURLToPath(import.meta.url))).then((path) => readFile(path, 'utf8'));
  return source;
}

async function find(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  if (dirname(folder) === folder) throw new Error('The verifier is missing from this installation');
  return find(dirname(folder));
}
