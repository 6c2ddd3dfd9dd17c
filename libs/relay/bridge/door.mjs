// The HTTP door of the bridge: loopback, one token for each launch, and nothing that a browser could send.
import { createHash, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { Refusal } from './refusal.mjs';

const MOST_BODY_BYTES = 1_048_576;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/;
const digest = (text) => createHash('sha256').update(text).digest();

export class Door {
  #token;
  #frames;
  #verbs;
  #server = http.createServer((request, response) => void this.#serve(request, response));

  constructor({ token, frames, verbs }) {
    this.#token = digest(`Bearer ${token}`);
    this.#frames = frames;
    this.#verbs = new Map(Object.entries(verbs));
  }

  /**
   * The port that the system gave.
   * @returns {Promise<number>}
   */
  open() {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => resolve(this.#server.address().port));
    });
  }

  close() {
    this.#frames.close();
    this.#server.closeIdleConnections();
    return new Promise((resolve) => {
      this.#server.close(resolve);
      setTimeout(() => this.#server.closeAllConnections(), 200).unref();
    });
  }

  async #serve(request, response) {
    try {
      this.#guard(request);
      const url = new URL(request.url, 'http://bridge');
      if (request.method === 'GET' && url.pathname === '/events') return this.#follow(request, response);
      if (request.method !== 'POST' || url.pathname !== '/call') throw new Refusal('NO_ROUTE', 'No such route', 404);
      const { verb, args = {} } = await readBody(request);
      const work = this.#verbs.get(verb);
      if (!work) throw new Refusal('NO_VERB', 'No such verb', 404);
      send(response, 200, { value: (await work(args)) ?? null });
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 422;
      send(response, status, { error: { code: String(error?.code ?? 'INTERNAL'), message: String(error?.message ?? error) } });
    }
  }

  #guard({ headers }) {
    // A page in a browser must never get here: it always says its origin, and a rebound name is no loopback host.
    if (headers.origin !== undefined || !LOOPBACK.test(headers.host ?? '')) throw new Refusal('FORBIDDEN', 'Not from here', 403);
    if (!timingSafeEqual(digest(headers.authorization ?? ''), this.#token)) throw new Refusal('UNAUTHORIZED', 'The token is wrong', 401);
  }

  #follow({ headers }, response) {
    const after = Number(headers['last-event-id'] ?? Number.NaN);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#frames.follow(response, Number.isSafeInteger(after) ? after : this.#frames.seq);
  }
}

async function readBody(request) {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) throw new Refusal('JSON_ONLY', 'Bodies are JSON', 415);
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw new Refusal('TOO_LARGE', 'The body is too large', 413);
    chunks.push(chunk);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (body !== null && typeof body === 'object') return body;
  } catch {
    // said below
  }
  throw new Refusal('BAD_JSON', 'The body is not a JSON object', 400);
}

function send(response, status, value) {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
