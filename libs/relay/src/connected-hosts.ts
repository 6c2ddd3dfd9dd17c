import type { Observable } from 'rxjs';
import type { HostId, HostKind, HostState } from '#contracts';
import type { HostDriver, HostEvent, HostFacts } from './host-driver.js';

/** One configured host and the connection to it. */
export interface ConnectedHost {
  readonly id: HostId;
  readonly name: string;
  readonly kind: HostKind;
  readonly state: HostState;
  /** Null until it was connected for the first time. */
  readonly facts: HostFacts | null;
  /** While the host is not `connected` its methods fail with HOST_UNAVAILABLE. */
  readonly driver: HostDriver;
  /** The operator's switch: asks of this host are granted without a person. */
  readonly autoApproveEscalations: boolean;
}

/**
 * What hosts tell, in the order of each host. After `starting` come the asks that are parked there, then `connected`: whoever keeps
 * asks knows then that an open one which was not told again is dead. `gone` and `stopped` end everything that was alive.
 */
export type HostNews =
  | { readonly hostId: HostId; readonly type: 'starting' }
  | { readonly hostId: HostId; readonly type: 'event'; readonly event: HostEvent }
  | { readonly hostId: HostId; readonly type: 'connected'; readonly facts: HostFacts }
  | { readonly hostId: HostId; readonly type: 'gone' | 'stopped'; readonly why: string };

/** The hosts of this server and what they tell. Subscribe before the application has started: nothing is told twice. */
export abstract class ConnectedHosts {
  abstract readonly news: Observable<HostNews>;
  abstract all(): readonly ConnectedHost[];
  abstract find(id: HostId): ConnectedHost | undefined;
  /** The host that works in this folder: one that names its workspace, else one that names none; connected ones first. */
  abstract forWorkspace(root: string): ConnectedHost | undefined;
}
