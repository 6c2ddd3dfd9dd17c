import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

/** How the next call of an action goes wrong. `drop_before`: the provider is never reached. */
export type Fault = 'none' | 'drop_before' | 'drop_after' | 'error_500' | 'html' | 'slow' | 'hang';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const FIVE_TOOLS = ['list_apps', 'list_connections', 'search_actions', 'get_action_guide', 'execute_action'];
const issueSchema = {
  type: 'object',
  properties: { owner: { type: 'string' }, repo: { type: 'string' }, title: { type: 'string' } },
  additionalProperties: false,
  required: ['owner', 'repo', 'title'],
};

/** A self-hosted connector in the shapes that a real one was seen to answer in; its messages hold text that must not get out. */
export class OpenConnectorStub {
  readonly requests: SeenRequest[] = [];
  /** What the provider did, in order. */
  readonly effects: string[] = [];
  readonly tokens = new Map<string, string>([['runtime-good', 'token-1']]);
  readonly tokenBodies: Json[] = [];
  adminToken = 'admin-good';
  fault: Fault = 'none';
  slowMs = 300;
  schema: Json = issueSchema;
  redirectsTo: string | undefined;
  health = 200;
  readonly accounts = new Map<string, { id: string; service: string; connectionName: string; accountId: string }>([
    ['acc-1', { id: 'acc-1', service: 'github', connectionName: 'default', accountId: 'octocat' }],
  ]);
  readonly #kept = new Map<string, Answer & { readonly input: string }>();
  readonly #runs = new Map<string, Json>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Calls of actions that arrived, with their keys. */
  get calls(): readonly SeenRequest[] {
    return this.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/actions/'));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = 'GET', url = '/' } = request;
    const { pathname, searchParams } = new URL(url, 'http://stub');
    this.requests.push({ method, path: pathname, headers: request.headers, body });
    if (this.redirectsTo !== undefined) return void response.writeHead(302, { location: this.redirectsTo }).end();
    const key = request.headers.authorization?.replace('Bearer ', '');
    const isAdmin = key === this.adminToken;
    const isRuntime = this.tokens.size === 0 || (key !== undefined && this.tokens.has(key));
    const json: Json = body === '' || body === 'null' ? {} : (JSON.parse(body) as Json);
    if (this.health !== 200) {
      send(response, { status: this.health, body: { error: { code: 'x', message: 'must-not-leak' } } });
      return;
    }
    if (pathname.startsWith('/api/')) {
      send(response, isAdmin ? this.#admin(method, pathname, json) : unauthorized());
      return;
    }
    if (!isRuntime) {
      send(response, unauthorized());
      return;
    }
    if (pathname === '/mcp') {
      this.#mcp(method, json, response);
      return;
    }
    const call = /^\/v1\/actions\/([^/]+)$/.exec(pathname);
    if (call && method === 'POST') return this.#call(decodeURIComponent(call[1] ?? ''), json, request, response);
    send(response, this.#runtime(pathname, searchParams));
  }

  #runtime(path: string, query: URLSearchParams): Answer {
    const action = /^\/v1\/actions\/([^/]+)$/.exec(path);
    if (path === '/v1/health') return good({ ok: true });
    if (path === '/v1/apps') return good([...this.accounts.values()].map((one) => this.#app(one)));
    if (path === '/v1/providers') return good(this.#providers().filter(({ service }) => [null, service].includes(query.get('service'))));
    if (!action) return { status: 404, body: { error: { code: 'not_found', message: 'Not found.' } } };
    const found = this.#action(decodeURIComponent(action[1] ?? ''));
    if (found) return good(found);
    return { status: 404, body: { success: false, message: 'must-not-leak', data: null, errorCode: 'unknown_action', meta: {} } };
  }

  #action(id: string): Json | undefined {
    const [service, name] = id.split('.');
    if (service !== 'github' || !['create_issue', 'get_current_user', 'delete_repository', 'run_query'].includes(name ?? ''))
      return undefined;
    const descriptions: Record<string, string> = {
      create_issue: 'Create an issue in a GitHub repository.',
      get_current_user: 'Get the user.',
    };
    return {
      ...{ id, service, name, description: descriptions[name ?? ''] ?? 'An action.', requiredScopes: ['repo'], providerPermissions: [] },
      ...{ inputSchema: name === 'create_issue' ? this.schema : { type: 'object' }, outputSchema: { type: 'object' } },
      execution: { locallyExecutable: true, noAuthRunnable: false, needsCredential: true },
    };
  }

  #providers(): readonly (Json & { readonly service: string })[] {
    const icon = 'javascript:alert(1)';
    return [
      { service: 'github', displayName: 'GitHub', iconUrl: icon, categories: [{ id: 'dev', displayName: 'Developer' }], authTypes: ['oauth2', 'api_key'], internalSecret: 'must-not-leak' }, // prettier-ignore
      { service: 'hackernews', displayName: 'Hacker News', categories: [], authTypes: ['no_auth'] },
    ];
  }

  #app({ id, service, connectionName, accountId }: { id: string; service: string; connectionName: string; accountId: string }): Json {
    return {
      ...{ id, service, status: 'active', alias: connectionName, authType: 'api_key', displayName: accountId, accountLabel: accountId },
      ...{ isDefault: connectionName === 'default', scopes: [], credential: { accessToken: 'must-not-leak' } },
    };
  }

  #admin(method: string, path: string, body: Json): Answer {
    const put = /^\/api\/connections\/([^/]+)$/.exec(path);
    const run = /^\/api\/runs\/([^/]+)$/.exec(path);
    if (path === '/api/connections') return bare([...this.accounts.values()].map((one) => connectionOf(one)));
    if (put && method === 'PUT') {
      const name = (body['connectionName'] as string | undefined) ?? 'default';
      const values = body['values'] as Record<string, string>;
      if (values['apiKey'] === 'bad')
        return { status: 400, body: { error: { code: 'credential_verification_failed', message: 'must-not-leak' } } };
      const id = [...this.accounts.values()].find((one) => one.connectionName === name && one.service === put[1])?.id ?? randomUUID();
      const account = { id, service: put[1] ?? '', connectionName: name, accountId: `octo-${name}` };
      this.accounts.set(id, account);
      return bare(connectionOf(account));
    }
    if (put && method === 'DELETE') {
      const name = (body['connectionName'] as string | undefined) ?? 'default';
      for (const [id, one] of this.accounts) if (one.connectionName === name && one.service === put[1]) this.accounts.delete(id);
      return bare({ service: put[1], connectionName: name, configured: false });
    }
    if (path === '/api/providers/github') {
      const field = { key: 'host', label: 'Host', required: false, secret: false };
      return bare({ ...this.#providers()[0], auth: [{ type: 'api_key', label: 'Token', extraFields: [field] }, { type: 'oauth2', scopes: ['repo', 'read:user'] }], actions: [] }); // prettier-ignore
    }
    if (path === '/api/oauth/configs') return bare([{ service: 'github', configured: true, clientId: 'cid', effectiveScopes: ['repo'] }]);
    if (path === '/api/oauth/authorizations') return bare({ authorizationUrl: 'https://github.com/login/oauth/authorize?x=1', state: 's' });
    if (run) return this.#runs.has(run[1] ?? '') ? bare(this.#runs.get(run[1] ?? '')) : { status: 404, body: { error: { code: 'run_not_found', message: '' } } }; // prettier-ignore
    if (path === '/api/runtime-tokens' && method === 'POST') {
      this.tokenBodies.push(body);
      const [token, id] = [`oct_${randomUUID()}`, randomUUID()];
      this.tokens.set(token, id);
      return bare({ token, record: { id, ...body } });
    }
    if (path.startsWith('/api/runtime-tokens/') && method === 'DELETE') {
      const id = path.split('/').at(-1) ?? '';
      for (const [token, known] of this.tokens) if (known === id) this.tokens.delete(token);
      return bare({ id, revoked: true });
    }
    if (path.startsWith('/api/oauth/configs/')) return bare({ service: 'github', configured: method === 'PUT' });
    return { status: 404, body: { error: { code: 'not_found', message: 'Not found.' } } };
  }

  async #call(id: string, body: Json, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.headers['idempotency-key'] as string | undefined;
    const input = JSON.stringify(body['input'] ?? {});
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept) {
      send(response, kept);
      return;
    }
    const { fault } = this;
    this.fault = 'none';
    if (fault === 'drop_before') return void request.socket.destroy();
    const executionId = randomUUID();
    const meta = { executionId, actionId: id, auditPersisted: true };
    const refusal = this.#refusal(id, body, meta);
    if (!refusal && id.split('.')[1] !== 'get_current_user') this.effects.push(`${id} ${input}`);
    const isFailed = fault === 'error_500';
    const answer: Answer =
      refusal ??
      (isFailed
        ? { status: 500, body: { success: false, message: 'must-not-leak', data: { status: 500 }, errorCode: 'provider_error', meta } }
        : { status: 200, body: { success: true, message: 'OK', data: { number: this.effects.length, input: body['input'] }, meta } });
    if (key !== undefined) this.#kept.set(key, { ...answer, input });
    this.#runs.set(executionId, { id: executionId, ok: !refusal && !isFailed, errorCode: isFailed ? 'provider_error' : undefined });
    if (fault === 'drop_after') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>must-not-leak</html>');
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    send(response, answer);
  }

  #refusal(id: string, body: Json, meta: Json): Answer | undefined {
    const refuse = (status: number, errorCode: string): Answer => ({ status, body: { success: false, message: 'must-not-leak', data: null, errorCode, meta } }); // prettier-ignore
    if (!this.#action(id)) return refuse(404, 'unknown_action');
    const name = body['connectionName'];
    if (![...this.accounts.values()].some(({ connectionName }) => connectionName === (name ?? 'default')))
      return refuse(404, 'connection_not_found');
    const input = body['input'] as Json;
    return id === 'github.create_issue' && typeof input['title'] !== 'string' ? refuse(400, 'invalid_input') : undefined;
  }

  #mcp(method: string, message: Json, response: ServerResponse): void {
    if (method !== 'POST') return send(response, { status: 405, body: { jsonrpc: '2.0', error: { code: -32000, message: '' }, id: null } });
    const { id, method: name, params } = message as { id?: number; method: string; params?: Json };
    if (id === undefined) return void response.writeHead(202).end();
    const result = this.#answer(name, params ?? {});
    const body = result ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${JSON.stringify(body)}\n\n`);
  }

  #answer(method: string, params: Json): Json | undefined {
    if (method === 'initialize')
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'oomol-connect', version: '0.1.0' } };
    if (method === 'ping') return {};
    if (method === 'tools/list') return { tools: FIVE_TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })) };
    if (method !== 'tools/call') return undefined;
    const input = params['arguments'] as Json;
    const capability = { requiredScopes: ['repo'], providerPermissions: [], policy: { allowed: true, checks: [] } };
    if (params['name'] === 'search_actions') {
      const rows = ['create_issue', 'get_current_user', 'delete_repository', 'run_query'].map((name) => ({ ...this.#action(`github.${name}`), capability })); // prettier-ignore
      return structured({ ok: true, data: rows });
    }
    const id = String(input['actionId']);
    if (!this.#action(id))
      return { ...structured({ ok: false, error: { code: 'unknown_action', message: 'must-not-leak' } }), isError: true };
    return structured({ ok: true, data: { capability, markdown: `# ${id}` } });
  }
}

function structured(value: Json): Json {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function connectionOf({
  id,
  service,
  connectionName,
  accountId,
}: {
  id: string;
  service: string;
  connectionName: string;
  accountId: string;
}): Json {
  const profile = { accountId, displayName: accountId, grantedScopes: [] };
  return {
    id,
    service,
    connectionName,
    authType: 'api_key',
    configured: true,
    virtual: false,
    default: connectionName === 'default',
    profile,
  };
}

function good(data: unknown): Answer {
  return { status: 200, body: { success: true, message: 'OK', data, meta: {} } };
}

function bare(body: unknown): Answer {
  return { status: 200, body };
}

function unauthorized(): Answer {
  return { status: 401, body: { error: { code: 'unauthorized', message: 'must-not-leak' } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
