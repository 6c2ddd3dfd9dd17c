import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { AppError } from '../app-error.js';
import { PlatformConfig } from '../platform.config.js';
import { answerError } from './app-error.filter.js';

/** A client that sends its headers or its body slower than this is cut off. */
const REQUEST_WITHIN_MS = 30_000;

const UNREADABLE = new AppError('INPUT_INVALID', 'The request could not be read');
const UNREADABLE_BODY = JSON.stringify({ error: AppError.toWire(UNREADABLE) });
const UNREADABLE_ANSWER = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${String(Buffer.byteLength(UNREADABLE_BODY))}`,
  'Connection: close',
  '',
  UNREADABLE_BODY,
].join('\r\n');

/** Fastify as the product uses it. Give it to NestFactory, then call `configureHttp`. */
export function httpAdapter(config: PlatformConfig = PlatformConfig.read()): FastifyAdapter {
  const { basePath, trustProxy } = config;
  return new FastifyAdapter({
    bodyLimit: config.maxRequestBytes,
    // A number says how many proxies stand in front, nearest first.
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    forceCloseConnections: true, // open streams would hold a shutdown up
    requestTimeout: REQUEST_WITHIN_MS,
    // Before any route or hook: a path that cannot be decoded, or bytes that are not HTTP.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => {
      answerError(reply, UNREADABLE);
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(UNREADABLE_ANSWER);
    },
    ...(basePath === '' ? {} : { rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutBase(url, basePath) }),
  });
}

/** A proxy may hand the prefix on or take it away; both work. */
function withoutBase(url: string, basePath: string): string {
  if (url === basePath) return '/';
  return url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`) ? url.slice(basePath.length).replace(/^(?!\/)/, '/') : url;
}
