import { randomUUID } from 'node:crypto';
import type { EgressAnswer, EgressRequest } from '#platform';

type Json = Record<string, unknown>;

const LEAK = 'must-not-leak';
const github = {
  ...{ service: 'github', displayName: 'GitHub', iconUrl: 'https://static.example/github.svg', homepageUrl: 'https://github.com' },
  ...{ categories: [{ id: 'developer', displayName: 'Developer' }], authTypes: ['oauth2', 'api_key'], internalSecret: LEAK },
};
const githubForms = {
  apiKeyConfig: { label: 'Personal access token', extraFields: [{ key: 'host', label: 'Host' }] },
  oauthClientConfig: {
    configured: true,
    authorizationScopeSelection: {
      requiredInRequest: false,
      options: [
        { value: 'read:user', required: true, defaultSelected: true, risk: 'standard' },
        { value: 'delete_repo', required: false, defaultSelected: false, risk: 'destructive' },
        { value: 'odd', required: false, defaultSelected: false, risk: 'made-up' },
      ],
    },
  },
};
const imap = { service: 'imap', displayName: 'IMAP', iconUrl: 'javascript:alert(1)', categories: [], authTypes: ['custom_credential'] };
const imapForms = { customCredentialConfig: { fields: [{ key: 'host', label: 'Host', secret: false }, { key: 'password', label: 'Password' }] } }; // prettier-ignore
const notion = { service: 'notion', displayName: 'Notion', categories: [], authTypes: ['oauth2'] };
const odd = { service: '../../etc', displayName: 'Bad identifier', categories: [], authTypes: ['api_key'] };

/** The hosted service as published clients know it, in place of the way out; what it adds must never be passed on. */
export class HostedConnector {
  readonly requests: EgressRequest[] = [];
  readonly accounts: Json[] = [];
  fillers = 0;

  readonly send = (request: EgressRequest): Promise<EgressAnswer> => {
    this.requests.push(request);
    return Promise.resolve(this.#answer(request));
  };

  add(service: string, more: Json = {}): Json {
    const account = {
      ...{
        id: `app_${randomUUID().slice(0, 8)}`,
        service,
        displayName: service,
        providerAccountId: `${service}:1`,
        accountLabel: 'octocat',
      },
      ...{ alias: null, authType: 'api_key', status: 'active', isDefault: false, createdAt: 1, updatedAt: 1 },
      ...{ credential: { accessToken: LEAK }, ...more },
    };
    this.accounts.push(account);
    return account;
  }

  #answer({ method, url, headers, body }: EgressRequest): EgressAnswer {
    const key = headers['authorization'];
    const failures: Record<string, readonly [number, string]> = {
      'Bearer api_limited': [429, '{"success":false,"message":"must-not-leak","data":null}'],
      'Bearer api_down': [503, 'down'],
      'Bearer api_html': [200, '<html>'],
      'Bearer api_nodata': [200, '{"success":true,"message":""}'],
      'Bearer api_refused': [200, '{"success":false,"message":"must-not-leak","data":null}'],
    };
    const [status, text] = failures[key ?? ''] ?? [];
    if (status !== undefined) return { ok: true, status, headers: {}, text: text ?? '' };
    if (key !== 'Bearer api_good') return refuse(401, 'unauthorized');
    const json = body === undefined ? {} : ((JSON.parse(body) as Json | null) ?? {});
    return this.#route(method, url.pathname, json);
  }

  #route(method: string, path: string, body: Json): EgressAnswer {
    const fillers = Array.from({ length: this.fillers }, (_, at) => ({ service: `filler_${String(at)}`, displayName: `Filler ${String(at)}`, categories: [{ id: `cat_${String(at % 12)}` }], authTypes: ['api_key'] })); // prettier-ignore
    if (path === '/v1/providers') return good([github, imap, notion, odd, ...fillers]);
    if (path === '/v1/apps') return good(this.accounts);
    if (path === '/v1/providers/github') return good({ ...github, ...githubForms });
    if (path === '/v1/providers/imap') return good({ ...imap, ...imapForms });
    const byId = /^\/v1\/apps\/by-id\/([^/]+)(\/connect.*)?$/.exec(path);
    const known = this.accounts.find(({ id }) => id === byId?.[1]);
    if (byId && !known) return refuse(404, 'not_found');
    if (known && method === 'DELETE') {
      this.accounts.splice(this.accounts.indexOf(known), 1);
      return { ok: true, status: 204, headers: {}, text: '' };
    }
    if (path === '/v1/apps/notion/connect') return refuse(400, 'user_oauth_client_required');
    if (path.endsWith('/connect')) return good({ authorizationUrl: 'https://github.com/login/oauth/authorize?state=1' });
    if (known) return good(Object.assign(known, { status: 'active', updatedAt: 2 }));
    if (path.endsWith('/default'))
      return good(Object.assign(this.accounts.find(({ id }) => id === body['appId']) ?? {}, { isDefault: true }));
    const connect = /^\/v1\/apps\/([^/]+)\/connect\//.exec(path);
    return connect ? good({ app: this.add(connect[1] ?? '') }) : refuse(404, 'not_found');
  }
}

function good(data: unknown): EgressAnswer {
  return { ok: true, status: 200, headers: {}, text: JSON.stringify({ success: true, message: 'OK', data, meta: {} }) };
}

function refuse(status: number, errorCode: string): EgressAnswer {
  return { ok: true, status, headers: {}, text: JSON.stringify({ success: false, message: LEAK, data: null, errorCode, meta: {} }) };
}
