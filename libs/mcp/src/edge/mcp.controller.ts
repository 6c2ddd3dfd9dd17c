import type { ServerResponse } from 'node:http';
import { All, Controller, Optional, Req, Res, type BeforeApplicationShutdown } from '@nestjs/common';
import { classifyInboundRequest, createMcpHandler, isInitializeRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '#contracts';
import { AppLog, BodyLimit, Caller, SignedIn } from '#platform';
import { factsFromAuthInfo, fromAuthInfo, toAuthInfo, type CallFacts } from '../call-facts.js';
import { McpChanges } from '../changes.js';
import { refuseShape } from '../core/body-shape.js';
import { MOUNTS, type Mount } from '../mounts.js';
import { StepUp } from '../ports.js';
import { RequestStates } from '../request-states.js';
import { ServedResources } from '../served-resources.js';
import { McpServers } from '../servers.js';
import { LegacySessions, type LegacySession } from './legacy-sessions.js';
import { OpenStreams } from './open-streams.js';
import { abortOnLeave, sendRefusal, sendWebResponse, toWebRequest, type RpcRefusal } from './web-exchange.js';

const MAX_BODY_BYTES = 262_144;
const MAX_FOLLOWED = 100;
const MODERN = '2026-07-28';
const OLDEST = '2025-03-26';

const NO_SESSION: RpcRefusal = { status: 404, code: -32_001, message: 'Session not found' };
const FULL: RpcRefusal = { status: 503, code: -32_000, message: 'Too many sessions are open; try again later' };
const TOO_MANY_STREAMS: RpcRefusal = { status: 429, code: -32_000, message: 'Too many streams are open' };
/** A reply without a socket waits behind another on its connection, and would never hear that the client has left. */
const NOT_ALONE: RpcRefusal = {
  status: 429,
  code: -32_000,
  message: 'Wait for the answer before sending the next request on a connection',
};
const NO_MESSAGE: RpcRefusal = { status: 400, code: -32_700, message: 'Parse error: the request has no body' };
const NO_SUCH_METHOD: RpcRefusal = { status: 405, code: -32_000, message: 'Method not allowed.' };

/** One HTTP request on its way to the SDK. */
interface Exchange {
  readonly mount: Mount;
  readonly facts: CallFacts;
  readonly request: FastifyRequest;
  readonly reply: ServerResponse;
  readonly signal: AbortSignal;
}

/** The protocol over HTTP: modern clients, stateless legacy clients and legacy sessions, all at the same addresses. */
@Controller()
export class McpController implements BeforeApplicationShutdown {
  readonly #handlers: ReadonlyMap<Mount, McpHttpHandler>;

  constructor(
    servers: McpServers,
    states: RequestStates,
    changes: McpChanges,
    private readonly resources: ServedResources,
    private readonly sessions: LegacySessions,
    private readonly streams: OpenStreams,
    private readonly log: AppLog,
    @Optional() private readonly stepUp?: StepUp,
  ) {
    const codec = states.codec(factsFromAuthInfo);
    const toHandler = (mount: Mount): McpHttpHandler =>
      createMcpHandler(
        ({ authInfo }) => servers.build({ mount, codec, factsOf: factsFromAuthInfo, method: fromAuthInfo(authInfo).method }),
        {
          bus: changes.bus,
          onerror: (error) => {
            this.log.pino.debug({ context: 'Mcp', err: error }, 'message refused');
          },
        },
      );
    this.#handlers = new Map(MOUNTS.map((mount) => [mount, toHandler(mount)]));
  }

  @All(MOUNTS.map(({ path }) => path))
  @SignedIn()
  @BodyLimit(MAX_BODY_BYTES)
  async serve(@Caller() caller: Principal, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const exchange = this.#open(caller, request, takeOver(reply));
    try {
      const refusal = await this.#dispatch(exchange);
      if (refusal) sendRefusal(exchange.reply, { id: idOf(request.body), ...refusal });
    } catch (error) {
      this.log.pino.error({ context: 'Mcp', requestId: request.id, err: error }, 'exchange failed');
      exchange.reply.destroy(); // hijacked: no filter would answer
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close()));
  }

  #open(caller: Principal, request: FastifyRequest, reply: ServerResponse): Exchange {
    const facts: CallFacts = {
      principal: caller,
      requestId: request.id,
      method: methodOf(request.body),
      protocolVersion: header(request, 'mcp-protocol-version') ?? OLDEST,
      stepUpUrl: this.stepUp?.metadataUrlFor(caller),
    };
    return { mount: mountOf(request), facts, request, reply, signal: abortOnLeave(reply) };
  }

  async #dispatch(exchange: Exchange): Promise<RpcRefusal | undefined> {
    const { mount, facts, request, reply } = exchange;
    if (reply.socket === null && !reply.destroyed) return NOT_ALONE;
    const problem = refuseShape(request.body);
    if (problem !== undefined) return { status: 400, code: -32_600, message: problem };
    if (!['POST', 'GET', 'DELETE'].includes(request.method)) return NO_SUCH_METHOD;
    if (request.method === 'POST' && request.body === undefined) return NO_MESSAGE;
    if (!isLegacy(request)) return this.#serveModern({ ...exchange, facts: { ...facts, protocolVersion: MODERN } });
    const sessionId = header(request, 'mcp-session-id');
    if (sessionId !== undefined) {
      const session = this.sessions.find(sessionId, facts.principal.id, mount);
      return session ? this.#serveSession(session, exchange) : NO_SESSION;
    }
    return isInitializeRequest(request.body) ? this.#openSession(exchange) : this.#serveOnce(exchange);
  }

  async #serveModern(exchange: Exchange): Promise<RpcRefusal | undefined> {
    if (exchange.facts.method === 'subscriptions/listen') {
      const refusal = await this.#refuseListening(exchange);
      if (refusal) return refusal;
    }
    return this.#serveOnce(exchange);
  }

  async #serveOnce({ mount, facts, request, reply, signal }: Exchange): Promise<undefined> {
    const handler = this.#handlers.get(mount);
    const options = { authInfo: toAuthInfo(facts), ...(request.body !== undefined && { parsedBody: request.body }) };
    const response = await handler?.fetch(toWebRequest(request.raw, signal), options);
    if (response) await sendWebResponse(reply, response);
  }

  async #openSession(exchange: Exchange): Promise<RpcRefusal | undefined> {
    const { capabilities, protocolVersion } = (exchange.request.body as { params: { capabilities: unknown; protocolVersion: string } })
      .params; // an initialize request
    const { principal } = exchange.facts;
    const session = await this.sessions.open(principal.id, exchange.mount, capabilities, protocolVersion);
    if (!session) return FULL;
    await this.#serveSession(session, exchange);
    if (session.transport.sessionId === undefined) await session.close(); // its initialize was refused
    return undefined;
  }

  async #serveSession(session: LegacySession, { facts, request, reply, signal }: Exchange): Promise<RpcRefusal | undefined> {
    if (request.method === 'GET' && !this.streams.add(reply, facts.principal)) return TOO_MANY_STREAMS;
    reply.once('close', this.sessions.use(session));
    const { capabilities, protocolVersion, followed } = session;
    const authInfo = toAuthInfo({ ...facts, capabilities, protocolVersion, followed });
    const parsedBody = request.body === undefined ? {} : { parsedBody: request.body };
    const response = await session.transport.handleRequest(toWebRequest(request.raw, signal), { authInfo, ...parsedBody });
    await sendWebResponse(reply, response);
    return undefined;
  }

  /** News about a resource goes only to callers that may read it. */
  async #refuseListening({ facts: { principal }, request, reply, signal }: Exchange): Promise<RpcRefusal | undefined> {
    const uris = subscribedIn(request.body);
    if (uris.length > MAX_FOLLOWED) return { status: 400, code: -32_602, message: 'Too many resources are followed' };
    const call = { principal, signal, can: { form: false, url: false }, round: null, notifyResource: () => undefined };
    const readable = await Promise.all(uris.map((uri) => this.resources.canRead(uri, call)));
    if (readable.includes(false)) return { status: 400, code: -32_602, message: 'A resource in resourceSubscriptions was not found' };
    return this.streams.add(reply, principal) ? undefined : TOO_MANY_STREAMS;
  }
}

/** The reply is ours from here on. What hooks have set stays on it. */
function takeOver(reply: FastifyReply): ServerResponse {
  const headers = reply.getHeaders();
  reply.hijack();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
  return reply.raw;
}

function mountOf({ routeOptions }: FastifyRequest): Mount {
  const path = routeOptions.url ?? '';
  return MOUNTS.find((mount) => path.endsWith(`/${mount.path}`)) ?? MOUNTS[0];
}

function isLegacy(request: FastifyRequest): boolean {
  const protocolVersionHeader = header(request, 'mcp-protocol-version');
  const mcpMethodHeader = header(request, 'mcp-method');
  const mcpNameHeader = header(request, 'mcp-name');
  const route = classifyInboundRequest({
    httpMethod: request.method,
    ...(request.body !== undefined && { body: request.body }),
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  });
  return route.kind === 'legacy';
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function methodOf(body: unknown): string | undefined {
  const { method } = (Array.isArray(body) ? {} : (body ?? {})) as { readonly method?: unknown };
  return typeof method === 'string' ? method : undefined;
}

function idOf(body: unknown): string | number | null {
  const { id } = (body ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function subscribedIn(body: unknown): readonly string[] {
  const { params } = body as { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.map(String) : [];
}
