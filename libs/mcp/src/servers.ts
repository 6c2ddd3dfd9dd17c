import { Injectable, Optional } from '@nestjs/common';
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  requireScopes,
  type JSONRPCRequest,
  type McpServerOptions,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Scope } from '#contracts';
import { ServerInfo } from '#platform';
import { type CallFacts, type FactsOf } from './call-facts.js';
import type { Serving } from './calls.js';
import { McpFeatures } from './features.js';
import { INSTRUCTIONS } from './instructions.js';
import type { Mount } from './mounts.js';
import type { CarriedState } from './request-states.js';
import { ServedPrompts } from './served-prompts.js';
import { ServedResources } from './served-resources.js';
import { ServedTools } from './served-tools.js';

const MINUTE_MS = 60_000;
const MAX_FOLLOWED = 100;

/** How long clients may keep an answer. Private where the caller's scopes shape it. */
const CACHE_HINTS: NonNullable<McpServerOptions['cacheHints']> = {
  'server/discover': { ttlMs: 60 * MINUTE_MS, cacheScope: 'public' },
  'tools/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'private' },
  'prompts/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'private' },
  'resources/list': { ttlMs: 5_000, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};

export interface ServerRequest {
  readonly mount: Mount;
  readonly factsOf: FactsOf;
  readonly codec: RequestStateCodec<CarriedState>;
  /** The only method that will be called, where that is known: the rest is then not set up. */
  readonly method: string | undefined;
}

/** Builds the protocol server for one message or one connection. It is never used for a second one. */
@Injectable()
export class McpServers {
  readonly #info: { readonly name: string; readonly title: string; readonly version: string };
  readonly #capabilities: NonNullable<McpServerOptions['capabilities']>;

  constructor(
    private readonly tools: ServedTools,
    private readonly resources: ServedResources,
    private readonly prompts: ServedPrompts,
    { version }: ServerInfo,
    @Optional() features?: McpFeatures,
  ) {
    const listChanged = features?.changingLists ?? false;
    this.#info = { name: 'countersign', title: 'Countersign', version };
    this.#capabilities = {
      tools: { listChanged },
      prompts: { listChanged },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      ...(features?.logging === true && { logging: {} }),
    };
  }

  build(request: ServerRequest): McpServer {
    const { mount, codec, method } = request;
    const only = method === 'tools/call';
    const server = new ServedServer(
      this.#info,
      {
        capabilities: only ? { tools: {}, ...(this.#capabilities.logging && { logging: {} }) } : this.#capabilities,
        requestState: { verify: (state, context) => codec.verify(state, context) },
        ...(!only && { cacheHints: CACHE_HINTS, instructions: INSTRUCTIONS }),
      },
      (name) => this.tools.find(mount, name)?.headerSchema,
      (wanted) => this.#scopeOf(mount, wanted),
    );
    this.#serveTools(server, request);
    if (only) return server;
    this.#serveResources(server, request);
    this.#servePrompts(server, request);
    return server;
  }

  #serveTools({ server }: McpServer, { mount, factsOf, codec }: ServerRequest): void {
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.tools.call(mount, params, { context, codec, facts: factsOf(context) }),
    );
    server.setRequestHandler('tools/list', ({ params }, context) => {
      refuseCursor(params);
      return { tools: [...this.tools.list(mount, factsOf(context).principal)] };
    });
  }

  #serveResources({ server }: McpServer, { factsOf, codec }: ServerRequest): void {
    const toServing = (context: ServerContext): Serving => ({ context, codec, facts: factsOf(context) });
    server.setRequestHandler('resources/list', ({ params }, context) => {
      refuseCursor(params);
      return this.resources.list(toServing(context));
    });
    server.setRequestHandler('resources/templates/list', ({ params }, context) => {
      refuseCursor(params);
      return { resourceTemplates: this.resources.templates(factsOf(context).principal) };
    });
    server.setRequestHandler('resources/read', ({ params }, context) => this.resources.read(params.uri, toServing(context)));
    server.setRequestHandler('completion/complete', ({ params }, context) => this.resources.complete(params, toServing(context)));
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
      const serving = toServing(context);
      const followed = followedBy(serving.facts);
      if (followed.size >= MAX_FOLLOWED) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Too many resources are followed');
      await this.resources.read(uri, serving); // news goes only to callers that may read
      followed.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }, context) => {
      followedBy(factsOf(context)).delete(uri);
      return {};
    });
  }

  #servePrompts({ server }: McpServer, { factsOf, codec }: ServerRequest): void {
    server.setRequestHandler('prompts/list', ({ params }, context) => {
      refuseCursor(params);
      return { prompts: [...this.prompts.list(factsOf(context).principal)] };
    });
    server.setRequestHandler('prompts/get', ({ params }, context) => this.prompts.get(params, { context, codec, facts: factsOf(context) }));
  }

  #scopeOf(mount: Mount, { method, params }: JSONRPCRequest): Scope | null | undefined {
    const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown };
    if (method === 'tools/call' && typeof name === 'string') return this.tools.find(mount, name)?.scope;
    if (method === 'prompts/get' && typeof name === 'string') return this.prompts.find(name)?.spec.scope;
    if (method === 'resources/read' && typeof uri === 'string') return this.resources.scopeAt(uri);
    return undefined;
  }
}

/** Tells the SDK's HTTP entry what it asks a server about before a message is dispatched; the handlers are our own. */
class ServedServer extends McpServer {
  readonly #headerSchemaOf: (tool: string) => Record<string, unknown> | undefined;

  constructor(
    info: ConstructorParameters<typeof McpServer>[0],
    options: McpServerOptions,
    headerSchemaOf: (tool: string) => Record<string, unknown> | undefined,
    scopeOf: (request: JSONRPCRequest) => Scope | null | undefined,
  ) {
    super(info, options);
    this.#headerSchemaOf = headerSchemaOf;
    this.resolveScopeChallenge = (challenged) => {
      if (challenged.authInfo?.resourceMetadataUrl === undefined) return undefined; // its scopes are fixed: an ordinary answer says so
      const scope = scopeOf(challenged.request);
      return scope === null || scope === undefined ? undefined : requireScopes(scope)(challenged);
    };
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#headerSchemaOf(name);
  }
}

/** All lists are one page, so no cursor is ours. */
function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
}

function followedBy({ followed }: CallFacts): Set<string> {
  if (followed) return followed;
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Following a resource needs a session');
}
