import { Injectable, Logger } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal, WorkspaceId } from '#contracts';
import { Workspaces } from '#execution';
import { AppError, Clock, EventFeed } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { ConnectedHosts } from './connected-hosts.js';
import { isDriven } from './core/status.js';
import { RelayRepository, type Stop } from './driving.ports.js';
import { SessionBoard, type BoardEntry } from './session-board.js';

export interface StopOrder {
  readonly principal: Principal;
  /** Null: everywhere. */
  readonly workspaceId: WorkspaceId | null;
  readonly reason: string;
}

const QUIET_WITHIN_MS = 10_000;

/** Owner of the switch that stops agents: nothing starts while it stands, and what runs is ended. */
@Injectable()
export class Stops {
  readonly #log = new Logger(Stops.name);

  constructor(
    private readonly rows: RelayRepository,
    private readonly hosts: ConnectedHosts,
    private readonly board: SessionBoard,
    private readonly workspaces: Workspaces,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  list(): Promise<readonly Stop[]> {
    return this.rows.stops();
  }

  async assertFree(workspaceId: WorkspaceId): Promise<void> {
    const stop = (await this.rows.stops()).find((one) => one.workspaceId === null || one.workspaceId === workspaceId);
    if (stop)
      throw new AppError('GOALS_STOPPED', `Agents are stopped here by ${stop.byName}: ${stop.reason}`, {
        by: stop.byName,
        at: stop.at,
        everywhere: stop.workspaceId === null,
      });
  }

  /** Durable first: whatever would start from now on is refused. Then what runs is ended; how many sessions that were. */
  async stop({ principal, workspaceId, reason }: StopOrder): Promise<number> {
    requirePerson(principal, workspaceId);
    const stop: Stop = { workspaceId, by: principal.id, byName: principal.name, reason, at: this.clock.now() };
    await this.feed.write(async (tx, append) => {
      if (!(await this.rows.addStop(tx, stop))) return;
      await this.receipts.write(
        tx,
        append,
        this.#draft(principal, 'relay.stopped', `stopped agents ${placeOf(workspaceId)}`, { workspaceId, reason }),
      );
    });
    const ended = await Promise.all((await this.#atWork(workspaceId)).map((entry) => this.#end(entry)));
    return ended.filter(Boolean).length;
  }

  /** Lets agents be started again; nothing goes on by itself. */
  async release(principal: Principal, workspaceId: WorkspaceId | null): Promise<boolean> {
    requirePerson(principal, workspaceId);
    return this.feed.write(async (tx, append) => {
      if (!(await this.rows.removeStop(tx, workspaceId))) return false;
      await this.receipts.write(
        tx,
        append,
        this.#draft(principal, 'relay.released', `let agents start again ${placeOf(workspaceId)}`, { workspaceId }),
      );
      return true;
    });
  }

  #draft(by: Principal, action: string, did: string, details: Readonly<Record<string, unknown>>) {
    return adminDraft({ by, at: this.clock.now(), action, did, details });
  }

  async #atWork(workspaceId: WorkspaceId | null): Promise<readonly BoardEntry[]> {
    const moving = this.board.all().filter(({ session, goal }) => session.status === 'running' || isDriven(goal ?? null));
    if (workspaceId === null) return moving;
    const { root } = await this.workspaces.get(workspaceId);
    return moving.filter(({ session }) => session.cwd === root || session.cwd.startsWith(`${root}/`));
  }

  /** Cancelling a round pauses its goal in the host; a goal between two rounds is paused by its own word. */
  async #end({ hostId, session }: BoardEntry): Promise<boolean> {
    const driver = this.hosts.find(hostId)?.driver;
    if (!driver) return false;
    try {
      await driver.cancel(session.id);
      await driver.whenIdle(session.id, AbortSignal.timeout(QUIET_WITHIN_MS));
      const { goal } = await this.board.read(session.id);
      if (isDriven(goal) && goal) this.board.heardGoal(hostId, session.id, await driver.pauseGoal(session.id, goal));
      return true;
    } catch (error) {
      this.#log.warn(`Session ${session.id} could not be stopped: ${String(error)}`);
      return false;
    }
  }
}

/** Only people stop and release: what an agent could lift would stop nothing. */
function requirePerson(principal: Principal, workspaceId: WorkspaceId | null): void {
  if (principal.kind === 'token' && !principal.scopes.includes('admin'))
    throw new AppError('ROLE_MISSING', 'Only people stop agents or let them start again');
  if (!hasScope(principal, 'relay:drive', workspaceId))
    throw new AppError('SCOPE_MISSING', 'This needs the scope relay:drive', { scope: 'relay:drive' });
}

function placeOf(workspaceId: WorkspaceId | null): string {
  return workspaceId === null ? 'everywhere' : 'in one workspace';
}
