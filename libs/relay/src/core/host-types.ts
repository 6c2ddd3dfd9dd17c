import type { HostAbility } from '#contracts';

export type HostSessionStatus = 'idle' | 'running';

/** One line of a session's log as the host writes it. `seq` is dense from 0 within a session; kinds are open. */
export interface LogEvent {
  readonly type: string;
  readonly seq: number;
  /** Milliseconds. */
  readonly time: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface HostSession {
  readonly id: string;
  readonly cwd: string;
  readonly createdAt: number;
  /** Null: it is not loaded; its log can be read, and `resume` makes it live. */
  readonly status: HostSessionStatus | null;
  /** The next number of its log; null where it is not known without reading the log. */
  readonly seq: number | null;
  /** A title that costs no reading of the log. */
  readonly title: string | null;
}

export interface AgentOptions {
  readonly provider: string;
  readonly model: string;
  readonly reasoningEffort?: string;
}

export interface GoalRef {
  readonly id: string;
  readonly revision: number;
}

export interface HostGoal extends GoalRef {
  readonly objective: string;
  readonly phase: 'active' | 'paused' | 'blocked' | 'complete';
  readonly activation: 'armed' | 'disarmed';
  readonly blockedReason: { readonly code: string; readonly message: string } | null;
  readonly maxRounds: number;
  readonly roundsStarted: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface HostWorkspace {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly sessionIds: readonly string[];
}

export interface CredentialState {
  readonly name: string;
  readonly configured: boolean;
  readonly source: string | null;
}

export interface HostQuestion {
  readonly id: string;
  readonly question: string;
  readonly detail?: string;
  readonly header?: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect?: boolean;
  readonly intent?: Readonly<Record<string, unknown>>;
}

export interface QuestionAnswer {
  readonly id: string;
  readonly selected: readonly string[];
  readonly custom?: string;
}

/** `callId` is the one identity of an ask, whatever way it came; `handle` is how this driver answers it now. */
export interface RaisedApproval {
  readonly kind: 'approval';
  readonly handle: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly reason: string | null;
  /** The call's arguments as the model wrote them (JSON text), mined from the log; null where the host shows none. */
  readonly arguments: string | null;
}

export interface RaisedQuestions {
  readonly kind: 'questions';
  readonly handle: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly questions: readonly HostQuestion[];
}

export type RaisedAsk = RaisedApproval | RaisedQuestions;

/** How the live promise of an ask ended. `answered_elsewhere`: the host's own screen was first. */
export type AskEnd = 'applied' | 'answered_elsewhere' | 'withdrawn' | 'stopped';

/** What a driver tells. Each is told once, in the host's order; after `gone` comes nothing. */
export type HostEvent =
  | { readonly type: 'session'; readonly session: HostSession }
  | { readonly type: 'status'; readonly sessionId: string; readonly status: HostSessionStatus }
  | { readonly type: 'log'; readonly sessionId: string; readonly event: LogEvent }
  | { readonly type: 'goal'; readonly sessionId: string; readonly operation: string; readonly ref: GoalRef; readonly goal: HostGoal | null }
  | { readonly type: 'ask'; readonly ask: RaisedAsk }
  | { readonly type: 'askEnded'; readonly handle: string; readonly callId: string; readonly sessionId: string; readonly end: AskEnd }
  | { readonly type: 'gone'; readonly why: string };

export interface HostFacts {
  readonly abilities: readonly HostAbility[];
  /** Services that a probe looked for, and whether the host has them. */
  readonly seams: Readonly<Record<string, boolean>>;
  readonly version: string | null;
  readonly pid: number | null;
  /** What it cannot do, each with the reason in words. */
  readonly limits: readonly string[];
}
