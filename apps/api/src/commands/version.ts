import { readVersion } from '#platform';

export function version(): number {
  process.stdout.write(`${readVersion()}\n`);
  return 0;
}
