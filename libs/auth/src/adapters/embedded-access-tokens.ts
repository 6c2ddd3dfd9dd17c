import { Injectable } from '@nestjs/common';
import type { Scope } from '#contracts';
import { Clock, SecretBox } from '#platform';
import { hashOf } from '../core/credentials.js';
import { AccessTokens, OauthRepository, type FoundAccess } from '../ports.js';

/** What the authorization server wrote into the row of an access token. */
interface Payload {
  readonly aud?: string | readonly string[];
  readonly scope?: string;
}

/** Reads the access tokens that this server gave out from its database, so that an end counts at once. */
@Injectable()
export class EmbeddedAccessTokens extends AccessTokens {
  constructor(
    private readonly oauth: OauthRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async find(secret: string): Promise<FoundAccess | undefined> {
    const kept = await this.oauth.find('AccessToken', hashOf(secret), this.clock.now());
    if (!kept || kept.grantKey === null || kept.expiresAt === null) return undefined;
    const held = await this.oauth.holderOf(kept.grantKey);
    if (!held) return undefined;
    const { aud, scope = '' } = JSON.parse(this.box.open(kept.sealed)) as Payload; // only the authorization server writes it
    const [resource, ...others] = [aud ?? []].flat();
    if (resource === undefined || others.length > 0) return undefined;
    return { held, scopes: scope.split(' ') as Scope[], resource, expiresAt: kept.expiresAt };
  }
}
