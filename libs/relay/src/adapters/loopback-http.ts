import http from 'node:http';
import { AppError } from '#platform';

export interface LoopbackAnswer {
  readonly status: number;
  readonly body: unknown;
}

const MOST_ANSWER_BYTES = 256 * 1_048_576;

/** HTTP to a host on this machine, over kept connections. It never leaves the loopback address. */
export class LoopbackHttp {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

  constructor(
    private readonly port: number,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly hostname = '127.0.0.1',
  ) {}

  /** Sends JSON and reads JSON. Fails with HOST_UNAVAILABLE when nothing readable comes back in time. */
  async post(path: string, body: unknown, timeoutMs: number, signal?: AbortSignal): Promise<LoopbackAnswer> {
    const payload = Buffer.from(JSON.stringify(body));
    const headers = { ...this.headers, 'content-type': 'application/json', 'content-length': String(payload.length) };
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => reject(unavailable(cause));
      const limit = AbortSignal.timeout(timeoutMs);
      const request = http.request(
        {
          ...{ hostname: this.hostname, port: this.port, path, method: 'POST', agent: this.#agent, headers },
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        },
        (response) => {
          readAll(response)
            .then((text) => resolve({ status: response.statusCode ?? 0, body: text === '' ? null : (JSON.parse(text) as unknown) }))
            .catch(fail);
        },
      );
      request.once('error', fail);
      request.end(payload);
    });
  }

  /** Opens a stream; the caller reads it and destroys it. */
  follow(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = http.request({
        hostname: this.hostname,
        port: this.port,
        path,
        agent: false,
        headers: { ...this.headers, ...headers },
        signal,
      });
      request.once('response', (response) => {
        if (response.statusCode === 200) return resolve(response);
        response.destroy();
        reject(unavailable(`status ${String(response.statusCode)}`));
      });
      request.once('error', (cause) => reject(unavailable(cause)));
      request.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readAll(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) throw new Error('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function unavailable(cause: unknown): AppError {
  return new AppError('HOST_UNAVAILABLE', 'The host does not answer', {}, { cause });
}

/** Nothing listens there: the process is gone, and no later attempt will find it. */
export function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code === 'ECONNREFUSED';
}
