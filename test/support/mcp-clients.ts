import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the person in front of a client would do with a question. */
export type Answerer = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

export interface ClientOptions {
  /** Modes that the client declares; none by default. */
  readonly elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
  readonly answer?: Answerer;
}

export interface HttpTarget extends ClientOptions {
  /** Whole address, such as `http://127.0.0.1:1234/mcp`. */
  readonly url: string;
  readonly token: string;
  /** Other than the latest, for `modernOverHttp` only. */
  readonly mode?: 'auto';
}

export interface StdioTarget extends ClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const IDENTITY = { name: 'countersign-test', version: '1.0.0' };

/** `@modelcontextprotocol/client`, pinned to protocol 2026-07-28. */
export async function modernOverHttp(target: HttpTarget): Promise<ModernClient> {
  const client = aModernClient(target, target.mode);
  await client.connect(new ModernHttp(new URL(target.url), { requestInit: { headers: bearer(target) } }));
  return client;
}

export async function modernOverStdio(target: StdioTarget): Promise<ModernClient> {
  const client = aModernClient(target);
  await client.connect(new ModernStdio({ ...process_(target), stderr: 'pipe' }));
  return client;
}

/** `@modelcontextprotocol/sdk` 1.32 with a session. */
export async function legacyOverHttp(target: HttpTarget): Promise<LegacyClient> {
  const client = aLegacyClient(target);
  await client.connect(new LegacyHttp(new URL(target.url), { requestInit: { headers: bearer(target) } }));
  return client;
}

/** `@modelcontextprotocol/sdk` 1.32 of a host that keeps no session. */
export async function statelessLegacyOverHttp(target: HttpTarget): Promise<LegacyClient> {
  const client = aLegacyClient(target);
  const withoutSession = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...request);
    const headers = new Headers(response.headers);
    headers.delete('mcp-session-id');
    return new Response(response.body, { status: response.status, headers });
  };
  await client.connect(new LegacyHttp(new URL(target.url), { fetch: withoutSession, requestInit: { headers: bearer(target) } }));
  return client;
}

export async function legacyOverStdio(target: StdioTarget): Promise<LegacyClient> {
  const client = aLegacyClient(target);
  await client.connect(new LegacyStdio({ ...process_(target), stderr: 'pipe' }));
  return client;
}

function aModernClient({ elicitation, answer }: ClientOptions, mode?: 'auto'): ModernClient {
  const client = new ModernClient(IDENTITY, {
    versionNegotiation: { mode: mode ?? { pin: '2026-07-28' } },
    capabilities: elicitation ? { elicitation } : {},
  });
  if (answer) client.setRequestHandler('elicitation/create', async ({ params }) => answer(params));
  return client;
}

function aLegacyClient({ elicitation, answer }: ClientOptions): LegacyClient {
  const client = new LegacyClient(IDENTITY, { capabilities: elicitation ? { elicitation } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params));
  return client;
}

function bearer({ token }: HttpTarget): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function process_({ command, args, env, cwd }: StdioTarget) {
  return { command, args: [...args], ...(env && { env: { ...env } }), ...(cwd !== undefined && { cwd }) };
}
