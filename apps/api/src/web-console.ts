import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Paths that belong to machines; a browser that opens one gets an honest 404, not the console. */
const NOT_PAGES = /^\/(api|mcp|health|ready|metrics|\.well-known)(\/|$)/;
/** Hashed names never change; Angular's hashes are mixed case. */
const HASHED = /-[A-Za-z0-9_-]{8}\.(js|css|woff2)$/;

/** Serves the built console, with its index page for client-side routes only. False when it is not built. */
export async function serveWebConsole(app: NestFastifyApplication, root: string): Promise<boolean> {
  if (!existsSync(join(root, 'index.html'))) return false;
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app
    .getHttpAdapter()
    .getInstance()
    .get('/*', (request, reply) => {
      const isPage = request.headers.accept?.includes('text/html') === true && !NOT_PAGES.test(request.url);
      if (!isPage) {
        reply.callNotFound();
        return;
      }
      return reply.sendFile('index.html');
    });
  return true;
}
