import { Injectable } from '@nestjs/common';
import type { ConnectAnswer, ConnectorAccount, Principal, ProviderDetail, ProviderList } from '#contracts';
import { isFields, type Read } from './core/answers.js';
import { inOrder, providerState, toRows } from './core/accounts.js';
import {
  type ConnectKind,
  type ConnectorRequest,
  type ConnectWish,
  cleanWish,
  hostedConnect,
  selfHostedConnect,
} from './core/connect-request.js';
import { type ConnectForms, hostedForms, identifier, selfHostedForms, toAccount, toProvider } from './core/sanitise.js';
import { Connectors, type OpenConnector } from './connectors.js';
import { ConnectorRequests, dataOf, failed, listOf } from './requests.js';

const NO_FORMS: ConnectForms = { apiKey: null, customCredential: null, oauth: null };

export interface OAuthClientWish {
  readonly service: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly requestedScopes?: readonly string[] | undefined;
}

/** Providers and accounts of a connector, as people manage them. Credentials pass through for one request and are not kept. */
@Injectable()
export class Connections {
  constructor(
    private readonly connectors: Connectors,
    private readonly requests: ConnectorRequests,
  ) {}

  async list(connector: OpenConnector): Promise<ProviderList> {
    const [providers, accounts] = await Promise.all([this.#providers(connector), this.accounts(connector)]);
    const items = toRows(
      providers.flatMap((one) => toProvider(one) ?? []),
      accounts,
    );
    return { items, total: items.length };
  }

  /** Accounts of one service, or of all, with our own default where the connector has none. */
  async accounts(connector: OpenConnector, service?: string): Promise<readonly ConnectorAccount[]> {
    const { held } = connector;
    const isHosted = held.settings.endpoint.mode === 'oomol-hosted';
    const read = connector.adminToken === undefined ? this.requests.runtime(connector, get('/v1/apps')) : this.requests.admin(connector, get('/api/connections')); // prettier-ignore
    const all = listOf(await read).flatMap((one) => toAccount(one) ?? []);
    const wanted = service === undefined ? all : all.filter((account) => account.service === service);
    if (isHosted) return wanted;
    const own = await this.connectors.defaults(held.id);
    return wanted.map((account) => {
      const chosen = own.get(account.service);
      return chosen === undefined ? account : { ...account, isDefault: account.id === chosen };
    });
  }

  async provider(connector: OpenConnector, name: string): Promise<ProviderDetail> {
    const service = identifier(name);
    if (service === undefined) throw failed('invalid_request');
    const [found, accounts] = await Promise.all([this.#provider(connector, service), this.accounts(connector, service)]);
    const bare = toProvider(found.data);
    if (!bare) throw failed('invalid_response');
    const connected = inOrder(accounts.filter(({ status }) => status !== 'disconnected'));
    return { ...bare, state: providerState(connected), accounts: connected.length, connected, ...found.forms };
  }

  async connect(by: Principal, connector: OpenConnector, kind: ConnectKind, wish: ConnectWish): Promise<ConnectAnswer> {
    const clean = cleanWish(wish, kind);
    if (typeof clean === 'string') throw failed(clean);
    const isHosted = connector.held.settings.endpoint.mode === 'oomol-hosted';
    const named = !isHosted && clean.accountId !== null && clean.connectionName === null ? { ...clean, connectionName: await this.#nameOf(connector, clean.accountId) } : clean; // prettier-ignore
    const data = dataOf(await this.#manage(connector, isHosted ? hostedConnect(clean, kind) : selfHostedConnect(named, kind)));
    const answer = toAnswer(data);
    const what = {
      service: clean.service,
      account_id: clean.accountId ?? ('account' in answer ? answer.account.id : null),
      auth_type: kind,
    };
    const did = `${clean.accountId === null ? 'connected' : 'reconnected'} an account of ${clean.service}`;
    if ('account' in answer) await this.connectors.record(by, connector.held.id, 'connector.account_connected', did, what);
    return answer;
  }

  async disconnect(by: Principal, connector: OpenConnector, accountId: string): Promise<void> {
    const account = await this.#account(connector, accountId);
    const isHosted = connector.held.settings.endpoint.mode === 'oomol-hosted';
    const request: ConnectorRequest = isHosted
      ? { method: 'DELETE', path: `/v1/apps/by-id/${encodeURIComponent(account.id)}`, body: null }
      : {
          method: 'DELETE',
          path: `/api/connections/${encodeURIComponent(account.service)}`,
          body: account.connectionName === null ? {} : { connectionName: account.connectionName },
        };
    dataOf(await this.#manage(connector, request));
    const did = `disconnected an account of ${account.service}`;
    const details = { service: account.service, account_id: account.id };
    await this.connectors.record(by, connector.held.id, 'connector.account_disconnected', did, details);
  }

  /** Hosted connectors have defaults of their own; for others we keep one and name the account in every call. */
  async setDefault(by: Principal, connector: OpenConnector, accountId: string): Promise<ConnectorAccount> {
    const account = await this.#account(connector, accountId);
    if (connector.held.settings.endpoint.mode === 'self-hosted') {
      await this.connectors.setDefault(by, connector.held.id, account.service, account.id);
      return { ...account, isDefault: true };
    }
    const path = `/v1/apps/services/${encodeURIComponent(account.service)}/default`;
    const changed = toAccount(dataOf(await this.requests.runtime(connector, { method: 'PUT', path, body: { appId: account.id } })));
    if (!changed) throw failed('invalid_response');
    const details = { service: account.service, account_id: account.id };
    await this.connectors.record(
      by,
      connector.held.id,
      'connector.default_set',
      `made an account of ${account.service} the default`,
      details,
    );
    return changed;
  }

  /** Self-hosted only: the client with which OAuth of a service is done. Null takes it away. */
  async setOAuthClient(by: Principal, connector: OpenConnector, name: string, wish: OAuthClientWish | null): Promise<void> {
    const service = identifier(name);
    if (service === undefined) throw failed('invalid_request');
    const path = `/api/oauth/configs/${encodeURIComponent(service)}`;
    const { clientId, clientSecret, requestedScopes } = wish ?? {};
    const body = { clientId, clientSecret, ...(requestedScopes && { requestedScopes }) };
    dataOf(await this.requests.admin(connector, wish ? { method: 'PUT', path, body } : { method: 'DELETE', path }));
    const did = `${wish ? 'set' : 'removed'} the OAuth client of ${service}`;
    await this.connectors.record(by, connector.held.id, 'connector.oauth_client_changed', did, { service });
  }

  async #account(connector: OpenConnector, id: string): Promise<ConnectorAccount> {
    const found = (await this.accounts(connector)).find((account) => account.id === id);
    if (!found) throw failed('invalid_request');
    return found;
  }

  async #nameOf(connector: OpenConnector, id: string): Promise<string | null> {
    return (await this.#account(connector, id)).connectionName;
  }

  async #providers(connector: OpenConnector): Promise<readonly unknown[]> {
    return listOf(await this.requests.runtime(connector, get('/v1/providers')));
  }

  async #provider(connector: OpenConnector, service: string): Promise<{ readonly data: unknown; readonly forms: ConnectForms }> {
    const place = encodeURIComponent(service);
    if (connector.held.settings.endpoint.mode === 'oomol-hosted') {
      const data = dataOf(await this.requests.runtime(connector, get(`/v1/providers/${place}`)));
      if (!isFields(data)) throw failed('invalid_response');
      return { data, forms: hostedForms(data, toProvider(data)?.authTypes ?? []) };
    }
    if (connector.adminToken === undefined) {
      const [data] = listOf(await this.requests.runtime(connector, get(`/v1/providers?service=${place}`)));
      return { data, forms: NO_FORMS }; // connecting is done in the connector's own console
    }
    const [read, configs] = await Promise.all([
      this.requests.admin(connector, get(`/api/providers/${place}`)),
      this.requests.admin(connector, get('/api/oauth/configs')),
    ]);
    const data = dataOf(read);
    if (!isFields(data)) throw failed('invalid_response');
    const config = listOf(configs).find((one) => isFields(one) && one['service'] === service);
    return { data, forms: selfHostedForms(data, config) };
  }

  #manage(connector: OpenConnector, request: ConnectorRequest): Promise<Read<unknown>> {
    return connector.held.settings.endpoint.mode === 'oomol-hosted'
      ? this.requests.runtime(connector, request)
      : this.requests.admin(connector, request);
  }
}

function get(path: string): ConnectorRequest {
  return { method: 'GET', path };
}

/** An account, an account in `app`, or a page of the provider, which has to be https unless it is on this machine. */
function toAnswer(data: unknown): ConnectAnswer {
  if (isFields(data) && typeof data['authorizationUrl'] === 'string') {
    const { authorizationUrl } = data;
    const url = URL.canParse(authorizationUrl) ? new URL(authorizationUrl) : undefined;
    const isLocal = url?.protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname);
    if (!url || authorizationUrl.length > 4_096 || !(url.protocol === 'https:' || isLocal)) throw failed('invalid_response');
    return { authorizationUrl };
  }
  const account = toAccount(isFields(data) && data['app'] !== undefined ? data['app'] : data);
  if (!account) throw failed('invalid_response');
  return { account };
}
