import { readFileSync } from 'node:fs';
import { renderChecks, verifyFile } from '#receipts/core';

/** Checks one receipt file without a server, a key or a network. */
export function verify(args: readonly string[]): number {
  const [file] = args;
  if (file === undefined || args.length > 1) {
    process.stderr.write('Usage: countersign verify FILE\n');
    return 2;
  }
  const checks = verifyFile(parse(file));
  process.stdout.write(renderChecks(checks));
  return checks.every(({ ok }) => ok !== false) ? 0 : 1;
}

function parse(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON, so it is no receipt file`, { cause });
  }
}
