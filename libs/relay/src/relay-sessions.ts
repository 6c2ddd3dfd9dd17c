import { Injectable } from '@nestjs/common';
import type { Principal } from '#contracts';
import { AppError } from '#platform';
import { tempResources } from './core/temp-resources.js';
import { Drives } from './drives.js';
import type { AgentOptions, HostSession } from './host-driver.js';
import { SessionFolders } from './driving.ports.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';
import { SessionReads, type SessionState } from './session-reads.js';
import { Stops } from './stops.js';
import type { ConnectedHost } from './connected-hosts.js';
import type { Workspace } from '#contracts';

export interface NewSession {
  readonly workspace: string;
  readonly title?: string | undefined;
  readonly initialMessage?: string | undefined;
  readonly agent?: AgentOptions | undefined;
}

/** Owner of what is done with sessions: made, told something, cancelled, cleaned up after. */
@Injectable()
export class RelaySessions {
  constructor(
    private readonly reads: SessionReads,
    private readonly board: SessionBoard,
    private readonly workspaces: RelayWorkspaces,
    private readonly drives: Drives,
    private readonly stops: Stops,
    private readonly folders: SessionFolders,
  ) {}

  async create(principal: Principal, { workspace: reference, title, initialMessage, agent }: NewSession): Promise<HostSession> {
    const workspace = await this.workspaces.resolve(principal, reference, 'relay:drive');
    await this.stops.assertFree(workspace.id);
    if (initialMessage !== undefined) requireWords(initialMessage);
    const host = this.workspaces.hostFor(workspace);
    const session = await this.open(principal, host, workspace, { title, agent });
    if (initialMessage !== undefined) await host.driver.send(session.id, initialMessage);
    return session;
  }

  /** A new session of a host, known here before anything is told about it. */
  async open(
    principal: Principal,
    host: ConnectedHost,
    workspace: Workspace,
    { title, agent }: { readonly title?: string | undefined; readonly agent?: AgentOptions | undefined },
  ): Promise<HostSession> {
    await this.workspaces.admit(host, workspace);
    const session = await createIn(host, { cwd: workspace.root, ...(title !== undefined && { title }), ...(agent && { agent }) });
    this.board.heard(host.id, session);
    await this.drives.take(principal, host.id, session.id, workspace);
    return session;
  }

  async send(principal: Principal, sessionId: string, message: string): Promise<SessionState> {
    requireWords(message);
    const state = await this.reads.live(principal, sessionId);
    await this.stops.assertFree(state.workspace.id);
    await this.drives.take(principal, state.host.id, sessionId, state.workspace);
    await state.host.driver.send(sessionId, message);
    return this.reads.state(principal, sessionId, 'relay:drive');
  }

  /** Ends the turn that runs; messages that wait are dropped with it. Only what is live can be cancelled. */
  async cancel(principal: Principal, sessionId: string): Promise<{ readonly state: SessionState; readonly wasRunning: boolean }> {
    const before = await this.reads.state(principal, sessionId, 'relay:drive');
    if (before.session.status === null)
      throw new AppError('SESSION_NOT_LIVE', 'This session is not loaded in its host', { session_id: sessionId });
    const wasRunning = before.session.status === 'running';
    if (wasRunning) await before.host.driver.cancel(sessionId);
    return { state: await this.reads.state(principal, sessionId, 'relay:drive'), wasRunning };
  }

  async rename(principal: Principal, sessionId: string, title: string): Promise<void> {
    const { host } = await this.reads.live(principal, sessionId);
    await host.driver.rename(sessionId, title);
  }

  /** Deletes the temporary folders that a session made for itself; how many went. */
  async cleanUp({ workspace, session, facts }: SessionState): Promise<readonly string[]> {
    const gone: string[] = [];
    for (const { path } of tempResources(workspace.root, session.cwd, facts.calls))
      if (await this.folders.remove(workspace.root, path)) gone.push(path);
    return gone;
  }
}

/** A host may know a title only after the fact that it has a session; any failure here leaves no session behind. */
async function createIn(
  { driver, name }: ConnectedHost,
  wanted: Parameters<ConnectedHost['driver']['createSession']>[0],
): Promise<HostSession> {
  try {
    return await driver.createSession(wanted);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') throw error;
    throw new AppError('SESSION_CREATE_FAILED', `The agent host ${name} made no session`, {}, { cause: error });
  }
}

function requireWords(message: string): void {
  if (message.trim() === '') throw new AppError('EMPTY_MESSAGE', 'A message needs words');
}
