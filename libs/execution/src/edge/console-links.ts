import { Injectable } from '@nestjs/common';
import type { AskId } from '#contracts';
import { PlatformConfig } from '#platform';

/** Addresses of console pages. None holds a secret: whoever opens one signs in first. */
@Injectable()
export class ConsoleLinks {
  constructor(private readonly platform: PlatformConfig) {}

  toAsk(id: AskId | null): string | undefined {
    return id === null ? undefined : `${this.platform.publicUrl}/asks/${id}`;
  }
}
