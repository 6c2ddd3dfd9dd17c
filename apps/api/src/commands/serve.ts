import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FirstOwner, Tokens } from '#auth';
import { Executor, Workspaces } from '#execution';
import { PlatformConfig, StartError } from '#platform';
import { banner } from '../banner.js';
import { createApp } from '../create-app.js';

/** Starts the server and says how to get in. Answers when the server listens; signals end it. */
export async function serve(): Promise<number> {
  const { app } = await createApp();
  await listen(app);
  process.stdout.write(await greeting(app));
  return 0;
}

async function listen(app: NestFastifyApplication): Promise<void> {
  const config = app.get(PlatformConfig);
  try {
    await app.listen(config.port, config.host);
  } catch (thrown) {
    await app.close();
    throw explain(thrown, config);
  }
  config.bound(portOf(app));
}

function portOf(app: NestFastifyApplication): number {
  const address = app.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return address.port;
}

/** What the operator can do about a port that cannot be had. */
function explain(thrown: unknown, { host, port }: PlatformConfig): unknown {
  const code = (thrown as NodeJS.ErrnoException).code; // an error of node:net, or undefined
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${String(port)} on ${host} is in use. Stop what listens there, or set PORT to another one.`);
  if (code === 'EACCES') return new StartError(`Port ${String(port)} needs more rights than this user has. Set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new StartError(`HOST ${host} is not an address of this machine.`);
  return thrown;
}

async function greeting(app: NestFastifyApplication): Promise<string> {
  const config = app.get(PlatformConfig);
  const invitation = await app.get(FirstOwner).invite();
  const created = await app.get(Tokens).createFirst();
  const [workspace] = await app.get(Workspaces).list();
  const { facts, advice } = await app.get(Executor).report();
  return banner({
    version: config.version,
    url: config.publicUrl,
    link: invitation?.url,
    linkExpiresAt: invitation?.expiresAt ?? 0,
    agentToken: created?.secret,
    workspace,
    sandbox: facts,
    sandboxAdvice: advice,
  });
}
