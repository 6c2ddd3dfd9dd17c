import { NestFactory } from '@nestjs/core';
import { LocalCallers } from '#auth';
import { Runs } from '#execution';
import { serveMcpStdio } from '#mcp';
import { AppLog } from '#platform';
import { AppModule } from '../app.module.js';

/**
 * MCP on standard input and output, authorised by the parent process: no listener, logs on standard error only.
 * The end of input ends the runs of this process, with receipts; then it exits.
 */
export async function stdio(): Promise<number> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(), { bufferLogs: true, abortOnError: false });
  app.useLogger(app.get(AppLog));
  app.enableShutdownHooks();
  const caller = app.get(LocalCallers).localPrincipal();
  await serveMcpStdio(app, caller).ended;
  await app.get(Runs).endAllOf(caller.id);
  await app.close();
  return 0;
}
