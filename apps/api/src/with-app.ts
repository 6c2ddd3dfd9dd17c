import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppLog, PlatformConfig } from '#platform';
import { AppModule } from './app.module.js';

/** Opens the product without a listener, does one thing, and closes it again; for the command line. */
export async function withApp(work: (app: INestApplicationContext) => Promise<number>): Promise<number> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(), {
    logger: new AppLog(PlatformConfig.read()),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
