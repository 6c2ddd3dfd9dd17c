import { Injectable } from '@nestjs/common';
import type { Workspace, WorkspaceId } from '#contracts';
import { AppError } from '#platform';
import { isDriven } from './core/status.js';
import type { HostGoal } from './host-driver.js';
import { SessionBoard, type BoardEntry } from './session-board.js';

export interface GoalThere {
  readonly sessionId: string;
  readonly goal: HostGoal;
  readonly isIdle: boolean;
}

/** One session at a time changes a workspace. The lock follows from what is at work, so a restart forgets none. */
@Injectable()
export class WorkspaceLocks {
  /** Who took the workspace last; it holds while that session is at work. */
  readonly #held = new Map<WorkspaceId, string>();

  constructor(private readonly board: SessionBoard) {}

  hold({ id }: Workspace, sessionId: string): void {
    this.#held.set(id, sessionId);
  }

  release(sessionId: string): void {
    for (const [id, holder] of this.#held) if (holder === sessionId) this.#held.delete(id);
  }

  /** Says no while another session is at work there. */
  async assertFree(workspace: Workspace, sessionId: string | undefined, override: boolean): Promise<void> {
    if (override) return;
    const holder = (await this.#liveIn(workspace)).find(
      ({ session, goal }) =>
        session.id !== sessionId &&
        (isDriven(goal ?? null) || (session.status === 'running' && this.#held.get(workspace.id) === session.id)),
    );
    const running =
      holder ?? (await this.#liveIn(workspace)).find(({ session }) => session.id !== sessionId && session.status === 'running');
    if (!running) return;
    throw new AppError('WORKSPACE_LOCKED', 'Another session works in this workspace; workspace_lock_override takes it over', {
      status: 'waiting_for_workspace_lock',
      holder: { session_id: running.session.id, title: running.session.title, status: running.session.status },
    });
  }

  /** Goals of live sessions there, the newest first. */
  async goalsIn(workspace: Workspace): Promise<readonly GoalThere[]> {
    const live = await this.#liveIn(workspace);
    return live.flatMap(({ session, goal }) => (goal ? [{ sessionId: session.id, goal, isIdle: session.status === 'idle' }] : []));
  }

  async #liveIn({ root }: Workspace): Promise<readonly BoardEntry[]> {
    const there = this.board
      .all()
      .filter(({ session }) => session.status !== null && (session.cwd === root || session.cwd.startsWith(`${root}/`)));
    for (const { session, goal } of there) if (goal === undefined) await this.board.read(session.id);
    const now = this.board.all().filter(({ session }) => there.some((entry) => entry.session.id === session.id));
    return now.toSorted((a, b) => b.session.createdAt - a.session.createdAt);
  }
}
