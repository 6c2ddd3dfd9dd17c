import type { ConnectorReason } from '#contracts';
import { connectionNameOf, identifier, SIZES } from './sanitise.js';

const MAX_COMMENT = 2_000;
const MAX_SECRET_BYTES = 512 * 1_024;
const MAX_KEYS = 64;
const MAX_SCOPES = 256;

/** What a person fills in to connect an account. */
export interface ConnectWish {
  readonly service: string;
  /** The account that is connected again. */
  readonly accountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly apiKey?: string | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly comment?: string | undefined;
}

export type ConnectKind = 'oauth2' | 'api_key' | 'custom_credential' | 'no_auth';

/** The same, checked and cleaned: only this is sent on. */
export interface CleanWish {
  readonly service: string;
  readonly accountId: string | null;
  readonly connectionName: string | null;
  readonly scopes: readonly string[];
  readonly apiKey: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly comment: string | null;
}

/** The wish cleaned, or why it is not sent. A bad identifier never reaches an address. */
export function cleanWish(wish: ConnectWish, kind: ConnectKind): CleanWish | ConnectorReason {
  const service = identifier(wish.service);
  if (service === undefined) return 'invalid_request';
  const accountId = wish.accountId ?? null;
  if (accountId !== null && identifier(accountId) === undefined) return 'invalid_request';
  const connectionName = wish.connectionName === undefined ? null : connectionNameOf(wish.connectionName);
  if (wish.connectionName !== undefined && connectionName === null) return 'invalid_request';
  const extra = cleanRecord(wish.extra);
  const values = cleanRecord(wish.values);
  if (!extra || !values || (wish.comment?.length ?? 0) > MAX_COMMENT) return 'invalid_request';
  const scopes = [...new Set((wish.scopes ?? []).map((scope) => scope.trim()).filter((scope) => scope !== ''))];
  if (scopes.length > MAX_SCOPES || scopes.some((scope) => scope.length > SIZES.scope)) return 'invalid_request';
  const apiKey = wish.apiKey?.trim() ?? '';
  const bytes = [apiKey, ...Object.entries(extra).flat(), ...Object.entries(values).flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0); // prettier-ignore
  if (bytes > MAX_SECRET_BYTES) return 'invalid_request';
  if (kind === 'api_key' && apiKey === '') return 'invalid_request';
  if (kind === 'custom_credential' && Object.keys(values).length === 0) return 'invalid_request';
  const comment = wish.comment?.trim() ?? '';
  return { service, accountId, connectionName, scopes, apiKey, extra, values, comment: comment === '' ? null : comment };
}

/** Records of texts; empty ones are left out. */
function cleanRecord(given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(given).filter(([, value]) => value !== '');
  if (entries.length > MAX_KEYS || entries.some(([key]) => identifier(key) === undefined)) return undefined;
  return Object.fromEntries(entries);
}

/** One request to a connector. `body` undefined: none is sent, and no content type. */
export interface ConnectorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** The page to which the hosted service sends people back; it is fixed there. */
const HOSTED_RETURN = 'https://console.oomol.com/app-connections/callback';

export function hostedConnect(wish: CleanWish, kind: ConnectKind): ConnectorRequest {
  const place = wish.accountId === null ? encodeURIComponent(wish.service) : `by-id/${encodeURIComponent(wish.accountId)}`;
  const path = `/v1/apps/${place}/connect`;
  const comment = wish.comment === null ? {} : { comment: wish.comment };
  switch (kind) {
    case 'oauth2':
      return {
        method: 'POST',
        path,
        body: { returnUri: HOSTED_RETURN, ...(wish.scopes.length > 0 && { authorizationScopes: wish.scopes }) },
      };
    case 'api_key':
      return {
        method: 'POST',
        path: `${path}/api-key`,
        body: { apiKey: wish.apiKey, ...comment, ...(Object.keys(wish.extra).length > 0 && { extra: wish.extra }) },
      };
    case 'custom_credential':
      return { method: 'POST', path: `${path}/custom-credential`, body: { values: wish.values, ...comment } };
    case 'no_auth':
      return { method: 'POST', path: `${path}/no-auth` };
  }
}

/** Self-hosted accounts are named; connecting the same name again keeps its id. */
export function selfHostedConnect(wish: CleanWish, kind: ConnectKind): ConnectorRequest {
  const name = wish.connectionName === null ? {} : { connectionName: wish.connectionName };
  if (kind === 'oauth2') return { method: 'POST', path: '/api/oauth/authorizations', body: { service: wish.service, ...name } };
  const values = kind === 'api_key' ? { apiKey: wish.apiKey, ...wish.extra } : kind === 'custom_credential' ? wish.values : {};
  return { method: 'PUT', path: `/api/connections/${encodeURIComponent(wish.service)}`, body: { authType: kind, ...name, values } };
}
