import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PlatformConfig, SecretBox } from '#platform';
import { Receipts } from '#receipts';
import { Executor } from './ports.js';

/** Tells receipts and the executor which exact values must never leave them. */
@Injectable()
export class KnownSecrets implements OnApplicationBootstrap {
  constructor(
    private readonly receipts: Receipts,
    private readonly executor: Executor,
    private readonly box: SecretBox,
    private readonly platform: PlatformConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.receipts.protect([...this.box.spellings, ...passwordIn(this.platform.databaseUrl)]);
    this.executor.protect(this.receipts.secrets());
  }
}

/** Whoever has the address of the database without its password has nothing. */
function passwordIn(databaseUrl: string | undefined): readonly string[] {
  const { password } = new URL(databaseUrl ?? 'none:');
  return password === '' ? [] : [decodeURIComponent(password)];
}
