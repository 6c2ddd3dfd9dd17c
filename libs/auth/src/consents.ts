import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  hasScopeSomewhere,
  type ConsentRequest,
  type Principal,
  type PrincipalId,
  type Scope,
  type TokenInfo,
  type WorkspaceId,
} from '#contracts';
import { AppError, Clock, newId, requireStepUp, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { hashOf, SECRET_BYTES } from './core/credentials.js';
import { areRuling, checkGrant, isAdministrator } from './core/grants.js';
import { readName } from './core/names.js';
import { isLoopback } from './core/oauth-clients.js';
import { offeredAt } from './core/oauth-places.js';
import { OauthPlaces } from './oauth-places.js';
import { AuthorizationServer, OauthRepository, TokenRepository, type Exchange, type WaitingConsent, type WantedGrant } from './ports.js';
import { changed } from './tokens.js';

/** Domain command: what a person ticked. */
export interface GiveConsent {
  readonly by: Principal;
  readonly uid: string;
  readonly exchange: Exchange;
  readonly scopes: readonly Scope[];
  readonly workspaces: readonly WorkspaceId[] | null;
}

/** Owner of what people let clients do. A grant is a token with a client and no secret, so it ends like any other. */
@Injectable()
export class Consents {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly oauth: OauthRepository,
    private readonly tokens: TokenRepository,
    private readonly places: OauthPlaces,
    private readonly admin: AdminChanges,
    private readonly clock: Clock,
  ) {}

  async look(by: Principal, uid: string, exchange: Exchange): Promise<ConsentRequest> {
    const waiting = await this.#waiting(exchange, uid);
    const { id, isDocument } = waiting.client;
    return {
      client: {
        id,
        name: nameOf(waiting),
        host: new URL(waiting.redirectUri).host,
        documentHost: isDocument ? new URL(id).host : null,
        isLocal: isLoopback(waiting.redirectUri),
      },
      resource: this.#resourceOf(waiting),
      scopes: this.#askedFor(waiting).map((scope) => ({
        scope,
        isGrantable: hasScopeSomewhere(by, scope) && (!areRuling([scope]) || isAdministrator(by)),
        isPreset: !areRuling([scope]),
      })),
    };
  }

  /** The address where the browser goes on, to the client. */
  async give({ by, uid, exchange, scopes, workspaces }: GiveConsent): Promise<string> {
    const waiting = await this.#waiting(exchange, uid);
    const asked = this.#askedFor(waiting);
    const extra = scopes.filter((scope) => !asked.includes(scope));
    if (extra.length > 0) throw new AppError('INPUT_INVALID', 'Nobody asked for this scope', { path: 'scopes', scopes: extra });
    const granted = unwrap(checkGrant(by, { personId: by.id, scopes, workspaces }));
    if (areRuling(granted)) requireStepUp(by, this.clock.now());
    const grantId = await this.server.openGrant(by.id, { ...waiting, resource: this.#resourceOf(waiting) }, granted);
    await this.#record(by, waiting, hashOf(grantId), {
      name: nameOf(waiting),
      host: new URL(waiting.redirectUri).host,
      scopes: granted,
      workspaces: workspaces && [...new Set(workspaces)].sort(),
    });
    return this.server.finish(exchange, { personId: by.id, grantId });
  }

  async refuse(uid: string, exchange: Exchange): Promise<string> {
    await this.#waiting(exchange, uid);
    return this.server.finish(exchange, 'refused');
  }

  /** The same client of the same person at the same address stays the same caller: asking for more does not lose its work. */
  async #record(by: Principal, waiting: WaitingConsent, grantKey: string, wanted: WantedGrant): Promise<void> {
    const clientId = waiting.client.id;
    const resource = this.#resourceOf(waiting);
    await this.admin.make(by, async (tx) => {
      const before = await this.oauth.findGiven(tx, { clientId, personId: by.id, resource });
      const token = before ?? this.#newToken(by, clientId, resource, wanted);
      if (before) await this.oauth.change(tx, before.id, wanted);
      else await this.tokens.insert(tx, { token, hash: hashOf(randomBytes(SECRET_BYTES).toString('base64url')), origin: null });
      await this.oauth.link(tx, grantKey, token.id, this.clock.now());
      const facts = { client_id: clientId, host: wanted.host, resource, scopes: wanted.scopes, workspaces: wanted.workspaces };
      return {
        action: 'client.signed_in',
        did: `let the client "${wanted.name}" at ${wanted.host} act with ${wanted.scopes.join(', ')}`,
        details: { token_id: token.id, name: wanted.name, before: before ? factsOf(before) : null, after: facts },
        changes: [changed(token)],
      };
    });
  }

  #newToken(by: Principal, clientId: string, resource: string, { name, host, scopes, workspaces }: WantedGrant): TokenInfo {
    return {
      id: newId<PrincipalId>(),
      name,
      personId: by.id,
      scopes,
      workspaces,
      toolFamilies: null,
      ratePerMinute: null,
      createdByName: by.name,
      createdAt: this.clock.now(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      rotatedTo: null,
      client: { id: clientId, host, resource },
    };
  }

  async #waiting(exchange: Exchange, uid: string): Promise<WaitingConsent> {
    const waiting = await this.server.waiting(exchange, uid);
    if (!waiting) {
      throw new AppError('CONSENT_OVER', 'This sign-in is over, or was begun in another browser; begin it again in the client');
    }
    return waiting;
  }

  #resourceOf({ resource }: WaitingConsent): string {
    return resource ?? this.places.resource('/mcp');
  }

  #askedFor(waiting: WaitingConsent): readonly Scope[] {
    const path = this.places.pathOf(this.#resourceOf(waiting));
    return path === undefined ? [] : offeredAt(path).filter((scope) => waiting.scopes.includes(scope));
  }
}

/** What a client calls itself, where that is a name that can be shown; else where it leads to. */
function nameOf({ client, redirectUri }: WaitingConsent): string {
  const { host } = new URL(redirectUri);
  const read = readName((client.name ?? host).slice(0, 64));
  return read.ok ? read.value.name : host.slice(0, 64);
}

function factsOf({ scopes, workspaces, client }: TokenInfo): Readonly<Record<string, unknown>> {
  return { client_id: client?.id, host: client?.host, resource: client?.resource, scopes, workspaces };
}
