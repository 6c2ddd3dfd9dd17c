import { Injectable } from '@nestjs/common';
import type { Principal, Workspace } from '#contracts';
import { AppError } from '#platform';
import type { ConnectedHost } from './connected-hosts.js';
import { goalStart, objectiveOf, revisedObjective } from './core/goal-wire.js';
import { isDriven, isTerminal } from './core/status.js';
import { Drives } from './drives.js';
import type { AgentOptions, GoalRef, HostGoal } from './host-driver.js';
import { RelaySessions } from './relay-sessions.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';
import { SessionReads, type SessionState } from './session-reads.js';
import { Stops } from './stops.js';
import { WorkspaceLocks } from './workspace-locks.js';

export interface StartGoal {
  readonly workspace: string;
  readonly goal: string;
  readonly plan?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly expectedRevision?: number | undefined;
  readonly override?: boolean | undefined;
  readonly maxRounds?: number | undefined;
  readonly agent?: AgentOptions | undefined;
}

export interface ReviseGoal {
  readonly sessionId: string;
  readonly goal?: string | undefined;
  readonly plan?: string | undefined;
  readonly expectedRevision?: number | undefined;
  readonly override?: boolean | undefined;
  readonly maxRounds?: number | undefined;
}

export interface GoalMove {
  readonly sessionId: string;
  readonly expectedRevision?: number | undefined;
  readonly override?: boolean | undefined;
}

export interface Started {
  readonly sessionId: string;
  readonly reused: boolean;
  readonly how: 'created' | 'reused' | 'resumed' | 'replaced' | 'revised';
}

const QUIET_WITHIN_MS = 30_000;

/** Owner of what is done with goals. The host keeps phases, revisions and rounds; here stand only the order of calls and who may. */
@Injectable()
export class Goals {
  constructor(
    private readonly reads: SessionReads,
    private readonly sessions: RelaySessions,
    private readonly board: SessionBoard,
    private readonly workspaces: RelayWorkspaces,
    private readonly locks: WorkspaceLocks,
    private readonly stops: Stops,
    private readonly drives: Drives,
  ) {}

  async start(principal: Principal, wanted: StartGoal): Promise<Started> {
    if (wanted.goal.trim() === '') throw new AppError('EMPTY_GOAL', 'A goal needs words');
    if (wanted.sessionId !== undefined && wanted.agent)
      throw new AppError('INPUT_INVALID', 'agent_options are for new sessions; leave out session_id', { paths: ['agent_options'] });
    const workspace = await this.workspaces.resolve(principal, wanted.workspace, 'relay:drive');
    await this.stops.assertFree(workspace.id);
    const objective = objectiveOf(wanted.goal, wanted.plan);
    return wanted.sessionId === undefined
      ? this.#startAnywhere(principal, workspace, objective, wanted)
      : this.#startIn(principal, workspace, wanted.sessionId, objective, wanted);
  }

  async revise(principal: Principal, { sessionId, goal, plan, expectedRevision, override, maxRounds }: ReviseGoal): Promise<void> {
    if (goal?.trim() === '') throw new AppError('EMPTY_GOAL', 'A goal needs words');
    const state = await this.#ready(principal, sessionId, override);
    const current = goalOf(state);
    const ref = refOf(current, expectedRevision);
    const objective = goal === undefined && plan === undefined ? undefined : revisedObjective(current.objective, { goal, plan });
    const changes = { ...(objective !== undefined && { objective }), ...(maxRounds !== undefined && { maxRounds }) };
    this.#heard(state, await state.host.driver.editGoal(sessionId, ref, changes));
  }

  /** Quiesces first: compares the ref, ends the round that runs, waits until it is quiet, reads again. */
  async pause(principal: Principal, { sessionId, expectedRevision }: GoalMove): Promise<void> {
    const state = await this.reads.live(principal, sessionId);
    requireGoals(state.host);
    const goal = goalOf(state);
    const ref = refOf(goal, expectedRevision);
    if (goal.phase === 'paused') return; // it is so already
    await this.quiesce(state, ref);
  }

  async quiesce({ host, session }: Pick<SessionState, 'host' | 'session'>, ref: GoalRef): Promise<HostGoal> {
    const { driver } = host;
    if ((await this.board.find(session.id)).session.status === 'running') {
      await driver.cancel(session.id);
      await driver.whenIdle(session.id, AbortSignal.timeout(QUIET_WITHIN_MS));
    }
    const after = await driver.goal(session.id);
    // Ending a round pauses its goal by itself: one revision further is what was wanted.
    if (after?.id === ref.id && after.phase === 'paused' && after.revision === ref.revision + 1)
      return this.#heard({ host, session }, after);
    return this.#heard({ host, session }, await driver.pauseGoal(session.id, ref));
  }

  async resume(principal: Principal, { sessionId, expectedRevision, override }: GoalMove): Promise<void> {
    const state = await this.#ready(principal, sessionId, override);
    const goal = goalOf(state);
    const ref = refOf(goal, expectedRevision);
    this.#heard(state, await state.host.driver.resumeGoal(sessionId, ref));
  }

  /** Ends the work for good: the round, the goal and what the session made for itself on the way. */
  async stop(principal: Principal, sessionId: string): Promise<{ readonly alreadyStopped: boolean; readonly removed: readonly string[] }> {
    const state = await this.reads.state(principal, sessionId, 'relay:drive');
    const { goal, host, session } = state;
    if (session.status === null || (!goal && isTerminal(state.status))) return { alreadyStopped: true, removed: await this.#leave(state) };
    const { driver } = host;
    if (session.status === 'running') {
      await driver.cancel(sessionId);
      await driver.whenIdle(sessionId, AbortSignal.timeout(QUIET_WITHIN_MS));
    }
    const left = host.facts?.abilities.includes('goals') === true ? await driver.goal(sessionId) : null;
    if (left && left.phase !== 'complete') {
      await driver.clearGoal(sessionId, left);
      this.board.heardGoal(host.id, sessionId, null);
    }
    const alreadyStopped = session.status !== 'running' && (!left || left.phase === 'complete');
    return { alreadyStopped, removed: await this.#leave(await this.reads.state(principal, sessionId, 'relay:drive')) };
  }

  async #leave(state: SessionState): Promise<readonly string[]> {
    this.locks.release(state.session.id);
    return this.sessions.cleanUp(state);
  }

  /** An identical goal at work is the same goal; a finished one makes room; another's is not touched. */
  async #startAnywhere(principal: Principal, workspace: Workspace, objective: string, wanted: StartGoal): Promise<Started> {
    const host = this.workspaces.hostFor(workspace);
    requireGoals(host);
    const there = await this.locks.goalsIn(workspace);
    const same = there.find(({ goal }) => goal.phase === 'active' && goal.objective === objective);
    if (same) return this.#startIn(principal, workspace, same.sessionId, objective, wanted);
    const foreign = there.find(({ goal }) => isDriven(goal));
    if (foreign && wanted.override !== true) {
      const details = { session_id: foreign.sessionId, objective: foreign.goal.objective, revision: foreign.goal.revision };
      throw new AppError('GOAL_ALREADY_EXISTS', 'Another goal is at work in this workspace', details);
    }
    await this.locks.assertFree(workspace, undefined, wanted.override === true);
    const finished = there.find(({ goal, isIdle }) => goal.phase === 'complete' && isIdle);
    if (finished && !wanted.agent) return this.#startIn(principal, workspace, finished.sessionId, objective, wanted);
    const session = await this.sessions.open(principal, host, workspace, { agent: wanted.agent });
    this.locks.hold(workspace, session.id);
    const goal = await host.driver.createGoal(session.id, created(objective, wanted));
    this.board.heardGoal(host.id, session.id, goal);
    return { sessionId: session.id, reused: false, how: 'created' };
  }

  async #startIn(principal: Principal, workspace: Workspace, sessionId: string, objective: string, wanted: StartGoal): Promise<Started> {
    const state = await this.#ready(principal, sessionId, wanted.override);
    if (state.workspace.id !== workspace.id)
      throw new AppError('SESSION_NOT_FOUND', 'This session does not work in that workspace', { session_id: sessionId });
    const { driver } = state.host;
    const { goal } = state;
    const how = goalStart(goal, objective);
    if (goal && wanted.expectedRevision !== undefined) refOf(goal, wanted.expectedRevision);
    if (how === 'reuse' && goal) return { sessionId, reused: true, how: 'reused' };
    if (how === 'rearm' && goal) {
      this.#heard(state, await driver.resumeGoal(sessionId, goal));
      return { sessionId, reused: true, how: 'resumed' };
    }
    if (how === 'revise' && goal) {
      const { maxRounds } = wanted;
      const edited = await driver.editGoal(sessionId, goal, { objective, ...(maxRounds !== undefined && { maxRounds }) });
      this.#heard(state, isDriven(edited) ? edited : await driver.resumeGoal(sessionId, edited));
      return { sessionId, reused: false, how: 'revised' };
    }
    this.#heard(state, await driver.createGoal(sessionId, created(objective, wanted)));
    return { sessionId, reused: false, how: how === 'replace' ? 'replaced' : 'created' };
  }

  /** A live session that this caller may change now. */
  async #ready(principal: Principal, sessionId: string, override: boolean | undefined): Promise<SessionState> {
    const state = await this.reads.live(principal, sessionId);
    requireGoals(state.host);
    await this.stops.assertFree(state.workspace.id);
    await this.locks.assertFree(state.workspace, sessionId, override === true);
    this.locks.hold(state.workspace, sessionId);
    await this.drives.take(principal, state.host.id, sessionId, state.workspace);
    return state;
  }

  #heard({ host, session }: Pick<SessionState, 'host' | 'session'>, goal: HostGoal): HostGoal {
    this.board.heardGoal(host.id, session.id, goal);
    return goal;
  }
}

function requireGoals({ facts, name }: ConnectedHost): void {
  if (facts?.abilities.includes('goals') !== true) throw new AppError('GOAL_UNAVAILABLE', `The agent host ${name} knows no goals`);
}

function goalOf({ goal, session }: SessionState): HostGoal {
  if (!goal) throw new AppError('GOAL_NOT_FOUND', 'This session has no goal', { session_id: session.id });
  return goal;
}

/** The revision that the caller means; without one it is the one that stands. */
function refOf({ id, revision }: HostGoal, expected: number | undefined): GoalRef {
  if (expected !== undefined && expected !== revision)
    throw new AppError('REVISION_CONFLICT', `The goal stands at revision ${String(revision)}, not ${String(expected)}`, {
      revision,
      expected_revision: expected,
    });
  return { id, revision };
}

function created(objective: string, { maxRounds }: StartGoal): { readonly objective: string; readonly maxRounds?: number } {
  return { objective, ...(maxRounds !== undefined && { maxRounds }) };
}
