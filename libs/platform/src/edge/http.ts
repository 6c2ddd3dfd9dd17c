import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The HTTP edge in front of every route. Called once, after the app is created and before it listens. */
export async function configureHttp(app: NestFastifyApplication): Promise<void> {
  app.setGlobalPrefix('api', { exclude: ['mcp', 'mcp/{*path}', 'health', 'ready', 'metrics'] });
  await Promise.resolve();
}
