import { Injectable } from '@nestjs/common';
import type { ActionGuide, ActionList, ConnectorId } from '#contracts';
import { AppError, Clock } from '#platform';
import { actionId, type ActionSchema, type Guide, previewOf, schemaOfGuide, toActionRow, toGuide, toSchema } from './core/actions.js';
import { isFields } from './core/answers.js';
import { Connections } from './connections.js';
import type { OpenConnector } from './connectors.js';
import { ConnectorRequests, failed } from './requests.js';
import { ConnectorStatuses } from './statuses.js';

const MOST_HITS = 50;
const SCHEMA_FRESH_MS = 60_000;
const MOST_SCHEMAS = 500;
const LOOK_MS = 15_000;

interface Known {
  readonly schema: ActionSchema;
  readonly at: number;
}

/** Owner of what may be found behind a connector: searches, guides, schemas. Nothing here carries an action out. */
@Injectable()
export class Discovery {
  /** By digest, so that what a plan was made with can be told from what is there now. */
  readonly #schemas = new Map<string, Known>();
  readonly #digests = new Map<string, string>();

  constructor(
    private readonly statuses: ConnectorStatuses,
    private readonly connections: Connections,
    private readonly requests: ConnectorRequests,
    private readonly clock: Clock,
  ) {}

  /** The connector gives at most 50 hits; `total` says how many came before the cap. */
  async search(connector: OpenConnector, query: string, service: string | undefined, limit: number): Promise<ActionList> {
    const input = { query, ...(service !== undefined && { service }), limit: MOST_HITS };
    const data = await this.#tool(connector, 'search_actions', input);
    if (!Array.isArray(data)) throw failed('invalid_response');
    const rows = (data as readonly unknown[]).flatMap((one) => toActionRow(one) ?? []);
    return { items: rows.slice(0, Math.min(limit, MOST_HITS)), total: rows.length };
  }

  async guide(connector: OpenConnector, id: string): Promise<ActionGuide> {
    const { schema, guide } = await this.look(connector, id);
    const accounts = await this.connections.accounts(connector, schema.row.service);
    const { row, inputSchema, outputSchema, digest } = schema;
    const isAllowedThere = previewOf(guide.capability).allowed;
    return { ...row, isAllowedThere, inputSchema, outputSchema, schemaDigest: digest, guide: guide.markdown, accounts };
  }

  /** All that is known of an action now: its schema, its guide, and what the connector's own policy says. */
  async look(connector: OpenConnector, given: string, isFresh = false): Promise<{ readonly schema: ActionSchema; readonly guide: Guide }> {
    const id = actionId(given);
    if (id === undefined) throw noAction();
    const guide = toGuide(await this.#tool(connector, 'get_action_guide', { actionId: id }));
    if (!guide) throw failed('invalid_response');
    return { guide, schema: await this.schema(connector, id, guide, isFresh) };
  }

  /** From the connector's own route; where there is none, the guide stands for it. `isFresh`: asked anew. */
  async schema(connector: OpenConnector, id: string, guide?: Guide, isFresh = false): Promise<ActionSchema> {
    const place = placeOf(connector.held.id, id);
    const known = this.#schemas.get(this.#digests.get(place) ?? '');
    const now = this.clock.now();
    if (!isFresh && known && now - known.at < SCHEMA_FRESH_MS) return known.schema;
    const read = await this.requests.runtime(connector, { method: 'GET', path: `/v1/actions/${encodeURIComponent(id)}` });
    if (!read.ok && read.code === 'unknown_action') throw noAction();
    const isRouteMissing = !read.ok && read.status === 404;
    if (!read.ok && !isRouteMissing) throw failed(read.reason);
    const found = read.ok ? toSchema(read.data) : schemaOfGuide(id, guide ?? (await this.#guideOf(connector, id)));
    if (!found || found.facts.id !== id) throw failed('invalid_response');
    this.#keep(place, { schema: found, at: now });
    return found;
  }

  async #guideOf(connector: OpenConnector, id: string): Promise<Guide> {
    const guide = toGuide(await this.#tool(connector, 'get_action_guide', { actionId: id }));
    if (!guide) throw failed('invalid_response');
    return guide;
  }

  #keep(place: string, known: Known): void {
    if (this.#schemas.size >= MOST_SCHEMAS) {
      this.#schemas.clear();
      this.#digests.clear();
    }
    this.#schemas.set(known.schema.digest, known);
    this.#digests.set(place, known.schema.digest);
  }

  async #tool(connector: OpenConnector, tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const session = await this.statuses.session(connector);
    let result: unknown;
    try {
      result = await session.call(tool, input, LOOK_MS);
    } catch {
      throw failed('unavailable'); // never what it said
    }
    const structured = isFields(result) ? result['structuredContent'] : undefined;
    if (!isFields(structured)) throw failed(isFields(result) && result['isError'] === true ? 'invalid_request' : 'invalid_response');
    if (structured['ok'] === true) return structured['data'];
    const code = isFields(structured['error']) ? structured['error']['code'] : undefined;
    throw code === 'unknown_action' ? noAction() : failed('request_failed');
  }
}

function placeOf(connectorId: ConnectorId, id: string): string {
  return `${connectorId} ${id}`;
}

function noAction(): AppError {
  return new AppError('ACTION_NOT_FOUND', 'The connector has no such action');
}
