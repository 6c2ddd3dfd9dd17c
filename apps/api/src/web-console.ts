import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Paths that belong to machines; a browser that opens one gets an honest 404, not the console. */
const NOT_PAGES = /^\/(api|mcp|health|ready|metrics|\.well-known)(\/|$)/;
/** Hashed names never change; Angular's hashes are mixed case. */
const HASHED = /-[A-Za-z0-9_-]{8}\.(js|css|woff2)(\.br|\.gz)?$/;
const BASE = /<base href="[^"]*"/;

/**
 * Serves the built console: its files, compressed where the build left a compressed copy, and its page for client-side
 * routes only. The page names the path under which the server is shown, so that files and calls are looked for there.
 * False when it is not built.
 */
export async function serveWebConsole(app: NestFastifyApplication, root: string, basePath: string): Promise<boolean> {
  const file = join(root, 'index.html');
  if (!existsSync(file)) return false;
  const page = readFileSync(file, 'utf8').replace(BASE, () => `<base href="${basePath}/"`);
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
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
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
    });
  return true;
}
