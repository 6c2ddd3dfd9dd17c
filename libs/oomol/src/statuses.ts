import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ConnectorId, ConnectorStatus } from '#contracts';
import { AppError, AppLog, Clock, EventFeed } from '#platform';
import { statusCodeOf } from './core/answers.js';
import { Connectors, type OpenConnector } from './connectors.js';
import { ConnectorWire, McpWire, type McpSession } from './ports.js';

const NOTHING: ConnectorStatus = {
  ...{ phase: 'unconfigured', errorCode: null, serverName: null, serverVersion: null, protocolVersion: null },
  ...{ toolCount: null, latencyMs: null, openToAnyone: false, checkedAt: null },
};
const PROBE_MS = 5_000;

interface Held {
  readonly changedAt: number;
  readonly session: McpSession | undefined;
  readonly status: ConnectorStatus;
}

/**
 * Owner of the open connections to connectors and of what is known of them; in memory only. A change disposes the old connection before
 * a new one is made, and what a slower look brings back late is closed again, so that none is ever left open.
 */
@Injectable()
export class ConnectorStatuses implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #held = new Map<ConnectorId, Held>();
  readonly #looking = new Map<ConnectorId, Promise<ConnectorStatus>>();
  #isClosed = false;

  constructor(
    private readonly connectors: Connectors,
    private readonly mcp: McpWire,
    private readonly wire: ConnectorWire,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly log: AppLog,
  ) {}

  /** Connectors that insist on being there are looked for at the start; the others when somebody asks. */
  async onApplicationBootstrap(): Promise<void> {
    this.feed.live.subscribe((event) => {
      if (event.type === 'connector.changed') void this.#dispose(event.connectorId);
    });
    const wanted = (await this.connectors.all()).filter(({ held }) => held.settings.failOnStartupError);
    for (const connector of wanted) {
      const { errorCode, phase } = await this.reload(connector);
      if (errorCode !== null)
        throw new AppError('CONNECTOR_FAILED', `The connector ${connector.held.settings.name} is not there`, { reason: phase });
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#held.keys()].map((id) => this.#dispose(id)));
  }

  /** What is known; nothing is sent. */
  get(connector: OpenConnector): ConnectorStatus {
    const { id, changedAt } = connector.held;
    if (this.#looking.has(id)) return { ...(this.#held.get(id)?.status ?? NOTHING), phase: 'connecting' };
    if (isUnconfigured(connector)) return NOTHING;
    const known = this.#held.get(id);
    return known?.changedAt === changedAt ? known.status : { ...NOTHING, phase: 'connecting' };
  }

  /** An open connection, made when there is none. Throws CONNECTOR_FAILED with the reason. */
  async session(connector: OpenConnector): Promise<McpSession> {
    const known = this.#held.get(connector.held.id);
    if (known?.changedAt === connector.held.changedAt && known.session) return known.session;
    const { phase } = await this.reload(connector);
    const session = this.#held.get(connector.held.id)?.session;
    if (session) return session;
    throw new AppError('CONNECTOR_FAILED', 'The connector cannot be reached', { reason: REASONS[phase] ?? 'unavailable' });
  }

  /** Disposes the connection and makes a new one; a test is the same. Those who ask meanwhile get the same answer. */
  reload(connector: OpenConnector): Promise<ConnectorStatus> {
    const { id } = connector.held;
    const running = this.#looking.get(id);
    if (running) return running;
    const looking = this.#reload(connector).finally(() => this.#looking.delete(id));
    this.#looking.set(id, looking);
    return looking;
  }

  async #reload(connector: OpenConnector): Promise<ConnectorStatus> {
    const { id, changedAt, settings } = connector.held;
    await this.#dispose(id);
    const checkedAt = new Date(this.clock.now()).toISOString();
    if (isUnconfigured(connector)) return { ...NOTHING, checkedAt };
    const startedAt = performance.now();
    let held: Held;
    try {
      const { key, team } = connector.target;
      const session = await this.mcp.open({ url: settings.endpoint.url, key, team, timeoutMs: settings.toolCallTimeoutMs });
      const { serverName, serverVersion, protocolVersion, tools } = session;
      const status: ConnectorStatus = {
        ...{ phase: 'connected', errorCode: null, checkedAt, toolCount: tools.length, protocolVersion },
        ...{ serverName: shown(serverName), serverVersion: shown(serverVersion), latencyMs: Math.round(performance.now() - startedAt) },
        openToAnyone: await this.#isOpen(connector),
      };
      held = { changedAt, session, status };
    } catch (error) {
      const errorCode = statusCodeOf(error);
      this.log.warn(`The connector ${id} could not be opened: ${errorCode}`, ConnectorStatuses.name); // never what it said
      const phase = errorCode === 'timeout' ? 'unavailable' : errorCode;
      held = { changedAt, session: undefined, status: { ...NOTHING, phase, errorCode, checkedAt } };
    }
    if (this.#isClosed || (await this.connectors.open(id))?.held.changedAt !== changedAt) await closed(held.session);
    else this.#held.set(id, held);
    return held.status;
  }

  /** Whether the endpoint takes requests without any key: then ours proves nothing. Hosted ones never do. */
  async #isOpen({ target, held }: OpenConnector): Promise<boolean> {
    if (held.settings.endpoint.mode === 'oomol-hosted') return false;
    const request = { method: 'GET' as const, path: '/v1/health' };
    const { status } = await this.wire.send({ ...target, key: undefined }, request, { timeoutMs: PROBE_MS });
    return status === 200;
  }

  async #dispose(id: ConnectorId): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await closed(held?.session);
  }
}

const REASONS: Partial<Record<ConnectorStatus['phase'], string>> = {
  unconfigured: 'unconfigured',
  unauthorized: 'unauthorized',
  'rate-limited': 'rate_limited',
};

/** The hosted service wants a key; a self-hosted one may do without. */
export function isUnconfigured({ held, target }: OpenConnector): boolean {
  return held.settings.endpoint.mode === 'oomol-hosted' && target.key === undefined;
}

function shown(text: string | null): string | null {
  return text !== null && /^[\w .()/+-]{1,100}$/.test(text) ? text : null;
}

async function closed(session: McpSession | undefined): Promise<void> {
  await session?.close().catch(() => undefined); // it is of no use any more, whatever it says
}
