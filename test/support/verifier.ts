import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './tree.js';

/** The one-file verifier as it is given out. */
export type Verifier = typeof import('../../libs/receipts/verifier/main.js') & { readonly path: string };

/** Built anew from the sources, so that no test meets an old one. */
export async function builtVerifier(): Promise<Verifier> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-verifier-'));
  const path = join(folder, 'countersign-verify.mjs');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'libs/receipts/verifier/build.mjs'), folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The verifier does not build: ${stderr}`);
  return { ...((await import(pathToFileURL(path).href)) as Omit<Verifier, 'path'>), path };
}
