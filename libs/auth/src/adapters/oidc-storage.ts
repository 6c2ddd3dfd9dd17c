import type { Adapter, AdapterConstructor, AdapterPayload } from 'oidc-provider';
import { AppError } from '#platform';
import type { Clock, SecretBox } from '#platform';
import { hashOf } from '../core/credentials.js';
import type { HeldToken, KeptArtifact, OauthRepository } from '../ports.js';

/** Kinds that are worth nothing without a grant in force. */
const GRANTED: ReadonlySet<string> = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Grant']);

export interface OidcStorageParts {
  readonly oauth: OauthRepository;
  readonly box: SecretBox;
  readonly clock: Clock;
  /** A code or refresh token came twice: its grant ends. */
  readonly endGrant: (grantKey: string) => Promise<void>;
}

/** The library's storage over our repository: identifiers as SHA-256, contents sealed, each use counted once. */
export function oidcStorage({ oauth, box, clock, endGrant }: OidcStorageParts): AdapterConstructor {
  return class OidcStorage implements Adapter {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      const grantId = this.#kind === 'Grant' ? id : payload.grantId;
      const now = clock.now();
      await oauth.put(
        {
          kind: this.#kind,
          key: this.#keyOf(id),
          grantKey: grantId === undefined ? null : hashOf(grantId),
          uidKey: payload.uid === undefined ? null : hashOf(payload.uid),
          sealed: box.seal(JSON.stringify(payload)),
          expiresAt: expiresIn > 0 ? now + expiresIn * 1_000 : null,
        },
        now,
      );
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return this.#open(await oauth.find(this.#kind, this.#keyOf(id), clock.now()));
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.#open(await oauth.findByUid(this.#kind, hashOf(uid), clock.now()));
    }

    /** There are no devices without a browser here. */
    findByUserCode(): Promise<undefined> {
      return Promise.resolve(undefined);
    }

    /** Of two uses at once, one counts. */
    async consume(id: string): Promise<void> {
      if (await oauth.consume(this.#kind, this.#keyOf(id), clock.now())) return;
      const { errors } = await import('oidc-provider');
      throw new errors.InvalidGrant('it was used already');
    }

    async destroy(id: string): Promise<void> {
      await oauth.remove(this.#kind, this.#keyOf(id));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await endGrant(hashOf(grantId));
    }

    #keyOf(id: string): string {
      return this.#kind === 'Client' ? id : hashOf(id); // the name of a client is no secret, and clients are counted by it
    }

    async #open(kept: KeptArtifact | undefined): Promise<AdapterPayload | undefined> {
      if (!kept) return undefined;
      if (GRANTED.has(this.#kind) && !isInForce(kept.grantKey === null ? undefined : await oauth.holderOf(kept.grantKey))) return undefined;
      const payload = JSON.parse(box.open(kept.sealed)) as AdapterPayload; // only `upsert` writes it
      return kept.consumedAt === null ? payload : { ...payload, consumed: Math.floor(kept.consumedAt / 1_000) };
    }
  };
}

function isInForce(held: HeldToken | undefined): boolean {
  return held?.token.revokedAt === null && held.person !== null && held.person.disabledAt === null;
}

/** The library reports what it refuses by a status; here it is what every door says. */
export function consentOver(): AppError {
  return new AppError('CONSENT_OVER', 'This sign-in is over, or was begun in another browser; begin it again in the client');
}
