import type { Channel, Scope } from '#contracts';

/** Doors for machines: a cookie does not open them, so no page can make a browser use them. */
const MCP_PATH = /^\/mcp([/?]|$)/;

/** The channel of a token, from the path of the route (a base path is gone by then). */
export function channelOf(path: string): Extract<Channel, 'rest' | 'mcp'> {
  return MCP_PATH.test(path) ? 'mcp' : 'rest';
}

/** Methods that change nothing; all others need the CSRF token when the credential is a cookie. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** `WWW-Authenticate` of a refusal (RFC 6750), in the characters that a header may hold. Without a credential it names no error. */
export function challenge(refusal: { readonly error?: 'invalid_token'; readonly text?: string } | { readonly scope: Scope }): string {
  const parts =
    'scope' in refusal
      ? ['error="insufficient_scope"', `scope="${refusal.scope}"`]
      : refusal.error === undefined
        ? []
        : [`error="${refusal.error}"`, `error_description="${(refusal.text ?? '').replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`];
  return `Bearer ${['realm="countersign"', ...parts].join(', ')}`;
}
