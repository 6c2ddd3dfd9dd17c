import type { AcpSettings, Host, HostId } from '#contracts';
import type { Tx } from '#platform';
import type { HostDriver } from './host-driver.js';

/** A started host process, as it is found again after a restart of this server. Stored sealed. */
export interface HostRun {
  readonly pid: number;
  /** Undefined where the system does not tell; such a process is never adopted. */
  readonly identity: string | null;
  /** Null: it was started and has not said yet where it listens. */
  readonly port: number | null;
  readonly token: string;
}

export interface HostLaunch {
  readonly id: HostId;
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string | null;
  readonly key: string | null;
}

/** Processes of hosts that we start, each in a group of its own that outlives this server. */
export abstract class HostProcesses {
  /** `started` is awaited before anybody waits for the host: a process is known before it can be forgotten. */
  abstract start(launch: HostLaunch, started: (run: HostRun) => Promise<void>, signal: AbortSignal): Promise<HostRun>;
  /** Whether it is the very process that was started. */
  abstract isAlive(run: HostRun): boolean;
  /** TERM, grace, KILL. Returns when it has ended. */
  abstract end(run: HostRun): Promise<void>;
}

/** Makes the driver of a host; it is not connected yet. */
export abstract class HostDrivers {
  abstract bridge(run: HostRun): HostDriver;
  abstract attach(url: string): HostDriver;
  abstract acp(settings: AcpSettings, id: HostId): HostDriver;
}

/** A host with what nobody is shown. */
export interface HeldHost {
  readonly host: Host;
  readonly sealedKey: string | null;
  readonly sealedRun: string | null;
}

export abstract class HostRepository {
  abstract list(): Promise<readonly HeldHost[]>;
  abstract find(id: HostId): Promise<HeldHost | undefined>;
  abstract insert(tx: Tx, held: HeldHost): Promise<void>;
  /** Writes what people set. False when it was changed since `before`, or is gone. */
  abstract update(tx: Tx, held: HeldHost, before: number): Promise<boolean>;
  abstract remove(tx: Tx, id: HostId): Promise<boolean>;
  /** Writes how its process is found again; nobody's change, so nothing else moves. */
  abstract setRun(id: HostId, sealedRun: string | null): Promise<void>;
}
