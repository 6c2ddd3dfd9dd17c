import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.js';
import { AppLog } from '../app-log.js';
import { AllowList } from '../core/allow-list.js';
import { Metrics } from '../metrics.js';
import { PlatformConfig } from '../platform.config.js';
import { answerError } from './app-error.filter.js';
import { addRateLimit } from './rate-limit.js';
import { securityHeaders } from './security-headers.js';
import { validationPipe } from './validation.js';

/** Machines expect these at the root; everything else of the server lies under /api. */
const OUTSIDE_API = ['mcp', 'mcp/{*rest}', 'health', 'ready', 'metrics', '.well-known/{*rest}', 'oauth/{*rest}'];
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const JSON_BODY = /^application\/json\s*(;|$)/i;

/**
 * The HTTP edge in front of every route, in this order: request id, headers, Host and Origin, rate limit, content type; then
 * Nest's guards, pipes and handlers. Called once, after the app is made with `httpAdapter` and before it listens.
 */
export async function configureHttp(app: NestFastifyApplication): Promise<void> {
  const config = app.get(PlatformConfig);
  const fastify = app.getHttpAdapter().getInstance();
  app.useLogger(app.get(AppLog));
  app.setGlobalPrefix('api', { exclude: OUTSIDE_API });
  app.useGlobalPipes(validationPipe());

  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = route.config?.bodyLimit ?? route.bodyLimit ?? config.maxRequestBytes;
  });
  fastify.setGenReqId(requestId);
  addEdgeChecks(fastify, config, await addRateLimit(fastify, config.rateLimitPerMinute));
  if (config.allowedOrigins.length > 0) await fastify.register(cors, corsOptions(config.allowedOrigins));
  addAccessLog(fastify, app.get(AppLog), app.get(Metrics));
}

/** The caller's own id when it is a plain token, so that its logs and ours meet; else a new one. */
function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

function addEdgeChecks(fastify: FastifyInstance, config: PlatformConfig, limit: (request: FastifyRequest) => Promise<void>): void {
  const allowed = new AllowList({ host: config.host, publicUrl: config.givenUrl, allowedOrigins: config.allowedOrigins });
  const headersOf = securityHeaders(config.publicUrl.startsWith('https:'));
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    for (const [name, value] of headersOf(request.url)) void reply.header(name, value);
    try {
      refuseForeign(request, allowed);
      await limit(request);
      refuseOtherBodies(request);
    } catch (refusal) {
      return answerError(reply, refusal); // here and not by a throw: routes of plugins have other error handlers
    }
  });
}

function refuseForeign({ headers: { host, origin }, socket: { localPort = 80 } }: FastifyRequest, allowed: AllowList): void {
  if (!allowed.hasHost(host, localPort)) {
    throw new AppError('HOST_NOT_ALLOWED', 'This server does not answer for the host name of the request; its own is set by PUBLIC_URL');
  }
  if (!allowed.hasOrigin(origin, localPort)) {
    throw new AppError('ORIGIN_NOT_ALLOWED', 'Pages of this origin may not call the server; ALLOWED_ORIGINS lists those that may');
  }
}

/** A page elsewhere can send a form or plain text without asking first; JSON it cannot. */
function refuseOtherBodies({ headers, is404 }: FastifyRequest): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || is404 || JSON_BODY.test(headers['content-type'] ?? '')) return;
  throw new AppError('CONTENT_TYPE_UNSUPPORTED', 'Send the body as application/json');
}

/** Exactly the listed origins, for callers with a bearer token: the console's cookie is not sent across sites. */
function corsOptions(allowedOrigins: readonly string[]): object {
  return {
    origin: [...allowedOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'x-request-id', 'retry-after'],
    maxAge: 600,
  };
}

/** One line a request: method, path without its query, status, time, id. Never a header, a query or a body. */
function addAccessLog(fastify: FastifyInstance, { pino }: AppLog, metrics: Metrics): void {
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { statusCode: status } = reply.raw;
    metrics.answered(request.method, request.routeOptions.url ?? 'none', status, ms);
    const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug';
    if (pino.isLevelEnabled(level)) {
      const path = request.url.split('?', 1)[0];
      pino[level]({ context: 'Http', method: request.method, path, status, ms, requestId: request.id }, 'request');
    }
    done();
  });
}
