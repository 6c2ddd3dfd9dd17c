import type { Principal, ProofMethod, TokenInfo } from './principal.js';
import type { Enforcement, SandboxFacts } from './plan.js';

/** A list that a client can follow from: `seq` is the event cursor that the snapshot belongs to. */
export interface Snapshot<T> {
  readonly items: readonly T[];
  readonly seq: number;
}

/** A page of a long list; `next` is the `before` of the following page, null on the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** `GET /api/auth/state`, public: what the sign-in page needs. */
export interface AuthState {
  readonly hasOwner: boolean;
  readonly me: Principal | null;
  /** Send as `x-csrf-token` on every write with the cookie. Null when signed out. */
  readonly csrfToken: string | null;
  /** Answers to a sign-in with the right password of somebody who has a second factor: what is still needed. */
  readonly secondFactor?: PendingSignIn;
}

/** A sign-in that waits for its second factor. The ticket works once, for some minutes, and opens nothing by itself. */
export interface PendingSignIn {
  readonly ticket: string;
  readonly methods: readonly ProofMethod[];
}

/** `POST /api/tokens`: the secret is in no other answer. */
export interface CreatedToken {
  readonly token: TokenInfo;
  readonly secret: string;
}

/** `GET /api/system`, signed in. */
export interface SystemInfo {
  readonly version: string;
  readonly startedAt: number;
  readonly database: 'sqlite' | 'postgres';
  readonly sandbox: SandboxFacts;
  readonly sandboxAdvice: string | null;
  readonly enforcement: Enforcement;
  readonly mcpUrl: string;
}
