import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { PublicKey } from '#contracts';
import { isVerified, keyId, renderChecks, verifyFile } from '#receipts/core';

const USAGE = 'Usage: countersign verify FILE [--key PUBLIC_KEY]\n';

/** Checks one receipt file without a server or a network. `--key` names the key to trust, as `GET /api/receipts/keys` shows it. */
export function verify(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { key: { type: 'string' } } });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  const checks = verifyFile(readFileSync(file, 'utf8'), values.key === undefined ? {} : { keys: [trusted(values.key)] });
  process.stdout.write(renderChecks(checks));
  return isVerified(checks) ? 0 : 1;
}

function trusted(publicKey: string): PublicKey {
  return { id: keyId(publicKey), algorithm: 'ed25519', publicKey };
}
