import { AGENT_SCOPES, SCOPES, type Scope } from '#contracts';

/** The addresses of the protocol, each a resource of its own: a token for one opens no other. */
export const RESOURCE_PATHS = ['/mcp', '/mcp/terminal', '/mcp/relay', '/mcp/connector'] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** What can be asked for at each. `admin` is never among them. */
const OFFERED: Readonly<Record<ResourcePath, readonly Scope[]>> = {
  '/mcp': SCOPES.filter((scope) => scope !== 'admin'),
  '/mcp/terminal': ['terminal:plan', 'terminal:execute', 'approvals:decide', 'receipts:read'],
  '/mcp/relay': ['approvals:decide', 'relay:read', 'relay:drive'],
  '/mcp/connector': ['connector:read', 'connector:use'],
};
/** What a client is told to ask for first. */
const SUGGESTED: Readonly<Record<ResourcePath, readonly Scope[]>> = {
  '/mcp': AGENT_SCOPES,
  '/mcp/terminal': AGENT_SCOPES,
  '/mcp/relay': ['relay:read', 'relay:drive'],
  '/mcp/connector': ['connector:read', 'connector:use'],
};

export function isResourcePath(path: string): path is ResourcePath {
  return RESOURCE_PATHS.some((known) => known === path);
}

export function offeredAt(path: ResourcePath): readonly Scope[] {
  return OFFERED[path];
}

export function suggestedAt(path: ResourcePath): readonly Scope[] {
  return SUGGESTED[path];
}

/** What the metadata says. Nobody is invited to ask for what decides. */
export function announcedAt(path: ResourcePath): readonly Scope[] {
  return OFFERED[path].filter((scope) => scope !== 'approvals:decide');
}

/**
 * The resource that a metadata address speaks of: the path of the resource behind the well-known part, with or without the path
 * under which a proxy shows the server. Without any path it is the whole server's.
 */
export function resourceNamed(suffix: string, basePath: string): ResourcePath | undefined {
  const path = withoutBase(suffix, basePath);
  if (path === '') return '/mcp';
  return isResourcePath(path) ? path : undefined;
}

/** Whether clients look for the authorization server's metadata there: behind its own path, a resource's, or none. */
export function isIssuerNamed(suffix: string, basePath: string): boolean {
  const path = withoutBase(suffix, basePath);
  return path === '' || path === '/oauth' || isResourcePath(path);
}

function withoutBase(suffix: string, basePath: string): string {
  const path = suffix.replace(/\/+$/, '');
  return basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`)) ? path.slice(basePath.length) : path;
}
