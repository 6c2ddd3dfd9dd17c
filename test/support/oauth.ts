import { createHash, randomBytes } from 'node:crypto';
import type { ConsentEnd, ConsentRequest, Scope, WorkspaceId } from '#contracts';
import type { HttpCaller } from './auth-app.js';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly error?: string;
}

export interface Asking {
  readonly scope?: string;
  readonly resource?: string;
  readonly state?: string;
  readonly redirectUri?: string;
}

/** A browser's cookies by name, whatever their path. */
class Jar {
  readonly #kept = new Map<string, string>();

  keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      if (/expires=Thu, 01 Jan 1970/i.test(cookie)) this.#kept.delete(pair.slice(0, at));
      else this.#kept.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  get header(): string {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** A client of the protocol with the browser that it opens, over plain HTTP. */
export class OauthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly jar = new Jar();
  clientId = '';

  constructor(
    readonly url: string,
    readonly redirectUri = 'http://127.0.0.1:9/callback',
  ) {}

  async register(metadata: Record<string, unknown> = {}): Promise<Response> {
    const body = JSON.stringify({ client_name: 'Test client', redirect_uris: [this.redirectUri], ...metadata });
    const response = await fetch(`${this.url}/oauth/reg`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (response.ok) this.clientId = ((await response.clone().json()) as { client_id: string }).client_id;
    return response;
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url');
  }

  authorizeUrl({ scope, resource = `${this.url}/mcp`, state = 'state', redirectUri = this.redirectUri }: Asking = {}): URL {
    const url = new URL(`${this.url}/oauth/auth`);
    const params = { response_type: 'code', client_id: this.clientId, redirect_uri: redirectUri, state, code_challenge: this.challenge };
    for (const [name, value] of Object.entries({ ...params, code_challenge_method: 'S256', resource, ...(scope && { scope }) })) {
      url.searchParams.set(name, value);
    }
    return url;
  }

  /** A step of the browser, without following where it leads. */
  async go(url: string | URL): Promise<Response> {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.jar.header } });
    this.jar.keep(response);
    return response;
  }

  /** The id of the consent that a person is asked for. */
  async begin(asking: Asking = {}): Promise<string> {
    const started = await this.go(this.authorizeUrl(asking));
    const uid = /\/api\/consents\/([^/]+)$/.exec(started.headers.get('location') ?? '')?.[1];
    if (uid === undefined)
      throw new Error(`No consent: ${String(started.status)} ${started.headers.get('location') ?? (await started.text())}`);
    return uid;
  }

  /** What the page of the console does with the person's session in this browser. */
  at<T>(person: HttpCaller, method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    return person.send<T>(method, path, body, { cookie: `${person.cookie}; ${this.jar.header}` });
  }

  look(person: HttpCaller, uid: string): Promise<{ status: number; body: ConsentRequest }> {
    return this.at(person, 'GET', `/api/consents/${uid}/request`);
  }

  give(
    person: HttpCaller,
    uid: string,
    scopes: readonly Scope[],
    workspaces?: readonly WorkspaceId[],
  ): Promise<{ status: number; body: ConsentEnd }> {
    return this.at(person, 'POST', `/api/consents/${uid}/give`, { scopes, ...(workspaces && { workspaces }) });
  }

  /** From the person's word back to the client: the address that it is called with. */
  async end(next: string): Promise<URL> {
    const ended = await this.go(next);
    return new URL(ended.headers.get('location') ?? `error:${String(ended.status)}:${await ended.text()}`);
  }

  async token(fields: Record<string, string>): Promise<{ status: number; body: Tokens }> {
    const response = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: this.clientId, ...fields }),
    });
    return { status: response.status, body: (await response.json()) as Tokens };
  }

  exchange(code: string, more: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: this.verifier, ...more });
  }

  refresh(token: string, more: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...more });
  }

  /** A code that the person gave. */
  async code(person: HttpCaller, scopes: readonly Scope[], asking: Asking = {}, workspaces?: readonly WorkspaceId[]): Promise<string> {
    const uid = await this.begin({ scope: scopes.join(' '), ...asking });
    const given = await this.give(person, uid, scopes, workspaces);
    if (given.status !== 200) throw new Error(`No consent: ${JSON.stringify(given.body)}`);
    return (await this.end(given.body.url)).searchParams.get('code') ?? '';
  }

  /** The whole way. */
  async signIn(person: HttpCaller, scopes: readonly Scope[], asking: Asking = {}, workspaces?: readonly WorkspaceId[]): Promise<Tokens> {
    if (this.clientId === '') {
      const registered = await this.register();
      if (!registered.ok) throw new Error(`Not registered: ${await registered.text()}`);
    }
    const { status, body } = await this.exchange(await this.code(person, scopes, asking, workspaces));
    if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
    return body;
  }
}
