import { Injectable } from '@nestjs/common';
import type { Session, SessionId } from '#contracts';
import { Clock, EventFeed } from '#platform';
import { Remembered } from '#policy';
import { PlanEndings } from './plan-endings.js';
import { SessionRepository } from './repositories.js';
import { Runs } from './runs.js';

const AT_ONCE = 100;

/** Ends sessions, with everything that waits in them and the run that they may have. */
@Injectable()
export class SessionEndings {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly plans: PlanEndings,
    private readonly remembered: Remembered,
    private readonly runs: Runs,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  /** Closing a closed session changes nothing. Its run ends with a receipt. */
  async close(session: Session): Promise<Session> {
    const now = this.clock.now();
    const scope = { owner: session.owner, sessionId: session.id, workspaceId: session.workspaceId };
    await this.feed.write(async (tx, append) => {
      if (!(await this.sessions.close(tx, session.id, 'closed', now))) return;
      await this.plans.endAllIn(tx, append, session.id, 'cancelled');
      await this.remembered.endIn(tx, append, session.id, scope);
      await append(scope, { type: 'session.closed', sessionId: session.id, status: 'closed' });
    });
    const runId = await this.sessions.activeRun(session.id);
    if (runId) {
      await this.runs.stop(runId, 'session_closed');
      await this.runs.waitEnded(runId, 15_000);
    }
    return (await this.sessions.find(session.id)) ?? session;
  }

  /** Expires the sessions in which nothing has happened since `before`. Open asks and runs keep a session alive. */
  async expireIdle(before: number): Promise<void> {
    for (const id of await this.sessions.idle(before, AT_ONCE)) await this.#expire(id, before);
  }

  async #expire(id: SessionId, before: number): Promise<void> {
    const session = await this.sessions.find(id);
    if (!session) return;
    await this.feed.write(async (tx, append) => {
      if (!(await this.sessions.expire(tx, id, before, this.clock.now()))) return;
      const scope = { owner: session.owner, sessionId: id, workspaceId: session.workspaceId };
      await this.remembered.endIn(tx, append, id, scope);
      await append(scope, { type: 'session.closed', sessionId: id, status: 'expired' });
    });
  }
}
