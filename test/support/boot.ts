import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FirstOwner, Tokens } from '#auth';
import { Workspaces } from '#execution';
import { listen } from '#platform';
import { createApp, type Route } from '../../apps/api/src/create-app.js';
import { ConsoleClient } from './console-client.mjs';
import { temporaryFolder } from './server.mjs';

export interface Booted {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly dataDir: string;
  /** Root of the first workspace. */
  readonly workspace: string;
  /** The first start's agent token. */
  readonly agentToken: string;
  /** The first owner's sign-in link. */
  readonly link: string;
  readonly routes: readonly Route[];
  /** A fetch of a path of this server. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The first owner, signed in. */
  owner(): Promise<ConsoleClient>;
  /** A real modern MCP client with the agent token, or with another. */
  mcp(options?: { token?: string; path?: string; capabilities?: Record<string, unknown> }): Promise<Client>;
  close(): Promise<void>;
}

export interface BootOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly imports?: DynamicModule['imports'];
  /** Reuse the data folder of an earlier boot. */
  readonly dataDir?: string;
  /** Keep the data folder at close. */
  readonly keep?: boolean;
}

/** The real root module on a real socket, in this process, with a throwaway data folder. */
export async function boot({
  env = {},
  imports = [],
  dataDir = join(temporaryFolder(), 'data'),
  keep = false,
}: BootOptions = {}): Promise<Booted> {
  const restore = setEnvironment({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', COUNTERSIGN_DATA: dataDir, ...env });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { app, routes } = await createApp(imports);
  const url = await listen(app);
  restore();
  const invitation = await app.get(FirstOwner).invite();
  const created = await app.get(Tokens).createFirst();
  const [first] = await app.get(Workspaces).list();
  const clients: Client[] = [];
  let signedIn: Promise<ConsoleClient> | undefined;
  const link = invitation?.url ?? '';
  return {
    app,
    url,
    dataDir,
    workspace: first?.root ?? '',
    agentToken: created?.secret ?? '',
    link,
    routes,
    fetch: (path, init) => fetch(url + path, init),
    owner: () => (signedIn ??= signIn(url, link)),
    mcp: async ({ token = created?.secret ?? '', path = '/mcp', capabilities = {} } = {}) => {
      const client = new Client(
        { name: 'test-agent', version: '1.0.0' },
        { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
      );
      clients.push(client);
      return client;
    },
    close: async () => {
      await Promise.allSettled(clients.map((client) => client.close()));
      await app.close();
      if (!keep) rmSync(join(dataDir, '..'), { recursive: true, force: true });
    },
  };
}

async function signIn(url: string, link: string): Promise<ConsoleClient> {
  const client = new ConsoleClient(url);
  await client.welcome(link);
  return client;
}

/** Settings are read once, while the app is made; afterwards the environment is as before. */
function setEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((key) => [key, process.env[key]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [key, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, key);
      else process.env[key] = value;
    }
  };
}
