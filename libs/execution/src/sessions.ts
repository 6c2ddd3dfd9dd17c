import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal, Session, SessionId, Workspace, WorkspaceId } from '#contracts';
import { AppError, type Append, Clock, EventFeed, newId, type Tx } from '#platform';
import { mayActOn, mayKnowWorkspace, maySeeWorkOf, workSeenBy } from './core/may-act.js';
import { ExecutionConfig } from './execution.config.js';
import { SessionRepository } from './repositories.js';
import { Workspaces } from './workspaces.js';

/** Which session a plan belongs to; all optional. */
export interface SessionWish {
  readonly sessionId?: SessionId | undefined;
  /** Id or name. */
  readonly workspace?: string | undefined;
}

/** Owner of sessions: one principal, one workspace, at most one run at a time. */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly workspaces: Workspaces,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly config: ExecutionConfig,
  ) {}

  /** Always a new one. */
  async open(principal: Principal, workspace?: string): Promise<Session> {
    return this.#open(principal, await this.#workspaceFor(principal, workspace), () => undefined);
  }

  /** The caller's session for its next plan: the one it names, its open one for that workspace, or a new one. */
  async use(principal: Principal, { sessionId, workspace }: SessionWish): Promise<{ session: Session; workspace: Workspace }> {
    if (sessionId !== undefined) return this.#named(principal, sessionId, workspace);
    const found = await this.#workspaceFor(principal, workspace);
    const [open] = await this.sessions.list({ owner: principal.id, status: 'open', workspaceId: found.id });
    const session = open ?? (await this.#open(principal, found, (mine) => mine.find(({ workspaceId }) => workspaceId === found.id)));
    return { session, workspace: found };
  }

  /** A session that the caller may see. An id is not a credential: a stranger's session and no session look the same. */
  async get(principal: Principal, id: SessionId): Promise<Session> {
    const session = await this.sessions.find(id);
    if (!session || !maySeeWorkOf(principal, session)) throw new AppError('SESSION_NOT_FOUND', 'No such session', { sessionId: id });
    return session;
  }

  async getToAct(principal: Principal, id: SessionId): Promise<Session> {
    const session = await this.get(principal, id);
    if (!mayActOn(principal, session, 'terminal:plan'))
      throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:execute', { scope: 'terminal:execute' });
    return session;
  }

  list(principal: Principal): Promise<readonly Session[]> {
    return this.sessions.list({ seen: workSeenBy(principal) });
  }

  async #named(
    principal: Principal,
    sessionId: SessionId,
    wanted: string | undefined,
  ): Promise<{ session: Session; workspace: Workspace }> {
    const session = await this.sessions.find(sessionId);
    if (session?.owner !== principal.id) throw new AppError('SESSION_NOT_FOUND', 'No such session', { sessionId });
    const workspace = await this.workspaces.get(session.workspaceId);
    if (!mayPlanIn(principal, workspace.id)) throw new AppError('SESSION_NOT_FOUND', 'No such session', { sessionId });
    if (wanted !== undefined && wanted !== workspace.id && wanted !== workspace.name) {
      throw new AppError('INPUT_INVALID', 'The session belongs to another workspace', { paths: ['workspace'] });
    }
    if (session.status !== 'open') throw closed(session);
    return { session, workspace };
  }

  /** Of the workspaces in which the caller may plan. One in which it may not looks like none where it knows nothing of it. */
  async #workspaceFor(principal: Principal, reference: string | undefined): Promise<Workspace> {
    if (principal.workspaceScopes === undefined) return this.workspaces.resolve(reference);
    const known = (await this.workspaces.list()).filter(({ id }) => mayKnowWorkspace(principal, id));
    const named = reference === undefined ? known.filter(({ id }) => mayPlanIn(principal, id)) : known;
    const found = reference === undefined ? named[0] : named.find(({ id, name }) => id === reference || name === reference);
    if (!found) throw new AppError('WORKSPACE_NOT_FOUND', reference === undefined ? 'You may plan in no workspace' : 'No such workspace');
    if (mayPlanIn(principal, found.id)) return found;
    throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:plan in this workspace', { scope: 'terminal:plan' });
  }

  /** Counts and inserts under the owner's lock, so that neither two first plans nor the limit can race. */
  #open(principal: Principal, { id }: Workspace, reuse: (mine: readonly Session[]) => Session | undefined): Promise<Session> {
    return this.feed.write(async (tx, append) => {
      const mine = await this.sessions.openOf(tx, principal.id, this.clock.now());
      const session = reuse(mine);
      if (session) return session;
      const limit = this.config.maxConcurrentSessions;
      if (mine.length >= limit) throw new AppError('SESSION_LIMIT', `At most ${limit} sessions may be open; close one`, { limit });
      return this.#insert(tx, append, principal, id);
    });
  }

  async #insert(tx: Tx, append: Append, principal: Principal, workspaceId: WorkspaceId): Promise<Session> {
    const now = this.clock.now();
    const session: Session = {
      id: newId<SessionId>(),
      owner: principal.id,
      ownerName: principal.name,
      workspaceId,
      status: 'open',
      createdAt: now,
      lastActiveAt: now,
      closedAt: null,
    };
    await this.sessions.insert(tx, session);
    await append({ owner: session.owner, sessionId: session.id, workspaceId }, { type: 'session.opened', session });
    return session;
  }
}

function mayPlanIn(principal: Principal, id: WorkspaceId): boolean {
  return principal.workspaceScopes === undefined || hasScope(principal, 'terminal:plan', id);
}

export function closed({ id, status }: Pick<Session, 'id' | 'status'>): AppError {
  return new AppError(
    'SESSION_CLOSED',
    status === 'expired' ? 'The session has expired; open a new one' : 'The session is closed; open a new one',
    {
      sessionId: id,
      status,
    },
  );
}
