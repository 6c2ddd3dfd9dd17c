import type { HostId, WorkspaceId } from './id.js';

/** How a host is driven. `bridge`: one that we start. `attach`: a running one. `acp`: any agent that speaks the Agent Client Protocol. */
export const HOST_KINDS = ['bridge', 'attach', 'acp'] as const;
export type HostKind = (typeof HOST_KINDS)[number];

/** `gone`: it was connected and died. `failed`: it could not be brought up; it is tried again unless it was stopped. */
export const HOST_STATES = ['stopped', 'starting', 'connected', 'gone', 'failed'] as const;
export type HostState = (typeof HOST_STATES)[number];

/** What a driver can do with its host. What it cannot is said in health, never imitated. */
export const HOST_ABILITIES = [
  'sessions',
  'messages',
  'cancel',
  'goals',
  'approvals',
  'questions',
  'workspaces',
  'credentials',
  'eventLog',
] as const;
export type HostAbility = (typeof HOST_ABILITIES)[number];

export interface BridgeSettings {
  readonly kind: 'bridge';
  readonly provider: string;
  readonly model: string;
  /** Where the model service answers; null: the provider's own address. */
  readonly baseUrl: string | null;
}

export interface AttachSettings {
  readonly kind: 'attach';
  /** A loopback address, as `dsh web` prints it. */
  readonly url: string;
}

export interface AcpSettings {
  readonly kind: 'acp';
  /** Absolute program and its arguments. */
  readonly argv: readonly string[];
  /** Its whole environment besides PATH, HOME and LANG. */
  readonly env: Readonly<Record<string, string>>;
}

export type HostSettings = BridgeSettings | AttachSettings | AcpSettings;

/** What is known of a host that is connected. */
export interface HostHealth {
  readonly abilities: readonly HostAbility[];
  /** What it cannot do, each with the reason in words. */
  readonly limits: readonly string[];
  /** Services that a probe looked for, and whether the host has them. */
  readonly seams: Readonly<Record<string, boolean>>;
  readonly version: string | null;
  readonly pid: number | null;
  readonly since: number;
}

/** A host as its people see it. Its key is write-only. */
export interface Host {
  readonly id: HostId;
  readonly name: string;
  readonly settings: HostSettings;
  readonly hasKey: boolean;
  /** Workspaces it may work in; none named: all. */
  readonly workspaces: readonly WorkspaceId[];
  /** The one switch that grants: the operator's own. */
  readonly autoApproveEscalations: boolean;
  /** Whether it shall be up. */
  readonly isWanted: boolean;
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface HostView extends Host {
  readonly state: HostState;
  /** Why it is gone or failed, in words. */
  readonly why: string | null;
  readonly health: HostHealth | null;
}

/** The host package that can be started here, and how to get it. */
export interface HostPackage {
  readonly isInstalled: boolean;
  readonly version: string;
  readonly folder: string;
  readonly installCommand: string;
}
