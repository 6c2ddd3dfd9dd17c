import type { ActionRun, Connector, ConnectorId, RunId, WorkspaceId } from '#contracts';
import type { Tx } from '#platform';
import type { RawAnswer } from './core/answers.js';
import type { ConnectorRequest } from './core/connect-request.js';
import type { ConnectorSettings } from './core/settings.js';

/** A connector as it is stored; what is secret in it is sealed. */
export interface HeldConnector {
  readonly id: ConnectorId;
  readonly settings: ConnectorSettings;
  readonly workspaces: readonly WorkspaceId[];
  readonly sealedKey: string | null;
  readonly sealedAdminToken: string | null;
  /** The runtime token that we minted for ourselves, and its id there. */
  readonly sealedRuntimeToken: string | null;
  readonly runtimeTokenId: string | null;
  readonly createdAt: Connector['createdAt'];
  readonly changedAt: Connector['changedAt'];
}

export abstract class ConnectorRepository {
  /** Oldest first. */
  abstract list(): Promise<readonly HeldConnector[]>;
  abstract find(id: ConnectorId): Promise<HeldConnector | undefined>;
  /** False: the name is taken. */
  abstract insert(tx: Tx, held: HeldConnector): Promise<boolean>;
  /** False when it was changed since `before`, or is gone. */
  abstract update(tx: Tx, held: HeldConnector, before: number): Promise<boolean>;
  abstract remove(tx: Tx, id: ConnectorId): Promise<boolean>;
  /** Our own default accounts, by service; self-hosted connectors have none that can be chosen. */
  abstract defaults(id: ConnectorId): Promise<ReadonlyMap<string, string>>;
  abstract setDefault(tx: Tx, id: ConnectorId, service: string, accountId: string): Promise<void>;
}

/** What a call came to. */
export type ActionRunEnd = Pick<ActionRun, 'status' | 'code' | 'executionId' | 'auditPersisted' | 'endedAt'>;

export interface ActionRunFilter {
  readonly connectorId?: ConnectorId | undefined;
  readonly status?: ActionRun['status'] | undefined;
  readonly before?: RunId | undefined;
  readonly limit: number;
}

/** Calls that were sent. */
export abstract class ActionRunRepository {
  abstract insert(tx: Tx, run: ActionRun): Promise<void>;
  abstract find(id: RunId): Promise<ActionRun | undefined>;
  /** Newest first. */
  abstract page(filter: ActionRunFilter): Promise<readonly ActionRun[]>;
  /** Compare-and-set from `sent`. False: it has ended. */
  abstract end(tx: Tx, id: RunId, end: ActionRunEnd): Promise<boolean>;
  abstract note(tx: Tx, id: RunId, findings: ActionRun['findings']): Promise<void>;
  /** Compare-and-set from `unknown`, once. */
  abstract settle(tx: Tx, id: RunId, resolution: NonNullable<ActionRun['resolution']>): Promise<boolean>;
}

/** Where requests go, and as whom. */
export interface Target {
  readonly base: string;
  readonly key: string | undefined;
  readonly team: string | null;
}

/** `failure`: nothing came back. `not_sent` is certain: the other side has seen nothing. */
export interface WireAnswer extends RawAnswer {
  readonly failure?: 'not_sent' | 'timeout' | 'network';
}

/** Requests to the HTTP side of a connector. Redirects are answers; nothing is tried again. */
export abstract class ConnectorWire {
  abstract send(target: Target, request: ConnectorRequest, more?: WireOptions): Promise<WireAnswer>;
}

export interface WireOptions {
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpTarget {
  readonly url: string;
  readonly key: string | undefined;
  readonly team: string | null;
  readonly timeoutMs: number;
}

/** An open connection to a connector's MCP server. */
export interface McpSession {
  readonly serverName: string | null;
  readonly serverVersion: string | null;
  readonly protocolVersion: string | null;
  readonly tools: readonly string[];
  call(tool: string, input: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<unknown>;
  close(): Promise<void>;
}

export abstract class McpWire {
  /** Initialises and lists the tools; throws what went wrong, and leaves nothing open then. */
  abstract open(target: McpTarget): Promise<McpSession>;
}
