// Makes the one-file verifier of the checks in src/core, so that there is one text of them, and puts the schemas beside it:
// `node build.mjs FOLDER`.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = process.argv[2];

const BANNER = `/**
 * Countersign verifier: one file, no dependency, no network. Runs in Node.js 18 or newer, and as a module in browsers.
 *
 *   node countersign-verify.mjs FILE [--trust FINGERPRINT|KEY|KEYS.json]… [--hmac-key KEY] [--json]
 *
 * FILE is one receipt (.json) or a bundle (.zip). Exit codes: 0 all holds and the signer is one you trust, 1 something
 * is wrong, 2 not asked properly, 3 it holds in itself, but the signer is not confirmed or something was not checked.
 *
 *   import { verifyText, verifyBundle, renderChecks } from './countersign-verify.mjs';
 */`;

/** Everything runs on plain bytes; only the primitives differ. */
const portable = {
  name: 'portable-primitives',
  setup({ onResolve }) {
    onResolve({ filter: /\/primitives\.js$/ }, () => ({ path: join(here, 'primitives.ts') }));
  },
};

await build({
  entryPoints: [join(here, 'main.ts')],
  outfile: join(folder, 'countersign-verify.mjs'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: ['es2022', 'node18'],
  external: ['node:*'],
  conditions: ['development'],
  plugins: [portable],
  banner: { js: BANNER },
  charset: 'utf8',
  logLevel: 'warning',
});

cpSync(join(here, '../schemas'), join(folder, 'schemas'), { recursive: true });
