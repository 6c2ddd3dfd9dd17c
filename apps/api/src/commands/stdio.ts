import { NestFactory } from '@nestjs/core';
import { LocalCallers } from '#auth';
import { Runs } from '#execution';
import { serveMcpStdio } from '#mcp';
import { AppLog, PlatformConfig } from '#platform';
import { AppModule } from '../app.module.js';

/**
 * MCP on standard input and output, authorised by the parent process: no listener, logs on standard error only.
 * The end of input ends the runs of this process, with receipts; then it exits.
 */
export async function stdio(): Promise<number> {
  const logger = new AppLog(PlatformConfig.read()); // from the first line on: Nest's own would write to standard output
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(), { logger, abortOnError: false });
  app.enableShutdownHooks();
  const caller = app.get(LocalCallers).localPrincipal();
  await serveMcpStdio(app, caller).ended;
  await app.get(Runs).endAllOf(caller.id);
  await app.close();
  return 0;
}
