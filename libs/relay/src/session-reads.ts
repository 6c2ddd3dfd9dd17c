import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Ask, Principal, Scope, Workspace } from '#contracts';
import { AppError } from '#platform';
import type { ConnectedHost } from './connected-hosts.js';
import type { LogFold } from './core/log-facts.js';
import { statusOf, type SessionWord } from './core/status.js';
import { approvalIdOf, loggedOnly, questionIdOf, type Waiting } from './core/waiting.js';
import type { HostGoal, HostSession } from './host-driver.js';
import { OpenAsks } from './open-asks.js';
import { RelayWorkspaces, requireScope } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';

/** Everything about one session, at one moment. */
export interface SessionState {
  readonly host: ConnectedHost;
  readonly workspace: Workspace;
  readonly session: HostSession;
  readonly facts: LogFold;
  readonly goal: HostGoal | null;
  readonly asks: readonly Ask[];
  readonly waiting: Waiting;
  readonly status: SessionWord;
}

/** Reads sessions for callers who may see them. An id is not a credential: another's session and no session look the same. */
@Injectable()
export class SessionReads {
  constructor(
    private readonly board: SessionBoard,
    private readonly open: OpenAsks,
    private readonly workspaces: RelayWorkspaces,
  ) {}

  async state(principal: Principal, sessionId: string, scope: Scope = 'relay:read'): Promise<SessionState> {
    const { hostId, session: found } = await this.board.find(sessionId);
    const workspace = await this.workspaces.of(found.cwd);
    if (!workspace || !(hasScope(principal, 'relay:read', workspace.id) || hasScope(principal, 'relay:drive', workspace.id)))
      throw new AppError('SESSION_NOT_FOUND', 'No such session', { session_id: sessionId });
    requireScope(principal, scope, workspace);
    const { session, facts, goal } = await this.board.read(sessionId);
    const asks = this.open.ofSession(hostId, sessionId);
    const status = statusOf({ live: session.status, facts, goal, ...countsOf(asks) });
    return { host: this.board.host(hostId), workspace, session, facts, goal, asks, waiting: waitingOf(asks, facts, session), status };
  }

  /** Live ones only: what drives needs an agent that is loaded. A cold one is loaded first. */
  async live(principal: Principal, sessionId: string): Promise<SessionState> {
    const state = await this.state(principal, sessionId, 'relay:drive');
    if (state.host.state !== 'connected')
      throw new AppError('HOST_UNAVAILABLE', `The agent host ${state.host.name} is ${state.host.state}`);
    if (state.session.status !== null) return state;
    this.board.heard(state.host.id, await state.host.driver.resume(sessionId));
    return this.state(principal, sessionId, 'relay:drive');
  }
}

/** The guardian's own questions wait for a person, and stop nothing that is asked of the host. */
export function countsOf(asks: readonly Ask[]): { readonly approvals: number; readonly questions: number } {
  const approvals = asks.filter(({ kind }) => kind === 'host_approval').length;
  return { approvals, questions: asks.length - approvals };
}

function waitingOf(asks: readonly Ask[], facts: LogFold, session: HostSession): Waiting {
  const known = new Set(asks.flatMap(({ host }) => (host ? [host.callId] : [])));
  const logged = loggedOnly(facts, session.status !== null, known);
  return {
    approvals: [...asks.flatMap(toApproval), ...logged.approvals],
    questions: [...asks.flatMap(toQuestions), ...logged.questions],
  };
}

function toApproval(ask: Ask): Waiting['approvals'] {
  const { host, kind, reasons } = ask;
  if (kind !== 'host_approval' || !host) return [];
  const { callId, toolName, command } = host;
  return [{ source: 'parked', approval_id: approvalIdOf(ask), call_id: callId, tool: toolName ?? '', command, reason: reasons.join('; ') }];
}

function toQuestions(ask: Ask): Waiting['questions'] {
  const { host, questions = [], answers = [] } = ask;
  if (!host) return [];
  return questions.flatMap(({ id, question, detail, header, options = [], multiSelect }, place) =>
    answers.some((given) => given.id === id)
      ? []
      : [
          {
            source: 'parked' as const,
            question_id: questionIdOf(ask, place, questions.length),
            call_id: host.callId,
            question,
            ...(detail !== undefined && { detail }),
            ...(header !== undefined && { header }),
            options,
            multi_select: multiSelect === true,
          },
        ],
  );
}
