import type { Observable } from 'rxjs';
import type {
  LogEvent,
  HostSession,
  AgentOptions,
  GoalRef,
  HostGoal,
  HostWorkspace,
  CredentialState,
  QuestionAnswer,
  HostEvent,
  HostFacts,
} from './core/host-types.js';

export type * from './core/host-types.js';

/**
 * One connection to one agent host. Methods fail with an AppError: HOST_UNAVAILABLE when the host does not answer,
 * HOST_CANNOT when it lacks the ability, and the relay's own codes (SESSION_NOT_FOUND, SESSION_NOT_LIVE,
 * WORKSPACE_NOT_FOUND, GOAL_NOT_FOUND, GOAL_ALREADY_EXISTS, REVISION_CONFLICT, GOAL_INVALID, GOAL_INVALID_TRANSITION,
 * GOAL_UNAVAILABLE, GOAL_HOST_ERROR) for what the host itself refuses.
 */
export abstract class HostDriver {
  /** Subscribe before `connect`: what is told in between is not kept. */
  abstract readonly events: Observable<HostEvent>;

  /** Probes the host. Asks that are parked already are told as events before this resolves. */
  abstract connect(signal: AbortSignal): Promise<HostFacts>;
  /** Ends the connection, not the host. */
  abstract close(): Promise<void>;

  abstract sessions(): Promise<readonly HostSession[]>;
  /** The log of a live or a cold session from `since` on. */
  abstract log(sessionId: string, since: number): Promise<readonly LogEvent[]>;
  abstract createSession(wanted: { readonly cwd: string; readonly title?: string; readonly agent?: AgentOptions }): Promise<HostSession>;
  abstract resume(sessionId: string): Promise<HostSession>;
  abstract send(sessionId: string, text: string): Promise<void>;
  abstract cancel(sessionId: string): Promise<void>;
  /** Resolves when the session is idle; an abort ends the wait only. */
  abstract whenIdle(sessionId: string, signal: AbortSignal): Promise<void>;
  abstract rename(sessionId: string, title: string): Promise<void>;

  abstract goal(sessionId: string): Promise<HostGoal | null>;
  abstract createGoal(sessionId: string, wanted: { readonly objective: string; readonly maxRounds?: number }): Promise<HostGoal>;
  abstract editGoal(
    sessionId: string,
    ref: GoalRef,
    wanted: { readonly objective?: string; readonly maxRounds?: number },
  ): Promise<HostGoal>;
  abstract pauseGoal(sessionId: string, ref: GoalRef): Promise<HostGoal>;
  abstract resumeGoal(sessionId: string, ref: GoalRef): Promise<HostGoal>;
  abstract clearGoal(sessionId: string, ref: GoalRef): Promise<void>;

  /** False: the host no longer waits for it. True: accepted; `askEnded` says when it is applied. */
  abstract answerApproval(handle: string, outcome: 'allowed-once' | 'rejected'): Promise<boolean>;
  /** All answers of the batch at once, in the asked order. */
  abstract answerQuestions(handle: string, answers: readonly QuestionAnswer[]): Promise<boolean>;

  abstract workspaces(): Promise<readonly HostWorkspace[]>;
  abstract registerWorkspace(path: string, title?: string): Promise<HostWorkspace>;
  /** Whether each name is configured, never its value. */
  abstract credentials(names: readonly string[]): Promise<readonly CredentialState[]>;
}
