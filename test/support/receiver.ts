import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on loopback that keeps what it gets and answers as it is told. */
export class Receiver {
  readonly got: Received[] = [];
  /** Statuses of the next answers; 204 when there are no more. */
  readonly answers: number[] = [];
  readonly headers: Record<string, string> = {};

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        receiver.got.push({ headers: request.headers, body });
        response.writeHead(receiver.answers.shift() ?? 204, receiver.headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  url(path = '/hook'): string {
    return `http://${this.host}${path}`;
  }

  /** Waits until so many messages have come. */
  async until(count: number, ms = 10_000): Promise<readonly Received[]> {
    for (const giveUpAt = Date.now() + ms; this.got.length < count;) {
      if (Date.now() > giveUpAt) throw new Error(`${String(this.got.length)} of ${String(count)} messages came`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this.got;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
