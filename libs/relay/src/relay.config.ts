import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '#platform';
import * as z from 'zod';

/** The settings that relay owns, as documented in docs/configuration.md (checked). */
export const RelayEnv = z.object({
  HOST_PACKAGES: z.string().min(1).optional(),
});

/** Read once, typed; also the injection token. */
export class RelayConfig {
  /** Where agent hosts are installed, one folder for each version. */
  readonly packagesDir: string;

  constructor(env: z.output<typeof RelayEnv>) {
    this.packagesDir = resolve(env.HOST_PACKAGES ?? join(homedir(), '.cache', 'countersign', 'hosts'));
    Object.freeze(this);
  }

  static read(): RelayConfig {
    return new RelayConfig(readConfig(RelayEnv));
  }
}
