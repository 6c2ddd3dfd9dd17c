import { Injectable } from '@nestjs/common';
import { AGENT_SCOPES, SCOPES, type Principal, type PrincipalId } from '#contracts';
import { SecretBox } from '#platform';

/** Owns the principals that need no credential, because they run as the user who holds the data folder. */
@Injectable()
export class LocalCallers {
  /** Fixed per data folder: it comes from the folder's key. */
  readonly id: PrincipalId;

  constructor(box: SecretBox) {
    this.id = toUuid(box.derive('auth/local-principal'));
  }

  /** The parent process of STDIO: an agent, so it cannot decide or administer. */
  localPrincipal(): Principal {
    return this.#caller('stdio', 'local', AGENT_SCOPES);
  }

  /** The person at the command line of this machine. */
  commandLine(): Principal {
    return this.#caller('cli', 'command line', SCOPES);
  }

  #caller(channel: Principal['channel'], name: string, scopes: Principal['scopes']): Principal {
    return { id: this.id, kind: 'local', name, roles: [], scopes, channel, expiresAt: Number.MAX_SAFE_INTEGER };
  }
}

/** Key material in the shape of a UUID of version 8 (own meaning). */
function toUuid(key: Buffer): PrincipalId {
  const bytes = Buffer.from(key.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  // The brand exists at compile time only.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as PrincipalId;
}
