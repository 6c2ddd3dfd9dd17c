import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal, WorkspaceId } from '#contracts';
import { Workspaces } from '#execution';
import { AppError } from '#platform';
import { cutText, DEFAULT_BUDGET, newestWithin, type Budget } from './core/budget.js';
import { Baselines, callLine, progressSince, type Progress } from './core/delta.js';
import { goalOutcome, goalWire, loopState } from './core/goal-wire.js';
import { resultOf } from './core/result.js';
import { isTerminal, needsPerson, statusOf, type SessionWord } from './core/status.js';
import { titleFor } from './core/titles.js';
import { OpenAsks } from './open-asks.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard, type BoardEntry } from './session-board.js';
import { countsOf, SessionReads, type SessionState } from './session-reads.js';

const NOTHING_FOLDED = { turns: [], queued: 0 };
const POLLED = 1_000;

export interface SessionQuery {
  readonly workspace?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Owner of what sessions look like to those who ask: rows, status, progress, results. */
@Injectable()
export class SessionViews {
  readonly #baselines = new Baselines(POLLED);

  constructor(
    private readonly reads: SessionReads,
    private readonly board: SessionBoard,
    private readonly open: OpenAsks,
    private readonly workspaces: RelayWorkspaces,
    private readonly registered: Workspaces,
  ) {}

  /** The newest first. Reads no log: titles and states are those that are known already. */
  async list(principal: Principal, { workspace, limit = 50, offset = 0 }: SessionQuery) {
    const wanted = workspace === undefined ? undefined : await this.workspaces.resolve(principal, workspace, 'relay:read');
    const all = (await this.registered.list()).filter(({ id }) => hasScope(principal, 'relay:read', id));
    const roots = (wanted ? [wanted] : all).toSorted((a, b) => b.root.length - a.root.length);
    const placed = this.board.all().flatMap((entry) => {
      const place = roots.find(({ root }) => entry.session.cwd === root || entry.session.cwd.startsWith(`${root}/`));
      return place ? [{ entry, place }] : [];
    });
    const sorted = placed.toSorted((a, b) => b.entry.session.createdAt - a.entry.session.createdAt);
    const page = sorted.slice(offset, offset + limit);
    return {
      sessions: page.map(({ entry, place }) => this.#row(entry, place.id, place.name)),
      total: sorted.length,
      offset,
      has_more: offset + page.length < sorted.length,
    };
  }

  async session(principal: Principal, sessionId: string, budget: Partial<Budget>, since: number | undefined) {
    const state = await this.reads.state(principal, sessionId);
    const { items, chars } = { ...DEFAULT_BUDGET, ...budget };
    const messages = state.facts.messages.filter(({ seq }) => seq >= (since ?? 0));
    const kept = newestWithin(
      messages,
      { items, chars },
      ({ text }) => text,
      (message, text) => ({ ...message, text }),
    );
    const calls = state.facts.calls.filter(({ seq, result }) => seq >= (since ?? 0) || (result !== null && result.seq >= (since ?? 0)));
    return {
      ...this.summary(state),
      cwd: state.session.cwd,
      created_at: new Date(state.session.createdAt).toISOString(),
      messages: kept.items.map(({ seq, at, from, text }) => ({ seq, at: new Date(at).toISOString(), from, text })),
      tool_calls: calls.slice(-items).map((call) => callLine(call, Math.min(chars, 2_000))),
      todos: state.facts.todos.slice(0, items),
      changed_files: [...new Set(state.facts.files.map(({ path }) => path))].slice(-items),
      truncated: kept.truncated || calls.length > items,
      since_seq: since ?? 0,
    };
  }

  async status(principal: Principal, sessionId: string, since: number | undefined) {
    const state = await this.reads.state(principal, sessionId);
    return { ...this.summary(state), progress: this.progress(state, since) };
  }

  async result(principal: Principal, sessionId: string, chars: number | undefined) {
    const state = await this.reads.state(principal, sessionId);
    const budget = { ...DEFAULT_BUDGET, ...(chars !== undefined && { chars }) };
    const result =
      resultOf(sessionId, state.facts, state.goal?.createdAt ?? null, budget) ?? resultOf(sessionId, state.facts, null, budget);
    if (!result)
      throw new AppError('NO_RESULT_YET', 'No turn of this session has ended yet', { session_id: sessionId, status: state.status });
    return { ...this.summary(state), result };
  }

  /** What every answer about a session says. */
  summary(state: SessionState) {
    const { session, facts, goal, status, waiting, workspace, host } = state;
    return {
      session_id: session.id,
      ...titleFor(session.title, facts),
      workspace: { id: workspace.id, title: workspace.name, path: workspace.root },
      host: host.name,
      live: session.status !== null,
      status,
      terminal: isTerminal(status),
      needs_user_action: needsPerson(status),
      ...loopState(session.id, status, goal, facts.next),
      seq: facts.next,
      goal: goal ? goalWire(goal) : null,
      goal_outcome: goalOutcome(goal, status),
      waiting,
    };
  }

  progress(state: SessionState, since: number | undefined): Progress {
    const { facts, session } = state;
    const from = since ?? this.#baselines.move(session.id, facts.next);
    return progressSince(facts, from, since === undefined ? 'shared' : 'caller', DEFAULT_BUDGET);
  }

  #row(entry: BoardEntry, workspaceId: WorkspaceId, workspaceName: string) {
    const { hostId, session, facts, goal } = entry;
    const asks = this.open.ofSession(hostId, session.id);
    const counts = countsOf(asks);
    const status: SessionWord = statusOf({ live: session.status, facts: facts ?? NOTHING_FOLDED, goal: goal ?? null, ...counts });
    const title = titleFor(session.title, facts);
    return {
      session_id: session.id,
      ...title,
      title: cutText(title.title, 120).text,
      workspace_id: workspaceId,
      workspace: workspaceName,
      host_id: hostId,
      live: session.status !== null,
      status,
      terminal: isTerminal(status),
      needs_user_action: needsPerson(status),
      pending_approvals: counts.approvals,
      pending_questions: counts.questions,
      goal: goal ? { goal_id: goal.id, revision: goal.revision, phase: goal.phase, activation: goal.activation } : null,
      created_at: new Date(session.createdAt).toISOString(),
      last_at: facts?.lastAt == null ? null : new Date(facts.lastAt).toISOString(),
      seq: session.seq,
    };
  }
}
