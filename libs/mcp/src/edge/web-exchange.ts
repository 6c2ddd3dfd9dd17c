import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_UNSENT_BYTES = 1_048_576;
const HIDDEN: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/**
 * The request as the SDK reads it: method, headers and signal. Its body is not in it, for that was parsed already and
 * travels beside it; nor is a credential, for no handler needs one. A real `Request` would cost a tenth of a cheap call.
 */
export function toWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, signal: AbortSignal): Request {
  const get = (name: string): string | null => {
    const key = name.toLowerCase();
    const value = HIDDEN.has(key) ? undefined : headers[key];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  };
  const request = {
    method,
    url: `http://${headers.host ?? 'localhost'}${url}`,
    headers: { get, has: (name: string) => get(name) !== null },
    signal,
    body: null,
  };
  return request as unknown as Request; // the part of it that is used
}

/** Aborts when the client leaves before the answer is complete. */
export function abortOnLeave(reply: ServerResponse): AbortSignal {
  const abort = new AbortController();
  if (reply.destroyed) abort.abort(); // left before we looked: no event will say so
  reply.once('close', () => {
    if (!reply.writableFinished) abort.abort();
  });
  return abort.signal;
}

/** Sends the SDK's answer. A client that does not read its stream is cut off, not waited for. */
export async function sendWebResponse(reply: ServerResponse, response: Response): Promise<void> {
  if (reply.destroyed) return;
  response.headers.forEach((value, name) => reply.setHeader(name, value));
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || !response.body) {
    const bytes = new Uint8Array(await response.arrayBuffer()); // as they are: large answers are copied often enough
    reply.setHeader('content-length', bytes.length); // head and body leave in one write
    reply.writeHead(response.status).end(bytes);
    return;
  }
  reply.setHeader('x-accel-buffering', 'no'); // a proxy hands on what comes, when it comes
  reply.writeHead(response.status).flushHeaders();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  reply.once('close', () => void reader.cancel().catch(() => undefined)); // already ended: nothing to cancel
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    reply.write(value);
    if (reply.writableLength > MAX_UNSENT_BYTES) reply.destroy();
  }
  reply.end();
}

export interface RpcRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Of the request that is refused, where there is exactly one. */
  readonly id?: unknown;
}

/** An answer of ours, before any server instance has seen the message. */
export function sendRefusal(reply: ServerResponse, { status, code, message, id = null }: RpcRefusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
  reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
