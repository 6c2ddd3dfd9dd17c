import { createServer, type IncomingMessage, request, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { NetworkFact } from '#contracts';
import { allows, canonicalHost, type HostRule, hostText } from '../../core/network-hosts.js';
import { ConnectionLog, type OpenConnection } from './connection-log.js';
import type { Names } from './names.js';

const CONNECT_MS = 10_000;
const IDLE_MS = 300_000;
const MAX_OPEN = 64;
/** Connections of the run to us, idle ones too: each is a handle of the executor, which other runs need as well. */
const MAX_CLIENTS = 256;
const MAX_ALL = 20_000;
const MAX_BYTES = 8 * 1_024 ** 3;
/** Headers that are between us and the program only. */
const HOP = new Set(
  'connection proxy-connection proxy-authorization proxy-authenticate keep-alive te trailer upgrade http2-settings'.split(' '),
);

interface Target {
  readonly host: string;
  readonly port: number;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The one way out of a run that was granted hosts: a proxy of ours on a socket inside the sandbox. It opens only what was granted,
 * looks names up itself, and writes every attempt down. What passes through a tunnel is not looked at.
 */
export class EgressProxy {
  readonly #server: Server;
  readonly #log: ConnectionLog;
  readonly #sockets = new Set<Duplex>();
  /** Each reads the counters of one open connection. */
  readonly #meters = new Set<() => void>();
  #open = 0;
  #all = 0;
  #closed = false;

  constructor(
    private readonly rules: readonly HostRule[],
    private readonly names: Names,
  ) {
    this.#log = new ConnectionLog(rules.map(hostText));
    this.#server = createServer({ maxHeaderSize: 16_384, keepAliveTimeout: 5_000, requestTimeout: IDLE_MS });
    this.#server.maxConnections = MAX_CLIENTS;
    this.#server.on('connection', (socket) => this.#hold(socket));
    this.#server.on('connect', (message: IncomingMessage, socket: Duplex, head: Buffer) => void this.#tunnel(message, socket, head));
    this.#server.on('request', (message, response) => void this.#forward(message, response));
    this.#server.on('upgrade', (_message, socket) => socket.end(answer(501, 'This proxy switches to no other protocol')));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
  }

  /** Cuts everything off, and says what there was. */
  close(): NetworkFact {
    this.#closed = true;
    this.#server.close();
    for (const read of this.#meters) read();
    for (const socket of this.#sockets) socket.destroy();
    return this.#log.fact;
  }

  async #tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    const target = authority(message.url ?? '');
    try {
      const { upstream, entry } = await this.#connect(target);
      this.#count(upstream, client, entry);
      if (client.destroyed) {
        upstream.destroy();
        return;
      }
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
    } catch (thrown) {
      const { status, message: why } = this.#refuse(target, thrown);
      client.end(answer(status, why));
    }
  }

  /** Plain HTTP: the request is made again towards the address that was judged, for the host that was granted. */
  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(message.url ?? '') ? new URL(message.url ?? '') : null;
    const target = url?.protocol === 'http:' ? { host: url.hostname, port: url.port === '' ? 80 : Number(url.port) } : undefined;
    try {
      const { upstream, entry } = await this.#connect(target);
      this.#count(upstream, message, entry);
      if (response.destroyed) {
        upstream.destroy();
        return;
      }
      const headers = Object.entries(message.headersDistinct).filter(([name]) => !HOP.has(name) && name !== 'host');
      const onward = request({
        createConnection: () => upstream,
        method: message.method,
        path: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
        headers: { ...Object.fromEntries(headers), host: url?.host ?? '', connection: 'close' },
        setHost: false,
      });
      onward.on('response', (answered) => {
        const back = Object.entries(answered.headersDistinct).filter(([name]) => !HOP.has(name));
        response.writeHead(answered.statusCode ?? 502, Object.fromEntries(back) as Record<string, string[]>);
        answered.pipe(response);
        answered.on('error', () => response.destroy());
      });
      onward.on('error', () => {
        if (response.headersSent) response.destroy();
        else say(response, 502, 'The host closed the connection');
      });
      response.on('close', () => upstream.destroy());
      message.pipe(onward);
    } catch (thrown) {
      const { status, message: why } = this.#refuse(target, thrown);
      say(response, status, why);
      message.resume();
    }
  }

  async #connect(target: Target | undefined): Promise<{ readonly upstream: Socket; readonly entry: OpenConnection }> {
    if (!target) throw new Refused(400, 'this is not a request that a proxy can serve');
    const name = canonicalHost(target.host);
    if (name === undefined || !allows(this.rules, name, target.port)) throw new Refused(403, 'the host was not granted to this run');
    if (this.#open >= MAX_OPEN) throw new Refused(429, `this run has ${String(MAX_OPEN)} connections open already`);
    if (this.#all >= MAX_ALL) throw new Refused(429, `this run has made ${String(MAX_ALL)} connections already`);
    if (this.#log.bytes >= MAX_BYTES) throw new Refused(429, 'this run has moved as much as a run may');
    this.#open += 1;
    this.#all += 1;
    try {
      const resolved = await this.names.resolve(name);
      if ('refused' in resolved) throw new Refused(403, resolved.refused);
      const upstream = await firstOf(resolved.addresses, target.port);
      if (this.#closed) {
        upstream.destroy();
        throw new Refused(503, 'the run is over');
      }
      return { upstream, entry: this.#log.allow(name, target.port, upstream.remoteAddress ?? '') };
    } catch (thrown) {
      this.#open -= 1;
      throw thrown;
    }
  }

  /** From here on the connection is open: it is metered while it moves bytes, and once more when it ends. */
  #count(upstream: Socket, program: Readable, entry: OpenConnection): void {
    this.#hold(upstream);
    upstream.setTimeout(IDLE_MS, () => upstream.destroy());
    upstream.on('error', () => upstream.destroy());
    const read = (): void => {
      entry({ sent: upstream.bytesWritten, received: upstream.bytesRead });
      if (this.#log.bytes >= MAX_BYTES) upstream.destroy();
    };
    this.#meters.add(read);
    upstream.on('data', read);
    program.on('data', read);
    upstream.on('close', () => {
      read();
      this.#meters.delete(read);
      this.#open -= 1;
    });
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #refuse(target: Target | undefined, thrown: unknown): { readonly status: number; readonly message: string } {
    const { status, message } = thrown instanceof Refused ? thrown : new Refused(502, 'the host cannot be reached');
    this.#log.refuse(target?.host ?? '', target?.port ?? 0, message);
    return { status, message: `Countersign: ${target ? `${target.host}:${String(target.port)}: ` : ''}${message}` };
  }
}

/** `host:port`, as CONNECT names it. */
function authority(text: string): Target | undefined {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^:[\]/@\s]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

/** One address after the other; they were judged before. */
async function firstOf(addresses: readonly string[], port: number): Promise<Socket> {
  let trouble = new Refused(502, 'the host cannot be reached');
  for (const address of addresses) {
    try {
      return await open(address, port);
    } catch (thrown) {
      const code = (thrown as NodeJS.ErrnoException | null)?.code ?? 'no answer in time';
      trouble = new Refused(502, `the host cannot be reached (${code})`);
    }
  }
  throw trouble;
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), CONNECT_MS);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

function answer(status: number, why: string): string {
  const body = `${why}\n`;
  const head = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: text/plain\r\nconnection: close\r\n`;
  return `${head}content-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
}

function say(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${why}\n`);
}
