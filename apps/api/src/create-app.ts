import 'reflect-metadata';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { configureHttp } from '#platform';
import { AppModule } from './app.module.js';
import { serveWebConsole } from './web-console.js';

/** dist/web, seen from dist/server/apps/api/src and from apps/api/src alike. */
export function consoleFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return here.includes(join('dist', 'server')) ? join(here, '../../../../web') : join(here, '../../../dist/web');
}

/** The HTTP product, ready to listen. Tests add modules of their own. */
export async function createApp(extraImports: DynamicModule['imports'] = []): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({ forceCloseConnections: true, trustProxy: false });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(extraImports), adapter, {
    abortOnError: false,
    bufferLogs: true,
  });
  await configureHttp(app);
  describeApi(app);
  await serveWebConsole(app, consoleFolder());
  app.enableShutdownHooks();
  return app;
}

function describeApi(app: NestFastifyApplication): void {
  const description = new DocumentBuilder().setTitle('Countersign').setDescription('REST admin calls').addBearerAuth().build();
  SwaggerModule.setup('api/docs', app, () => SwaggerModule.createDocument(app, description));
}
