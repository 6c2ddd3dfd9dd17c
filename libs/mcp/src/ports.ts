import type { Principal, PrincipalId } from '#contracts';

/** Names one request of one caller to one tool. */
export interface RequestKey {
  readonly principal: PrincipalId;
  readonly tool: string;
  readonly requestId: string;
}

/** What a worker needs to carry a request out. */
export interface RequestClaim {
  readonly key: RequestKey;
  readonly digest: string;
  readonly worker: string;
  readonly now: number;
  readonly leaseUntil: number;
}

/** `mine`: carry it out. `working`: another worker does. `answered`: here is the first answer. `other_body`: same id, another call. */
export type Claimed =
  | { readonly kind: 'mine' }
  | { readonly kind: 'working' }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'other_body' };

/** Storage of request ids and first answers. A claim is won by one worker; a dead worker's claim can be taken over. */
export abstract class RequestRepository {
  abstract claim(claim: RequestClaim): Promise<Claimed>;
  abstract answer(key: RequestKey, worker: string, answer: string): Promise<void>;
  /** Forgets a claim that ended without an answer worth keeping. */
  abstract release(key: RequestKey, worker: string): Promise<void>;
  abstract renew(worker: string, leaseUntil: number): Promise<void>;
  abstract forget(createdBefore: number): Promise<void>;
}

/**
 * Tells whether a caller can get more scopes by asking its authorization server again. Filled by whoever issues such
 * access tokens; without it a missing scope is an ordinary answer.
 */
export abstract class StepUp {
  /** Address of the protected resource metadata, or undefined for callers whose scopes are fixed. */
  abstract metadataUrlFor(principal: Principal): string | undefined;
}
