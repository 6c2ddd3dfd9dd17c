import type { Client } from '@modelcontextprotocol/client';
import type { Scope, WorkspaceId } from '#contracts';
import { Workspaces } from '#execution';
import { boot, type Booted, type BootOptions } from './boot.js';
import type { ConsoleClient } from './console-client.mjs';
import { FakeHost } from './fake-host.js';
import { FakeHosts, fakeHostsModule } from './fake-hosts.js';

export type Answer = Record<string, unknown> & {
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
};

/** The whole product with a fake agent host, a person at the console and a client that drives. */
export interface RelayFlow {
  readonly api: Booted;
  readonly hosts: FakeHosts;
  readonly host: FakeHost;
  readonly hostId: Awaited<ReturnType<FakeHosts['add']>>;
  readonly owner: ConsoleClient;
  readonly client: Client;
  readonly workspaceId: WorkspaceId;
  /** The driving client calls a tool of the relay. */
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

export async function relayFlow(
  options: BootOptions & { readonly scopes?: readonly Scope[]; readonly driver?: FakeHost } = {},
): Promise<RelayFlow> {
  const { scopes = ['relay:read', 'relay:drive'], driver: host = new FakeHost(), ...rest } = options;
  const hosts = new FakeHosts();
  const api = await boot({ ...rest, hosts: fakeHostsModule(hosts) });
  const hostId = await hosts.add(host);
  const owner = await api.owner();
  const created = (await owner.post('/api/tokens', { name: 'driver', scopes })) as { secret: string };
  const client = await api.mcp({ token: created.secret, path: '/mcp/relay' });
  const [workspace] = await api.app.get(Workspaces).list();
  if (!workspace) throw new Error('No workspace');
  return {
    ...{ api, hosts, host, hostId, owner, client, workspaceId: workspace.id },
    call: async (name, args = {}) => {
      const { content } = await client.callTool({ name, arguments: args });
      const [block] = content as readonly { readonly text: string }[];
      return JSON.parse(block?.text ?? 'null') as Answer;
    },
    close: () => api.close(),
  };
}

/** Polls until it holds; tests wait for what they see from outside. */
export async function eventually<T>(look: () => Promise<T | undefined | false> | T | undefined | false, ms = 5_000): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) throw new Error('It did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
