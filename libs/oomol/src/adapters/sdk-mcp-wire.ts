import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { Egress, PlatformConfig } from '#platform';
import { McpWire, type McpSession, type McpTarget } from '../ports.js';

const MAX_ANSWER_BYTES = 16 * 1_024 * 1_024;
const MAX_TOOLS = 1_000;

/** The official client, whose every request goes through the guarded way out. */
@Injectable()
export class SdkMcpWire extends McpWire {
  constructor(
    private readonly egress: Egress,
    private readonly platform: PlatformConfig,
  ) {
    super();
  }

  override async open({ url, key, team, timeoutMs }: McpTarget): Promise<McpSession> {
    const client = new Client({ name: 'countersign', version: this.platform.version }, { capabilities: {} });
    const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...(team !== null && { 'x-oo-team-name': team }) };
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers, redirect: 'error' },
      fetch: (input, init) => this.#fetch(new URL(String(input)), init, timeoutMs),
      reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
    });
    try {
      await client.connect(transport, { timeout: timeoutMs });
      const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
      const server = client.getServerVersion();
      return {
        serverName: server?.name ?? null,
        serverVersion: server?.version ?? null,
        protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
        tools: tools.slice(0, MAX_TOOLS).map(({ name }) => name),
        call: (name, input, ms) => client.callTool({ name, arguments: { ...input } }, { timeout: ms }),
        close: () => client.close(),
      };
    } catch (error) {
      await client.close().catch(() => undefined); // it may not even have been opened
      throw error;
    }
  }

  /** As fetch does it, within the guard: a redirect is no answer, and streams that only listen are not opened. */
  async #fetch(url: URL, init: RequestInit | undefined, timeoutMs: number): Promise<Response> {
    const method = init?.method ?? 'GET';
    if (method !== 'POST') return new Response(null, { status: 405 });
    const answer = await this.egress.send({
      method,
      url,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' && { body: init.body }),
      timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    if (!answer.ok) throw new WireError(answer.reason.includes('in time') ? 'TimeoutError' : 'NetworkError');
    if (answer.status >= 300 && answer.status < 400) throw new WireError('NetworkError');
    const isEmpty = answer.status === 202 || answer.status === 204;
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: kept(answer.headers) });
  }
}

/** Its name says what happened; there is no text of the other side in it. */
class WireError extends Error {
  constructor(override readonly name: 'TimeoutError' | 'NetworkError') {
    super('The connector did not answer');
  }
}

/** The text is whole and decoded, so headers about how it travelled do not hold any more. */
function kept(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(content-type|mcp-|www-authenticate|retry-after)/.test(name)));
}
