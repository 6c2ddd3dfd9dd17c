import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FirstOwner, Tokens } from '#auth';
import { Executor, Workspaces } from '#execution';
import { listen, PlatformConfig } from '#platform';
import { banner } from '../banner.js';
import { createApp } from '../create-app.js';

/** Starts the server and says how to get in. Answers when the server listens; signals end it. */
export async function serve(): Promise<number> {
  const { app } = await createApp();
  await listenOrClose(app);
  process.stdout.write(await greeting(app));
  return 0;
}

/** A server that cannot listen must not leave its executor or its lease behind. */
async function listenOrClose(app: NestFastifyApplication): Promise<void> {
  try {
    await listen(app);
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
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
