import type { Result } from '#contracts';
import { DEFAULT_KEY_ENV, type Endpoint, parseEndpoint } from './endpoint.js';

export const TEAM_NAME_ENV = 'OOMOL_TEAM_NAME';
export const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_SERVER_NAME = 'oomol';

/** What a person sets for one connector; everything but name and endpoint has a default. */
export interface ConnectorWish {
  readonly name: string;
  readonly endpoint: string;
  readonly apiKeyEnv?: string | null | undefined;
  readonly teamName?: string | null | undefined;
  readonly serverName?: string | undefined;
  readonly toolCallTimeoutMs?: number | undefined;
  readonly failOnStartupError?: boolean | undefined;
  readonly leastPrivilege?: boolean | undefined;
}

export interface ConnectorSettings {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly apiKeyEnv: string;
  readonly teamName: string | null;
  readonly serverName: string;
  readonly toolCallTimeoutMs: number;
  readonly failOnStartupError: boolean;
  readonly leastPrivilege: boolean;
}

/** Checks all of it before any of it is used. */
export function checkSettings(wish: ConnectorWish): Result<ConnectorSettings> {
  const endpoint = parseEndpoint(wish.endpoint);
  if (!endpoint.ok) return endpoint;
  const name = wish.name.trim();
  const apiKeyEnv = wish.apiKeyEnv ?? DEFAULT_KEY_ENV[endpoint.value.mode];
  const serverName = wish.serverName ?? DEFAULT_SERVER_NAME;
  const timeout = wish.toolCallTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  if (name === '' || name.length > 64) return wrong('name', 'A connector has a name of at most 64 characters');
  if (!isEnvName(apiKeyEnv)) return wrong('apiKeyEnv', 'A key stands in a variable whose name begins with OOMOL_ or CONNECTOR_');
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(serverName)) return wrong('serverName', 'A server name has 1 to 32 letters, digits, _ and -');
  if (!Number.isInteger(timeout) || timeout < 1_000 || timeout > MAX_TIMEOUT_MS)
    return wrong('toolCallTimeoutMs', 'A call takes between a second and an hour');
  const teamName = wish.teamName?.trim() ?? '';
  if (teamName.length > 200 || /[\p{Cc}]/u.test(teamName)) return wrong('teamName', 'This cannot be the name of a team');
  return {
    ok: true,
    value: {
      ...{ name, endpoint: endpoint.value, apiKeyEnv, serverName, toolCallTimeoutMs: timeout },
      teamName: teamName === '' ? null : teamName,
      failOnStartupError: wish.failOnStartupError ?? false,
      leastPrivilege: wish.leastPrivilege ?? false,
    },
  };
}

/** Only variables that are there for connectors: whoever sets up a connector must not send other settings of this server to it. */
function isEnvName(name: string): boolean {
  return /^(OOMOL|CONNECTOR)_[A-Za-z0-9_]{1,119}$/.test(name);
}

/** A stored secret beats the environment; blank ones are none. */
export function chooseSecret(
  stored: string | undefined,
  environment: string | undefined,
): { readonly value: string; readonly source: 'stored' | 'environment' } | undefined {
  const [own, given] = [stored?.trim() ?? '', environment?.trim() ?? ''];
  if (own !== '') return { value: own, source: 'stored' };
  return given === '' ? undefined : { value: given, source: 'environment' };
}

/** Keys travel in a header, so they are printable. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text.trim());
}

function wrong(path: string, message: string): Result<never> {
  return { ok: false, code: 'INPUT_INVALID', message, details: { paths: [path] } };
}
