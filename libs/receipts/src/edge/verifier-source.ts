import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'countersign-verify.mjs';
/** Beside the built server; from the sources it is found below the project's root. */
const PLACES: readonly string[] = [NAME, join('dist', 'server', NAME)];

let path: Promise<string> | undefined;

/** Where the one-file verifier of this installation stands. */
export function verifierPath(): Promise<string> {
  path ??= find(dirname(fileURLToPath(import.meta.url)));
  return path;
}

/** The text of the one-file verifier. */
export async function verifierSource(): Promise<string> {
  return readFile(await verifierPath(), 'utf8');
}

async function find(folder: string): Promise<string> {
  for (const place of PLACES) {
    const candidate = join(folder, place);
    if (await isThere(candidate)) return candidate;
  }
  if (dirname(folder) === folder) throw new Error('The verifier is missing from this installation');
  return find(dirname(folder));
}

function isThere(candidate: string): Promise<boolean> {
  return access(candidate).then(
    () => true,
    () => false,
  );
}
