import type { Principal } from '#contracts';
import type { NeedsInput } from './needs-input.js';

/** Reports how far a call has come. Present only when the client asked for progress. */
export type Progress = (done: number, total: number | undefined, message: string) => void;

/** What the client may be asked for during a call. */
export interface ClientCan {
  readonly form: boolean;
  readonly url: boolean;
}

/** A later round of a call that answered `needsInput` before. */
export interface Round {
  /** What the tool put into `state`; signed, bound to the caller and to the same arguments. */
  readonly state: unknown;
  /** What the client sent, by key: `url` and `form` hold `{ action, content? }`. Not trusted. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What a tool, resource or prompt knows about the call that it serves. */
export interface ToolCall {
  readonly principal: Principal;
  /** Aborts when the client cancels or leaves. */
  readonly signal: AbortSignal;
  readonly progress?: Progress;
  readonly can: ClientCan;
  /** Null in the first round. */
  readonly round: Round | null;
  /** Set for legacy clients: all rounds are one request to them, and most give up on a request after a minute. */
  readonly roundsShareRequest?: true;
  /** Tells clients that listen to this resource that it has changed. */
  readonly notifyResource: (uri: string) => void;
}

/** Readonly all the way down, so that contract types fit as they are. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export type ToolAnswer<Output> = Promise<Frozen<Output> | NeedsInput>;
