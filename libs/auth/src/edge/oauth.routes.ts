import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#platform';
import { readRegistration } from '../core/oauth-clients.js';
import { isIssuerNamed, resourceNamed } from '../core/oauth-places.js';
import { OauthConfig } from '../oauth.config.js';
import { OauthPlaces, PROTECTED } from '../oauth-places.js';
import { OauthThrottle } from '../oauth-throttle.js';
import { AuthorizationServer } from '../ports.js';

const MAX_BODY = 8_192;
const ISSUERS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;
const DISCOVERY = '/.well-known/openid-configuration';

/**
 * Doors of OAuth for clients. They are open and carry their own proof, so they stand outside the guard, and they read their
 * bodies themselves: forms, as OAuth has them. No cookie of the console is looked at here.
 */
@Injectable()
export class OauthRoutes implements OnModuleInit {
  readonly #log = new Logger(OauthRoutes.name);

  constructor(
    private readonly http: HttpAdapterHost<FastifyAdapter>,
    private readonly server: AuthorizationServer,
    private readonly places: OauthPlaces,
    private readonly throttle: OauthThrottle,
    private readonly config: OauthConfig,
  ) {}

  onModuleInit(): void {
    const http: { readonly httpAdapter?: FastifyAdapter | null } = this.http; // there is none on STDIO
    const { httpAdapter } = http;
    if (!httpAdapter || !this.places.isOn) return; // without a listener there are no clients of others
    // Not waited for: that would complete the routes of everybody before they have heard of our error handler.
    void httpAdapter.getInstance<FastifyInstance>().register((scope, _, done) => {
      this.#open(scope);
      done();
    });
  }

  #open(scope: FastifyInstance): void {
    for (const path of [PROTECTED, `${PROTECTED}/*`]) {
      scope.get(path, (request, reply) => this.#describe(request, reply));
    }
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    for (const path of ISSUERS.flatMap((known) => [known, `${known}/*`])) {
      scope.get(path, (request, reply) => this.#discover(request, reply));
    }
    const config = { ownBody: true };
    scope.get('/oauth/*', (request, reply) => this.#serve(request, reply));
    scope.post('/oauth/*', { config }, (request, reply) => this.#serve(request, reply));
    scope.post('/oauth/reg', { config }, (request, reply) => this.#register(request, reply));
  }

  async #describe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = resourceNamed(suffixOf(request, PROTECTED), this.places.basePath);
    if (path === undefined) return notHere(reply);
    return reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(this.places.metadata(path));
  }

  async #discover(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const known = ISSUERS.find((path) => request.url.startsWith(path)) ?? '';
    if (!isIssuerNamed(suffixOf(request, known), this.places.basePath)) return notHere(reply);
    return this.#answer(request, reply, DISCOVERY, Buffer.alloc(0));
  }

  async #serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.slice('/oauth'.length);
    const { pathname, searchParams } = new URL(path, 'http://inside');
    if (/^\/auth(\/|$)/.test(pathname) && request.method === 'POST') return notHere(reply);
    if (searchParams.getAll('resource').length > 1) {
      return reply.status(400).send({ error: 'invalid_target', error_description: 'Name one resource at a time' });
    }
    if (/token|secret|code$/.test([...searchParams.keys()].join(' ')) && pathname !== '/auth') {
      return reply.status(400).send({ error: 'invalid_request', error_description: 'Secrets never stand in an address' });
    }
    const body = await readBody(request.raw);
    if (body === undefined) return reply.status(413).send({ error: 'invalid_request', error_description: 'The body is too long' });
    return this.#answer(request, reply, path, body);
  }

  /** A client that registers by itself gets what every such client gets, whatever else it asks for. */
  async #register(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!this.config.allowsRegistration)
      return reply.status(403).send({ error: 'access_denied', error_description: 'Registration is off' });
    const problem = await this.#refusal(request.ip);
    if (problem) {
      return reply
        .status(429)
        .header('retry-after', String(problem.details['retryAfterSeconds']))
        .send({ error: 'temporarily_unavailable', error_description: problem.message });
    }
    const body = await readBody(request.raw);
    const read = readRegistration(body && parsed(body));
    if (!read.ok) {
      const error = /redirect/.test(read.message) ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      return reply.status(400).send({ error, error_description: read.message });
    }
    request.raw.headers['content-type'] = 'application/json';
    return this.#answer(request, reply, '/reg', Buffer.from(JSON.stringify(read.value)));
  }

  async #refusal(address: string): Promise<AppError | undefined> {
    try {
      this.throttle.count(address);
      await this.throttle.assertRoom();
      return undefined;
    } catch (thrown) {
      if (thrown instanceof AppError) return thrown;
      throw thrown;
    }
  }

  /** The library writes the answer; what the edge has set stays on it. */
  async #answer(request: FastifyRequest, reply: FastifyReply, path: string, body: Buffer): Promise<FastifyReply> {
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    try {
      await this.server.serve({ request: request.raw, reply: reply.raw }, path, body);
    } catch (error) {
      this.#log.error('OAuth failed', error);
      reply.raw.destroy();
    }
    return reply;
  }
}

/** What follows a well-known path, without its query. */
function suffixOf({ url }: FastifyRequest, known: string): string {
  return (url.split('?', 1)[0] ?? '').slice(known.length);
}

function notHere(reply: FastifyReply): FastifyReply {
  return reply
    .status(404)
    .type('application/json; charset=utf-8')
    .send({ error: AppError.toWire(new AppError('ROUTE_NOT_FOUND', 'No such route')) });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // said like every body that is no object
  }
}

/** Undefined: longer than is taken. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
