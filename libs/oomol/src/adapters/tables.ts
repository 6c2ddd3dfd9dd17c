import type { ActionRun, ConnectorId, WorkspaceId } from '#contracts';
import type { ConnectorSettings } from '../core/settings.js';
import type { HeldConnector } from '../ports.js';

export interface ConnectorRow {
  id: ConnectorId;
  name: string;
  settings: string;
  workspaces: string;
  sealed_key: string | null;
  sealed_admin_token: string | null;
  sealed_runtime_token: string | null;
  runtime_token_id: string | null;
  created_at: number;
  changed_at: number;
}

export interface ActionRunRow {
  run_id: ActionRun['runId'];
  plan_id: ActionRun['planId'];
  connector_id: ConnectorId;
  status: ActionRun['status'];
  /** What never changes. */
  call: string;
  code: string | null;
  execution_id: string | null;
  audit_persisted: number | null;
  findings: string;
  resolution: string | null;
  sent_at: number;
  ended_at: number | null;
}

/** The tables of oomol as both engines give them. */
// A type, not an interface: $extendTables wants an index signature.
export type OomolTables = {
  connectors: ConnectorRow;
  connector_defaults: { connector_id: ConnectorId; service: string; account_id: string };
  action_runs: ActionRunRow;
};

export function toHeld(row: ConnectorRow): HeldConnector {
  return {
    id: row.id,
    settings: JSON.parse(row.settings) as ConnectorSettings, // only `toRow` writes these texts
    workspaces: JSON.parse(row.workspaces) as readonly WorkspaceId[],
    sealedKey: row.sealed_key,
    sealedAdminToken: row.sealed_admin_token,
    sealedRuntimeToken: row.sealed_runtime_token,
    runtimeTokenId: row.runtime_token_id,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}

export function toRow(held: HeldConnector): ConnectorRow {
  return {
    id: held.id,
    name: held.settings.name,
    settings: JSON.stringify(held.settings),
    workspaces: JSON.stringify(held.workspaces),
    sealed_key: held.sealedKey,
    sealed_admin_token: held.sealedAdminToken,
    sealed_runtime_token: held.sealedRuntimeToken,
    runtime_token_id: held.runtimeTokenId,
    created_at: held.createdAt,
    changed_at: held.changedAt,
  };
}

type Call = Pick<ActionRun, 'workspaceId' | 'owner' | 'provider' | 'action' | 'account' | 'effect' | 'suggestion'>;

export function toActionRun(row: ActionRunRow): ActionRun {
  return {
    ...(JSON.parse(row.call) as Call), // only `toActionRunRow` writes these texts
    runId: row.run_id,
    planId: row.plan_id,
    connectorId: row.connector_id,
    status: row.status,
    code: row.code,
    executionId: row.execution_id,
    auditPersisted: row.audit_persisted === null ? null : row.audit_persisted === 1,
    findings: JSON.parse(row.findings) as ActionRun['findings'],
    resolution: row.resolution === null ? null : (JSON.parse(row.resolution) as ActionRun['resolution']),
    sentAt: row.sent_at,
    endedAt: row.ended_at,
  };
}

export function toActionRunRow(run: ActionRun): ActionRunRow {
  const { workspaceId, owner, provider, action, account, effect, suggestion } = run;
  return {
    run_id: run.runId,
    plan_id: run.planId,
    connector_id: run.connectorId,
    status: run.status,
    call: JSON.stringify({ workspaceId, owner, provider, action, account, effect, suggestion } satisfies Call),
    code: run.code,
    execution_id: run.executionId,
    audit_persisted: run.auditPersisted === null ? null : Number(run.auditPersisted),
    findings: JSON.stringify(run.findings),
    resolution: run.resolution && JSON.stringify(run.resolution),
    sent_at: run.sentAt,
    ended_at: run.endedAt,
  };
}
