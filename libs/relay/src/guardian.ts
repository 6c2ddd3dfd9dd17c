import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { AppEvent, HostId, Principal } from '#contracts';
import { Clock, EventFeed, ScheduledWork } from '#platform';
import { Asks } from '#policy';
import { useOf, verdictOn, type Verdict } from './core/guard.js';
import { isDriven } from './core/status.js';
import { RelayRepository, type KeptBudget } from './driving.ports.js';
import { Goals } from './goals.js';
import type { HostGoal } from './host-driver.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard, type BoardMove } from './session-board.js';
import { SessionReads } from './session-reads.js';
import { Stops } from './stops.js';

export interface SetBudget {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly maxTokens: number | null;
  readonly maxMinutes: number | null;
}

const LOOK_EVERY_MS = 15_000;
const WAITS_MS = 24 * 3_600_000;
export const GO_ON = 'Let it go on';
const STAY = 'Leave it paused';
const QUESTION = 'go_on';

/** Owner of when a goal has to stand still until a person has looked: over its budget, failing again and again, or going in circles. */
@Injectable()
export class Guardian implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(Guardian.name);
  readonly #looking = new Set<string>();
  #following: Subscription | undefined;

  constructor(
    private readonly board: SessionBoard,
    private readonly reads: SessionReads,
    private readonly goals: Goals,
    private readonly stops: Stops,
    private readonly workspaces: RelayWorkspaces,
    private readonly rows: RelayRepository,
    private readonly asks: Asks,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.#following = this.board.moves.subscribe((move) => {
      if (isWorthALook(move)) this.#lookSoon(move.hostId, move.sessionId);
    });
    this.#following.add(
      this.feed.live.subscribe((event) => {
        this.#hear(event);
      }),
    );
    this.work.every(LOOK_EVERY_MS, 'Looking after goals', () => {
      for (const { hostId, session, goal } of this.board.all()) if (isDriven(goal ?? null)) this.#lookSoon(hostId, session.id);
      return Promise.resolve();
    });
  }

  onModuleDestroy(): void {
    this.#following?.unsubscribe();
  }

  /** What a session's goal may use, counted from now on. */
  async setBudget({ principal, sessionId, maxTokens, maxMinutes }: SetBudget): Promise<KeptBudget> {
    const { host, facts } = await this.reads.state(principal, sessionId, 'relay:drive');
    const budget = {
      hostId: host.id,
      hostSessionId: sessionId,
      maxTokens,
      maxMinutes,
      tokensBefore: facts.tokens,
      countedFrom: this.clock.now(),
    };
    await this.feed.write((tx) => this.rows.setBudget(tx, budget));
    return budget;
  }

  #lookSoon(hostId: HostId, sessionId: string): void {
    const key = `${hostId} ${sessionId}`;
    if (this.#looking.has(key)) return;
    this.#looking.add(key);
    this.#look(hostId, sessionId)
      .catch((error: unknown) => {
        this.#log.warn(`The goal of session ${sessionId} could not be looked after: ${String(error)}`);
      })
      .finally(() => this.#looking.delete(key));
  }

  async #look(hostId: HostId, sessionId: string): Promise<void> {
    const { session, facts, goal } = await this.board.read(sessionId);
    if (!goal || !isDriven(goal)) return;
    const kept = (await this.rows.budget(hostId, sessionId)) ?? this.#unbounded(hostId, sessionId, goal);
    const use = useOf(facts, kept.tokensBefore, kept.countedFrom, this.clock.now());
    const verdict = verdictOn(kept, use, facts.calls.filter(({ at }) => at >= kept.countedFrom)); // prettier-ignore
    if (!verdict) return;
    await this.#ask(hostId, sessionId, session.cwd, goal, verdict);
    await this.goals.quiesce({ host: this.board.host(hostId), session }, goal);
  }

  #unbounded(hostId: HostId, hostSessionId: string, { createdAt }: HostGoal): KeptBudget {
    return { hostId, hostSessionId, maxTokens: null, maxMinutes: null, tokensBefore: 0, countedFrom: createdAt };
  }

  /** The question is durable before the goal is paused: a goal that stands still always says why. */
  async #ask(hostId: HostId, sessionId: string, cwd: string, goal: HostGoal, { reason, words }: Verdict): Promise<void> {
    const workspace = await this.workspaces.of(cwd);
    const drive = await this.rows.drive(hostId, sessionId);
    if (!workspace) return;
    const now = this.clock.now();
    const callId = `guardian-${goal.id}-${String(goal.revision)}`;
    await this.feed.write((tx, append) =>
      this.asks.open(tx, append, {
        kind: 'host_question',
        planId: null,
        sessionId: null,
        workspaceId: workspace.id,
        requester: drive?.principalId ?? ('system' as never), // nobody of ours drives it
        requesterName: drive?.name ?? 'Countersign',
        requesterPersonId: drive?.personId ?? null,
        title: `A goal in ${workspace.name} was paused: ${reason}`,
        summary: words,
        risk: 'medium',
        reasons: [words],
        digest: createHash('sha256')
          .update(JSON.stringify([hostId, callId, reason]))
          .digest('hex'),
        quorum: 1,
        notRequester: drive !== undefined && drive.personId === null,
        expiresAt: now + WAITS_MS,
        host: { hostId, hostSessionId: sessionId, callId, toolName: null, command: null },
        questions: [{ id: QUESTION, question: `${words} Shall it go on?`, options: [{ label: GO_ON }, { label: STAY }] }],
      }),
    );
  }

  #hear(event: AppEvent): void {
    if (event.type !== 'ask.closed' || event.status !== 'answered') return;
    this.#goOn(event.askId).catch((error: unknown) => {
      this.#log.warn(`A goal that may go on was not resumed: ${String(error)}`);
    });
  }

  /** Only where the host is connected; what was used so far counts no more. */
  async #goOn(askId: Parameters<Asks['find']>[0]): Promise<void> {
    const ask = await this.asks.find(askId);
    if (ask?.host?.toolName !== null || !ask.host.callId.startsWith('guardian-')) return;
    if (ask.answers?.some(({ selected }) => selected.includes(GO_ON)) !== true) return;
    const { hostId, hostSessionId } = ask.host;
    const host = this.board.host(hostId);
    const { facts, goal } = await this.board.read(hostSessionId);
    if (host.state !== 'connected' || goal?.phase !== 'paused' || ask.workspaceId === null) return;
    await this.stops.assertFree(ask.workspaceId);
    const kept = (await this.rows.budget(hostId, hostSessionId)) ?? this.#unbounded(hostId, hostSessionId, goal);
    const renewed = { ...kept, tokensBefore: facts.tokens, countedFrom: this.clock.now() };
    await this.feed.write((tx) => this.rows.setBudget(tx, renewed));
    this.board.heardGoal(hostId, hostSessionId, await host.driver.resumeGoal(hostSessionId, goal));
  }
}

function isWorthALook({ what, event }: BoardMove): boolean {
  return what === 'log' && (event?.type === 'tool/result' || event?.type === 'turn/end' || event?.type === 'assistant/message');
}
