import 'reflect-metadata';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppLog, configureHttp, httpAdapter, PlatformConfig } from '#platform';
import { AppModule } from './app.module.js';
import { serveWebConsole } from './web-console.js';

export interface Route {
  readonly method: string;
  readonly url: string;
}

export interface CreatedApp {
  readonly app: NestFastifyApplication;
  /** Every route that was registered, for the test that walks them. */
  readonly routes: readonly Route[];
}

/** dist/web, seen from the build and from the sources alike. */
function consoleFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const isBuilt = here.includes(join(sep, 'dist', 'server', sep));
  return isBuilt ? join(here, '../../../../web/browser') : join(here, '../../../dist/web/browser');
}

/** The HTTP product, ready to listen. Tests add modules of their own. */
export async function createApp(extraImports: DynamicModule['imports'] = []): Promise<CreatedApp> {
  const config = PlatformConfig.read();
  const adapter = httpAdapter(config);
  const routes: Route[] = [];
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(extraImports), adapter, {
    abortOnError: false,
    logger: new AppLog(config),
  });
  await configureHttp(app);
  describeApi(app);
  await serveWebConsole(app, consoleFolder(), config.basePath);
  app.enableShutdownHooks();
  return { app, routes };
}

function describeApi(app: NestFastifyApplication): void {
  const description = new DocumentBuilder()
    .setTitle('Countersign')
    .setDescription('REST calls for the console, scripts and administrators')
    .addBearerAuth()
    .build();
  SwaggerModule.setup('api/docs', app, () => SwaggerModule.createDocument(app, description));
}
