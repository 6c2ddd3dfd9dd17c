import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BundleExtras } from '../receipt-exports.js';
import { verifierPath, verifierSource } from './verifier-source.js';

/** What goes into every bundle: the verifier and the schemas of this installation. */
export async function bundleExtras(): Promise<BundleExtras> {
  const folder = join(dirname(await verifierPath()), 'schemas');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.schema.json')).sort();
  const schemas = await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
  return { verifier: await verifierSource(), schemas };
}
