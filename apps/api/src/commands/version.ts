import { PlatformConfig } from '#platform';

export function version(): number {
  process.stdout.write(`${PlatformConfig.read().version}\n`);
  return 0;
}
