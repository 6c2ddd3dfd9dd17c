import { randomUUID } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';
import type { PrincipalId } from '#contracts';
import { AppLog, Clock, ScheduledWork } from '#platform';
import { factsFromAuthInfo } from '../call-facts.js';
import { McpChanges } from '../changes.js';
import { followChanges } from '../follow-changes.js';
import type { Mount } from '../mounts.js';
import { RequestStates } from '../request-states.js';
import { McpServers } from '../servers.js';

const MAX_SESSIONS = 1_000;
const MAX_PER_PRINCIPAL = 32;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/** A connection of a client that said `initialize`. Not an execution session: closing it leaves those open. */
export interface LegacySession {
  readonly owner: PrincipalId;
  readonly mount: Mount;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly capabilities: unknown;
  readonly protocolVersion: string;
  readonly followed: Set<string>;
  /** Messages and streams that are open now; a session in use does not expire. */
  inUse: number;
  usedAt: number;
  readonly close: () => Promise<void>;
}

/** Owner of the sessions of legacy clients: bound to one caller, bounded in number, ended when idle. In memory only. */
@Injectable()
export class LegacySessions implements OnModuleInit, BeforeApplicationShutdown {
  readonly #open = new Map<string, LegacySession>();

  constructor(
    private readonly servers: McpServers,
    private readonly states: RequestStates,
    private readonly changes: McpChanges,
    private readonly clock: Clock,
    private readonly scheduled: ScheduledWork,
    private readonly log: AppLog,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  onModuleInit(): void {
    this.scheduled.every(SWEEP_MS, 'Closing idle MCP sessions', () => this.sweep());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ close }) => close()));
  }

  /** Another caller's session and no session look the same. */
  find(id: string, owner: PrincipalId, mount: Mount): LegacySession | undefined {
    const session = this.#open.get(id);
    return session?.owner === owner && session.mount === mount ? session : undefined;
  }

  /** Undefined when the server is full. A caller with too many sessions loses the one it has not used for longest. */
  async open(owner: PrincipalId, mount: Mount, capabilities: unknown, protocolVersion: string): Promise<LegacySession | undefined> {
    await this.#makeRoom(owner);
    if (this.#open.size >= MAX_SESSIONS) return undefined;
    const server = this.servers.build({
      mount,
      factsOf: factsFromAuthInfo,
      codec: this.states.codec(factsFromAuthInfo),
      method: undefined,
    });
    server.server.onerror = (error) => {
      this.log.pino.debug({ context: 'Mcp', err: error }, 'session');
    };
    const session = this.#toSession(server, owner, mount, capabilities, protocolVersion);
    await server.connect(session.transport);
    return session;
  }

  /** Counts one message or stream in, and out again when the returned function is called. */
  use(session: LegacySession): () => void {
    session.inUse += 1;
    session.usedAt = this.clock.now();
    return () => {
      session.inUse -= 1;
      session.usedAt = this.clock.now();
    };
  }

  async sweep(): Promise<void> {
    const idleSince = this.clock.now() - IDLE_MS;
    const idle = [...this.#open.values()].filter(({ inUse, usedAt }) => inUse === 0 && usedAt < idleSince);
    await Promise.all(idle.map(({ close }) => close()));
  }

  #toSession(server: McpServer, owner: PrincipalId, mount: Mount, capabilities: unknown, protocolVersion: string): LegacySession {
    const followed = new Set<string>();
    const unfollow = followChanges(this.changes, server, followed);
    const forget = (id: string | undefined): void => {
      unfollow();
      if (id !== undefined) this.#open.delete(id);
    };
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#open.set(id, session);
      },
      onsessionclosed: forget,
    });
    const session: LegacySession = {
      owner,
      mount,
      transport,
      capabilities,
      protocolVersion,
      followed,
      inUse: 0,
      usedAt: this.clock.now(),
      close: async () => {
        forget(transport.sessionId);
        await server.close();
      },
    };
    return session;
  }

  async #makeRoom(owner: PrincipalId): Promise<void> {
    const own = [...this.#open.values()].filter((session) => session.owner === owner);
    if (own.length < MAX_PER_PRINCIPAL) return;
    const [oldest] = own.filter(({ inUse }) => inUse === 0).sort((a, b) => a.usedAt - b.usedAt);
    await (oldest ?? own[0])?.close();
  }
}
