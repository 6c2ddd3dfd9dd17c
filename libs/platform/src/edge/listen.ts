import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PlatformConfig } from '../platform.config.js';
import { StartError } from '../start-error.js';

/** Listens where the settings say and resolves to the public address, or says in words why it cannot. */
export async function listen(app: NestFastifyApplication): Promise<string> {
  const config = app.get(PlatformConfig);
  const { host, port } = config;
  await app.init(); // what fails here has its own words
  try {
    await app.listen(port, host);
  } catch (error) {
    throw new StartError(reason(host, port, error), { cause: error });
  }
  config.bound((app.getHttpServer().address() as { readonly port: number }).port);
  return config.publicUrl;
}

function reason(host: string, port: number, error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${String(port)} on ${host} is in use. Stop the other process, or set PORT to a free one`;
    case 'EACCES':
      return `This user may not listen on port ${String(port)}. Set PORT to one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Set HOST to one that it has`;
    case undefined:
    default:
      return `The server cannot listen on ${host}, port ${String(port)}`;
  }
}
