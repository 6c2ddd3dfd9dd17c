import type { ConnectorErrorCode, ConnectorReason } from '#contracts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the other side said, before anything of it is trusted. `status` 0: nothing came. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Data of a good answer, or the reason that may be told, with the code that outcomes are judged by. */
export type Read<T> = { readonly ok: true; readonly data: T } | Refusal;
export interface Refusal {
  readonly ok: false;
  readonly reason: ConnectorReason;
  /** Stable code of the other side, when it is one that we know the form of. */
  readonly code: string | null;
  readonly status: number;
  readonly data: unknown;
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** The envelope of `/v1`. Messages are never taken: they hold bodies of providers. */
export function readEnvelope({ status, text }: RawAnswer): Read<unknown> {
  if (status === 204) return { ok: true, data: null };
  const body = parsed(text);
  const code = codeOf(body);
  const failure = failureOf(status, code);
  if (failure !== undefined) return { ok: false, reason: failure, code, status, data: isFields(body) ? (body['data'] ?? null) : null };
  if (!isFields(body)) return { ok: false, reason: 'invalid_response', code: null, status, data: null };
  if (body['success'] !== true) return { ok: false, reason: 'request_failed', code, status, data: body['data'] ?? null };
  if (body['data'] === undefined || body['data'] === null) return { ok: false, reason: 'invalid_response', code, status, data: null };
  return { ok: true, data: body['data'] };
}

/** The bare JSON of `/api`. */
export function readBare({ status, text }: RawAnswer): Read<unknown> {
  if (status === 204) return { ok: true, data: null };
  const body = parsed(text);
  const code = codeOf(body);
  const failure = failureOf(status, code);
  if (failure !== undefined) return { ok: false, reason: failure, code, status, data: null };
  if (body === undefined) return { ok: false, reason: 'invalid_response', code: null, status, data: null };
  return { ok: true, data: body };
}

const OAUTH_CLIENT_MISSING: ReadonlySet<string> = new Set(['oauth_client_config_required', 'user_oauth_client_required']);

function failureOf(status: number, code: string | null): ConnectorReason | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (code !== null && OAUTH_CLIENT_MISSING.has(code)) return 'oauth_client_required';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  if (status === 0 || status >= 500) return 'unavailable';
  return 'request_failed'; // redirects as well: they are never followed
}

/** `errorCode` of `/v1`, or `error.code` of the rest. */
function codeOf(body: unknown): string | null {
  if (!isFields(body)) return null;
  const inner = isFields(body['error']) ? body['error']['code'] : undefined;
  const code = body['errorCode'] ?? inner;
  return typeof code === 'string' && CODE.test(code) ? code : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: the caller says so
  }
}

/** The HTTP status that an error of the MCP client stands for; where it is depends on who threw it. */
export function statusOfError(thrown: unknown): number | undefined {
  for (let error = thrown, depth = 0; isFields(error) && depth < 5; error = error['cause'], depth += 1) {
    const response = error['response'];
    for (const value of [error['status'], error['code'], isFields(response) ? response['status'] : undefined]) {
      if (typeof value === 'number' && value >= 100 && value <= 599) return value;
    }
  }
  return undefined;
}

const MCP_TIMEOUT = -32_001;

/** Failures of the MCP connection as stable codes; a real timeout is a timeout. */
export function statusCodeOf(thrown: unknown): ConnectorErrorCode {
  const status = statusOfError(thrown);
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate-limited';
  return isTimeout(thrown) ? 'timeout' : 'unavailable';
}

function isTimeout(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; isFields(error) && depth < 5; error = error['cause'], depth += 1) {
    const { code, name } = error;
    if (code === MCP_TIMEOUT || code === 'REQUEST_TIMEOUT' || code === 'cancelled' || code === 'ABORT_ERR') return true;
    if (name === 'TimeoutError' || name === 'AbortError') return true;
  }
  return false;
}
