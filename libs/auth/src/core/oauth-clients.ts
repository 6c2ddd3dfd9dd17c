import type { ErrorCode, ErrorDetails, Result } from '#contracts';

const MAX_REDIRECTS = 5;
const MAX_URI = 512;
const MAX_NAME = 128;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What a client that registers by itself is kept as. It has no secret, so whatever else it asks for is not taken. */
export interface Registration {
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly ['authorization_code', 'refresh_token'];
  readonly response_types: readonly ['code'];
  readonly token_endpoint_auth_method: 'none';
  readonly application_type: 'native' | 'web';
}

export function isLoopback(uri: string): boolean {
  return URL.canParse(uri) && LOOPBACK.has(new URL(uri).hostname);
}

/** Why a sign-in may not end there: https anywhere, plain http on the person's own machine, and nothing that hides where it leads. */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > MAX_URI || !URL.canParse(uri)) return 'is no address';
  const { protocol, username, password, hash } = new URL(uri);
  if (hash !== '' || uri.includes('#')) return 'holds a fragment';
  if (username !== '' || password !== '') return 'holds a user name';
  if (uri.includes('*') || /[\s\\]/.test(uri)) return 'holds a character that has no place there';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(uri))) return undefined;
  return 'is neither https nor on the machine of the browser';
}

/** Reads the body of a registration. */
export function readRegistration(body: unknown): Result<Registration> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('The body is a JSON object');
  const given = body as Readonly<Record<string, unknown>>;
  const redirects = given['redirect_uris'];
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS) {
    return refuse(`redirect_uris holds 1 to ${String(MAX_REDIRECTS)} addresses`);
  }
  const uris = redirects.filter((uri): uri is string => typeof uri === 'string');
  const problem = uris.length < redirects.length ? 'is no text' : uris.map(redirectProblem).find((found) => found !== undefined);
  if (problem !== undefined) return refuse(`An address in redirect_uris ${problem}`);
  const name = textOf(given['client_name'], MAX_NAME);
  const home = textOf(given['client_uri'], MAX_URI);
  return {
    ok: true,
    value: {
      ...(name !== undefined && { client_name: name }),
      ...(home?.startsWith('https://') && { client_uri: home }),
      redirect_uris: [...new Set(uris)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // "native" lets a client on the person's machine take any free port of it.
      application_type: uris.some(isLoopback) ? 'native' : 'web',
    },
  };
}

function textOf(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}

function refuse(message: string): { ok: false; code: ErrorCode; message: string; details: ErrorDetails } {
  return { ok: false, code: 'INPUT_INVALID', message, details: { path: 'redirect_uris' } };
}
