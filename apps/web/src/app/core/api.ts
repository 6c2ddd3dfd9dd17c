import { Service, signal } from '@angular/core';
import { ERRORS } from '#contracts';
import type { ErrorCode, ErrorDetails, WireError } from '#contracts';

/** `UNREACHABLE` is the one code that no server sends: nothing answered at all. */
export type FailureCode = ErrorCode | 'UNREACHABLE';

/** A failed call, by code. Pages show it through the message table, never by its message. */
export class ApiError extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: ErrorDetails,
    readonly requestId: string | null,
  ) {
    super(message);
  }

  /** True when the same call may be sent again and may then work. */
  get mayRetry(): boolean {
    return this.code === 'UNREACHABLE' || ERRORS[this.code].retry === 'later';
  }

  static of(thrown: unknown): ApiError {
    return thrown instanceof ApiError ? thrown : new ApiError('INTERNAL', String(thrown), {}, null);
  }
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** The one HTTP client. Same origin, cookie session, CSRF token on every write. */
@Service()
export class Api {
  readonly #signedOut = signal(0);
  #csrf: string | null = null;

  /** Counts answers that said the session is over. */
  readonly signedOut = this.#signedOut.asReadonly();

  useCsrf(token: string | null): void {
    this.#csrf = token;
  }

  /** Called by the stream reader too, which meets the same answer on its own connection. */
  sessionEnded(): void {
    this.#signedOut.update((count) => count + 1);
  }

  get<T>(path: string): Promise<T> {
    return this.#send<T>({ method: 'GET', path });
  }

  /** The exact text of an answer, for what is checked or kept as a file. */
  async text(path: string): Promise<string> {
    const response = await this.#fetch({ method: 'GET', path });
    const text = await response.text();
    if (response.ok) return text;
    throw this.#failed(response, text);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#send<T>({ method: 'POST', path, body });
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#send<T>({ method: 'PATCH', path, body });
  }

  delete<T>(path: string): Promise<T> {
    return this.#send<T>({ method: 'DELETE', path });
  }

  async #send<T>(call: Call): Promise<T> {
    try {
      return await this.#once<T>(call);
    } catch (thrown) {
      // A refused token means that nothing was done; a fresh one may be sent once.
      if (!(thrown instanceof ApiError) || thrown.code !== 'CSRF_INVALID') throw thrown;
      const state = await this.#once<{ csrfToken: string | null }>({ method: 'GET', path: 'auth/state' });
      this.#csrf = state.csrfToken;
      return this.#once<T>(call);
    }
  }

  async #once<T>(call: Call): Promise<T> {
    const response = await this.#fetch(call);
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : parsed(text)) as T;
    throw this.#failed(response, text);
  }

  #failed(response: Response, text: string): ApiError {
    const failure = failureOf(response, text);
    if (failure.code === 'AUTH_REQUIRED') this.sessionEnded();
    return failure;
  }

  async #fetch(call: Call): Promise<Response> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (call.method !== 'GET' && this.#csrf !== null) headers['x-csrf-token'] = this.#csrf;
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    try {
      return await fetch(apiUrl(call.path), {
        method: call.method,
        headers,
        credentials: 'same-origin',
        cache: 'no-store',
        body: call.body === undefined ? null : JSON.stringify(call.body),
      });
    } catch (cause) {
      throw new ApiError('UNREACHABLE', String(cause), {}, null);
    }
  }
}

/** Relative to the page's base, so that the console works below a base path too. */
export function apiUrl(path: string): string {
  return new URL(`api/${path}`, document.baseURI).href;
}

/** `?a=1&b=2` without the keys that have no value. */
export function queryOf(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.set(key, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(response: Response, text: string): ApiError {
  const requestId = response.headers.get('x-request-id');
  const error = (parsed(text) as { error?: Partial<WireError> } | undefined)?.error;
  const code = error?.code !== undefined && error.code in ERRORS ? error.code : fallbackCode(response.status);
  return new ApiError(code, error?.message ?? response.statusText, error?.details ?? {}, requestId);
}

function fallbackCode(status: number): ErrorCode {
  if (status === 401) return 'AUTH_REQUIRED';
  if (status === 404) return 'ROUTE_NOT_FOUND';
  if (status === 413) return 'BODY_TOO_LARGE';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503 || status === 502 || status === 504) return 'STORAGE_UNAVAILABLE';
  return 'INTERNAL';
}
