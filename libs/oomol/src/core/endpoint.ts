import type { ConnectorConfiguration, ConnectorMode, Result } from '#contracts';

/** The one address of the hosted service. Everything else under its domain is refused. */
const HOSTED_ENDPOINT = 'https://connector.oomol.com/v1/mcp';
const HOSTED_CONSOLE = 'https://console.oomol.com';
const HOSTED_DOMAIN = 'oomol.com';
const MAX_LENGTH = 2_048;

/** Where a connector is reached. */
export interface Endpoint {
  readonly mode: ConnectorMode;
  /** Normalised address of the MCP server. */
  readonly url: string;
  readonly origin: string;
  /** Before `/v1` and `/api`. */
  readonly base: string;
  readonly consoleUrl: string;
}

/** Takes an address apart, or says why it is refused. What counts is the parsed address, never how it begins. */
export function parseEndpoint(text: string): Result<Endpoint> {
  if (text.length > MAX_LENGTH) return refused('The address is too long');
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return refused('The address holds a space, a backslash or a hidden character');
  if (!URL.canParse(text)) return refused('This is not an address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('Only https addresses, and http on this machine, can be used');
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    return refused('The address must not hold a user name or password');
  if (text.includes('#')) return refused('The address must not hold a fragment');
  if (text.includes('?')) return refused('The address must not hold a query: keys are set apart from it');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return refused('Plain http is for this machine only; use https');
  const normal = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (isUnder(url.hostname, HOSTED_DOMAIN)) {
    if (normal !== HOSTED_ENDPOINT) return refused(`The hosted service is reached at ${HOSTED_ENDPOINT} only`);
    return { ok: true, value: { mode: 'oomol-hosted', url: normal, origin: url.origin, base: url.origin, consoleUrl: HOSTED_CONSOLE } };
  }
  const base = normal.endsWith('/mcp') ? normal.slice(0, -'/mcp'.length) : url.origin;
  return { ok: true, value: { mode: 'self-hosted', url: normal, origin: url.origin, base, consoleUrl: url.origin } };
}

export const DEFAULT_KEY_ENV: Readonly<Record<ConnectorMode, string>> = {
  'oomol-hosted': 'OOMOL_MCP_API_KEY',
  'self-hosted': 'OOMOL_CONNECT_RUNTIME_TOKEN',
};

/** What may be shown of a configuration. */
export function safeView({ mode, url, consoleUrl }: Endpoint, apiKeyEnv: string, hasAdminToken: boolean): ConnectorConfiguration {
  return {
    mode,
    endpoint: url,
    apiKeyEnv,
    credentialRequired: mode === 'oomol-hosted',
    connectionsManagement: mode === 'oomol-hosted' || hasAdminToken ? 'embedded' : 'external',
    consoleUrl,
  };
}

/** After parsing, four numbers are an IPv4 address and nothing else; names that begin like one are names. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function isUnder(hostname: string, domain: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return name === domain || name.endsWith(`.${domain}`);
}

function authorityOf(text: string): string {
  return /^[a-z]+:\/*([^/]*)/i.exec(text)?.[1] ?? '';
}

function refused(message: string): Result<never> {
  return { ok: false, code: 'CONNECTOR_ENDPOINT_INVALID', message, details: { paths: ['endpoint'] } };
}
