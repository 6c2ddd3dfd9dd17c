import type { WordKey } from '../../core/words.js';

export const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vs-code', 'chatgpt', 'http'] as const;
export type Client = (typeof CLIENTS)[number];

/** What a person does with the text of one client. */
export interface ClientLook {
  readonly name: string;
  readonly hint: WordKey;
}

export const CLIENT_LOOKS: Readonly<Record<Client, ClientLook>> = {
  'claude-code': { name: 'Claude Code', hint: 'client_hint_shell' },
  'claude-desktop': { name: 'Claude Desktop', hint: 'client_hint_desktop' },
  cursor: { name: 'Cursor', hint: 'client_hint_cursor' },
  'vs-code': { name: 'VS Code', hint: 'client_hint_vscode' },
  chatgpt: { name: 'ChatGPT', hint: 'client_hint_chatgpt' },
  http: { name: 'HTTP', hint: 'client_hint_http' },
};

/** The newest protocol that this server speaks without a handshake. */
const PROTOCOL = '2026-07-28';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** The text to copy. Pure; the secret stands in it as it is given. */
export function configurationFor(client: Client, url: string, secret: string): string {
  const authorization = `Bearer ${secret}`;
  if (client === 'claude-code') return `claude mcp add --transport http countersign ${url} --header "Authorization: ${authorization}"`;
  if (client === 'claude-desktop') {
    // It starts local programs only; this one carries the calls on. The header stands in the environment, since arguments may lose spaces.
    const args = ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'];
    return json({ mcpServers: { countersign: { command: 'npx', args, env: { AUTHORIZATION: authorization } } } });
  }
  if (client === 'cursor') return json({ mcpServers: { countersign: { url, headers: { Authorization: authorization } } } });
  if (client === 'vs-code') return json({ servers: { countersign: { type: 'http', url, headers: { Authorization: authorization } } } });
  if (client === 'chatgpt') return url;
  return curl(url, authorization);
}

function curl(url: string, authorization: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  const headers = [
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${PROTOCOL}`,
    'Mcp-Method: tools/list',
  ];
  return [`curl ${url}`, ...headers.map((header) => `  -H '${header}'`), `  -d '${body}'`].join(' \\\n');
}
