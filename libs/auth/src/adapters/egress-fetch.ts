import type { Egress } from '#platform';

const TIMEOUT_MS = 2_500;
/** One byte more than is taken, so that what is too long is seen to be. */
const MAX_BYTES = 5 * 1_024 + 1;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

interface Limits {
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

/** `fetch` for libraries, through the one guarded way out: public addresses only, no redirect followed, little and soon. */
export function egressFetch(egress: Egress, { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS }: Limits = {}): typeof fetch {
  return async (input, options = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(options.headers));
    const { body } = options;
    const answer = await egress.send({
      method: options.method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...((typeof body === 'string' || body instanceof URLSearchParams) && { body: String(body) }),
      timeoutMs,
      maxAnswerBytes: maxBytes,
    });
    if (!answer.ok) throw new Error(answer.reason);
    const { status, text } = answer;
    const cacheControl = answer.headers['cache-control'];
    return new Response(WITHOUT_BODY.has(status) ? null : text, {
      status,
      headers: {
        'content-type': answer.headers['content-type'] ?? '',
        ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
      },
    });
  };
}
