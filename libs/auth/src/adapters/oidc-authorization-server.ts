import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { Configuration, default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import type { PrincipalId, Scope } from '#contracts';
import { Clock, Egress, PlatformConfig, SecretBox } from '#platform';
import { offeredAt, suggestedAt } from '../core/oauth-places.js';
import { redirectProblem } from '../core/oauth-clients.js';
import { OauthEnds } from '../oauth-ends.js';
import { OauthConfig } from '../oauth.config.js';
import { OauthPlaces } from '../oauth-places.js';
import { OauthThrottle } from '../oauth-throttle.js';
import { AuthorizationServer, OauthRepository, PersonRepository, type Exchange, type WaitingConsent } from '../ports.js';
import { egressFetch } from './egress-fetch.js';
import { consentOver, oidcStorage } from './oidc-storage.js';

const MINUTE_S = 60;
const DAY_S = 86_400;
const KEYS = 'auth.oauth_keys';

/** The library behind our addresses. It is large, and loaded when somebody signs in for the first time. */
@Injectable()
export class OidcAuthorizationServer extends AuthorizationServer {
  readonly #log = new Logger(OidcAuthorizationServer.name);
  #provider: Promise<Provider> | undefined;

  constructor(
    private readonly oauth: OauthRepository,
    private readonly people: PersonRepository,
    private readonly places: OauthPlaces,
    private readonly ends: OauthEnds,
    private readonly throttle: OauthThrottle,
    private readonly egress: Egress,
    private readonly box: SecretBox,
    private readonly config: OauthConfig,
    private readonly platform: PlatformConfig,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async serve({ request, reply }: Exchange, path: string, body: Buffer): Promise<void> {
    const provider = await this.#ready();
    const answering = provider.callback() as (request: IncomingMessage, reply: ServerResponse) => Promise<void>;
    await answering(this.#seenFromOutside(request, path, body), reply);
  }

  override async waiting({ request, reply }: Exchange, uid: string): Promise<WaitingConsent | undefined> {
    const provider = await this.#ready();
    const found = await provider.interactionDetails(request, reply).catch(() => undefined);
    if (found?.uid !== uid) return undefined;
    const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = found.params;
    const client = typeof clientId === 'string' ? await provider.Client.find(clientId) : undefined;
    if (!client || typeof redirectUri !== 'string') return undefined;
    return {
      client: { id: client.clientId, name: client.clientName, isDocument: /^https:/.test(client.clientId) },
      redirectUri,
      resource: typeof resource === 'string' ? resource : undefined,
      scopes: typeof scope === 'string' ? scope.split(' ') : [],
    };
  }

  override async openGrant(accountId: PrincipalId, consent: WaitingConsent, scopes: readonly Scope[]): Promise<string> {
    const { Grant } = await this.#ready();
    const grant = new Grant({ accountId, clientId: consent.client.id });
    const { resource = '' } = consent;
    grant.addResourceScope(resource, scopes.join(' '));
    const refused = consent.scopes.filter((scope) => !(scopes as readonly string[]).includes(scope));
    grant.rejectResourceScope(resource, refused.join(' '));
    grant.addOIDCScope('offline_access');
    grant.rejectOIDCScope('openid');
    return grant.save();
  }

  override async finish(
    { request, reply }: Exchange,
    end: { readonly personId: PrincipalId; readonly grantId: string } | 'refused',
  ): Promise<string> {
    const provider = await this.#ready();
    const result =
      end === 'refused'
        ? { error: 'access_denied', error_description: 'The person refused' }
        : { login: { accountId: end.personId, remember: false }, consent: { grantId: end.grantId } };
    return provider.interactionResult(request, reply, result, { mergeWithLastSubmission: false }).catch(() => {
      throw consentOver();
    });
  }

  #ready(): Promise<Provider> {
    return (this.#provider ??= this.#open().catch((error: unknown) => {
      this.#provider = undefined; // the next one tries again
      throw error;
    }));
  }

  async #open(): Promise<Provider> {
    const { default: Library, interactionPolicy } = await import('oidc-provider');
    const policy = interactionPolicy.base();
    // Whoever signs in is asked each time: no grant of before is given again in silence.
    policy
      .get('consent')
      ?.checks.add(
        new interactionPolicy.Check(
          'asked_each_time',
          'The person is asked',
          'interaction_required',
          ({ oidc }) => oidc.result?.consent === undefined,
        ),
      );
    const provider = new Library(this.places.issuer, {
      ...(await this.#configuration()),
      interactions: { policy, url: (_, { uid }) => this.#consentUrl(uid) },
    });
    provider.proxy = true; // what `#seenFromOutside` says counts
    provider.on('server_error', (_, error) => {
      this.#log.error('The authorization server failed', error);
    });
    return provider;
  }

  /** Below it lie all calls of one consent, so that the cookie of this very sign-in comes with them. */
  #consentUrl(uid: string): string {
    return `${this.platform.publicUrl}/api/consents/${uid}`;
  }

  async #configuration(): Promise<Configuration> {
    const { oauth, box, clock, ends } = this;
    const keys = JSON.parse(box.open(await oauth.keep(KEYS, async () => box.seal(JSON.stringify(await newKeys()))))) as NonNullable<
      Configuration['jwks']
    >;
    const cookie = { httpOnly: true, sameSite: 'lax' as const, signed: true };
    return {
      adapter: oidcStorage({ oauth, box, clock, endGrant: (grantKey) => ends.end(grantKey) }),
      jwks: keys,
      cookies: {
        keys: [box.derive('auth/oauth-cookies').toString('base64url')],
        names: { session: 'csn_oauth_session', interaction: 'csn_oauth_consent', resume: 'csn_oauth_resume' },
        long: cookie,
        short: cookie,
      },
      routes: { registration: '/reg' },
      scopes: ['openid', 'offline_access'],
      claims: { openid: ['sub'] },
      responseTypes: ['code'],
      subjectTypes: ['public'],
      clientAuthMethods: ['none'],
      clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
      expiresWithSession: () => false,
      clientBasedCORS: () => false,
      conformIdTokenClaims: true,
      fetch: egressFetch(this.egress),
      findAccount: (_, id) => this.#account(id),
      discovery: { scopes_supported: [...offeredAt('/mcp').filter((scope) => scope !== 'approvals:decide'), 'offline_access'] },
      renderError: (context, out) => {
        context.type = 'html';
        context.body = errorPage(out.error, out.error_description);
      },
      ttl: {
        AccessToken: 15 * MINUTE_S,
        AuthorizationCode: MINUTE_S,
        RefreshToken: 30 * DAY_S,
        Grant: 365 * DAY_S,
        Interaction: 10 * MINUTE_S,
        Session: 10 * MINUTE_S,
        IdToken: 10 * MINUTE_S,
      },
      features: this.#features(),
    };
  }

  #features(): NonNullable<Configuration['features']> {
    return {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      claimsParameter: { enabled: false },
      revocation: { enabled: true },
      registration: {
        enabled: this.config.allowsRegistration,
        issueRegistrationAccessToken: false,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => oneOf?.[0] ?? this.places.resource('/mcp'),
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => this.#resourceServer(resource),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: 3_600 },
        allowFetch: (context: KoaContextWithOIDC, id: string) =>
          this.throttle.mayFetch(context.ip) && this.egress.objection(new URL(id)) === undefined,
        allowClient: (_: unknown, { redirectUris = [] }: { readonly redirectUris?: readonly string[] }) =>
          redirectUris.length > 0 && redirectUris.every((uri) => redirectProblem(uri) === undefined),
      },
    } as NonNullable<Configuration['features']>; // the types of the library lag behind its features
  }

  async #resourceServer(resource: string): Promise<{ scope: string; audience: string; accessTokenFormat: 'opaque' }> {
    const path = this.places.pathOf(resource);
    const { errors } = await import('oidc-provider');
    if (path === undefined) throw new errors.InvalidTarget('This server has no such resource');
    return { scope: offeredAt(path).join(' '), audience: resource, accessTokenFormat: 'opaque' };
  }

  async #account(id: string): Promise<{ accountId: string; claims: () => { sub: string } } | undefined> {
    const person = await this.people.find(id as PrincipalId); // `finish` says who it is
    return person?.disabledAt === null ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
  }

  /**
   * The request as it was sent to the public address, whatever proxy handed it on, and without the session of an earlier sign-in:
   * who signs in is known from the console each time. Its body was read already, within its limit.
   */
  #seenFromOutside(request: IncomingMessage, path: string, body: Buffer): IncomingMessage {
    const { protocol, host } = new URL(this.places.publicUrl);
    const { 'x-forwarded-host': _host, 'transfer-encoding': _encoding, cookie = '', ...headers } = request.headers;
    const url = withScope(path, this.places);
    const cookies = cookie.split(/;\s*/).filter((pair) => !/^csn_oauth_session(\.sig)?=/.test(pair));
    return Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      method: request.method,
      url,
      originalUrl: `${this.places.basePath}/oauth${url}`,
      headers: {
        ...headers,
        host,
        'content-length': String(body.length),
        cookie: cookies.join('; '),
        'x-forwarded-proto': protocol.slice(0, -1),
      },
      socket: request.socket,
      httpVersion: request.httpVersion,
      httpVersionMajor: request.httpVersionMajor,
      complete: true,
    }) as unknown as IncomingMessage; // all of it that the library reads
  }
}

/** A client that names no scope is shown what its address suggests. */
function withScope(path: string, places: OauthPlaces): string {
  const url = new URL(path, 'http://inside');
  if (url.pathname !== '/auth' || (url.searchParams.get('scope') ?? '').trim() !== '') return path;
  const resource = places.pathOf(url.searchParams.get('resource') ?? '') ?? '/mcp';
  url.searchParams.set('scope', suggestedAt(resource).join(' '));
  return `${url.pathname}${url.search}`;
}

async function newKeys(): Promise<object> {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'ES256', kid: 'countersign-oauth' }] };
}

/** Said to a person in a browser, where no client can be told: it may be the client that lies. */
function errorPage(code: unknown, description: unknown): string {
  const text = (value: unknown): string =>
    (typeof value === 'string' ? value : '')
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/[&<>"']/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title><h1>This sign-in cannot go on</h1><p>${text(code)}: ${text(description)}</p><p>Nothing was given. Begin again in the client.</p></html>`;
}
