import { NestFactory } from '@nestjs/core';
import { LocalCallers } from '#auth';
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
  const server = serveMcpStdio(app, app.get(LocalCallers).localPrincipal());
  await server.ended;
  await app.close();
  return 0;
}
