import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { Ask, AskId, HostId, Workspace } from '#contracts';
import { AppError, Clock, EventFeed } from '#platform';
import { AskKinds, Asks, type Unanswered } from '#policy';
import { AskReceipts } from './ask-receipts.js';
import { AskVerdicts } from './ask-verdicts.js';
import { ConnectedHosts, type ConnectedHost, type HostNews } from './connected-hosts.js';
import { answersInOrder, commandOf, hostAsk, type AskedWhere } from './core/host-ask.js';
import type { AskEnd, HostEvent, RaisedAsk } from './host-driver.js';
import { OpenAsks } from './open-asks.js';
import { RelayRepository } from './driving.ports.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';

const ENDS: Readonly<Record<Exclude<AskEnd, 'applied'>, { readonly status: Unanswered; readonly why: string }>> = {
  answered_elsewhere: { status: 'cancelled', why: 'It was answered at the screen of the host first' },
  withdrawn: { status: 'cancelled', why: 'The turn was cancelled, so the host does not wait any more' },
  stopped: { status: 'cancelled', why: 'The host was stopped' },
};
const FORGOTTEN = 'The host does not wait for this any more';
const TURN_OVER = 'The turn that asked is over';

/** Owner of what stands between an ask of a host and its row: it becomes durable at once, and its decision goes back. */
@Injectable()
export class RelayAsks implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(RelayAsks.name);
  /** Live promises that this process can answer, by host and call. */
  readonly #handles = new Map<HostId, Map<string, string>>();
  /** What a host has told since it was connected anew. */
  readonly #told = new Map<HostId, Set<string>>();
  /** One after the other for each host: what it tells has an order. */
  readonly #queues = new Map<HostId, Promise<void>>();
  readonly #delivering = new Set<AskId>();
  #following: Subscription | undefined;

  constructor(
    private readonly hosts: ConnectedHosts,
    private readonly board: SessionBoard,
    private readonly open: OpenAsks,
    private readonly asks: Asks,
    private readonly kinds: AskKinds,
    private readonly verdicts: AskVerdicts,
    private readonly receipts: AskReceipts,
    private readonly workspaces: RelayWorkspaces,
    private readonly rows: RelayRepository,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const handler = {
      closed: (...[tx, append, ask]: Parameters<AskReceipts['closed']>) => this.receipts.closed(tx, append, ask),
      afterClosed: (ask: Ask) => this.#deliver(ask),
    };
    this.kinds.register('host_approval', handler);
    this.kinds.register('host_question', handler);
    this.#following = this.hosts.news.subscribe((news) => {
      this.#hear(news);
    });
    // Another process may have closed what this one can deliver.
    this.#following.add(
      this.feed.live.subscribe((event) => {
        if (event.type === 'ask.closed') void this.#deliverById(event.askId);
      }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.#following?.unsubscribe();
    await this.settled();
  }

  /** Resolves when everything that hosts have told so far is written down. */
  async settled(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  #hear(news: HostNews): void {
    const { hostId } = news;
    switch (news.type) {
      case 'starting':
        this.#handles.set(hostId, new Map());
        this.#told.set(hostId, new Set());
        return;
      case 'connected':
        this.#enqueue(hostId, () => this.#reconcile(hostId));
        return;
      case 'event':
        this.#hearEvent(hostId, news.event);
        return;
      case 'gone':
        this.#handles.delete(hostId);
        this.#enqueue(hostId, () => this.#settleAll(hostId, 'host_gone', `The host went away: ${news.why}`));
        return;
      case 'stopped':
        this.#handles.delete(hostId);
        this.#enqueue(hostId, () => this.#settleAll(hostId, 'cancelled', `The host was stopped: ${news.why}`));
        return;
    }
  }

  #hearEvent(hostId: HostId, event: HostEvent): void {
    switch (event.type) {
      case 'ask':
        this.#handlesOf(hostId).set(event.ask.callId, event.ask.handle);
        this.#told.get(hostId)?.add(event.ask.callId);
        this.#enqueue(hostId, () => this.#raise(hostId, event.ask));
        return;
      case 'askEnded':
        this.#handlesOf(hostId).delete(event.callId);
        this.#enqueue(hostId, () => this.#ended(hostId, event.callId, event.end));
        return;
      case 'log':
        if (event.event.type === 'turn/end') this.#enqueue(hostId, () => this.#turnOver(hostId, event.sessionId));
        return;
      case 'session':
      case 'status':
      case 'goal':
      case 'gone':
        return; // of no concern to asks; the end of a host is told by its connection
    }
  }

  /** A row at once; or, where nobody is to be asked, the answer of policy or of the operator, with its receipt first. */
  async #raise(hostId: HostId, raised: RaisedAsk): Promise<void> {
    const host = this.hosts.find(hostId);
    const place = host && (await this.#placeOf(host, raised));
    if (!host || !place) return this.#refuseUnplaced(host, raised);
    const { where, workspace, cwd } = place;
    const decided = await this.#decidedBefore(hostId, raised.callId);
    if (decided) return this.#deliverAgain(decided);
    const command = commandOf(raised);
    const drive = await this.rows.drive(hostId, raised.sessionId);
    const decision = raised.kind === 'approval' ? await this.verdicts.on({ command, cwd, workspace, drive }) : null;
    const isDenied = decision?.outcome === 'deny';
    if (raised.kind === 'approval' && (isDenied || host.autoApproveEscalations)) {
      const granted = !isDenied;
      await this.feed.write((tx, append) =>
        this.receipts.unasked(tx, append, raised, { where, workspace, command }, { granted, decision }),
      );
      await host.driver.answerApproval(raised.handle, granted ? 'allowed-once' : 'rejected');
      return;
    }
    await this.feed.write((tx, append) => this.asks.open(tx, append, hostAsk(raised, where, decision, this.clock.now())));
  }

  /** What asks outside of every registered workspace is not let through, and nobody is bothered with it. */
  async #refuseUnplaced(host: ConnectedHost | undefined, raised: RaisedAsk): Promise<void> {
    this.#log.warn(`An ask of session ${raised.sessionId} lies in no workspace and was refused`);
    if (raised.kind === 'approval') await host?.driver.answerApproval(raised.handle, 'rejected');
    else await host?.driver.answerQuestions(raised.handle, []);
  }

  async #placeOf(
    host: ConnectedHost,
    { sessionId }: RaisedAsk,
  ): Promise<{ where: AskedWhere; workspace: Workspace; cwd: string } | undefined> {
    const { session } = await this.board.find(sessionId);
    const workspace = await this.workspaces.of(session.cwd);
    if (!workspace) return undefined;
    const drive = await this.rows.drive(host.id, sessionId);
    const where = {
      hostId: host.id,
      hostName: host.name,
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      requester: drive?.principalId ?? null,
      requesterName: drive?.name ?? host.name,
      personId: drive?.personId ?? null,
      personName: drive?.personName ?? null,
    };
    return { where, workspace, cwd: session.cwd };
  }

  /** A decision that was made and has not reached the host: it is not asked again. */
  async #decidedBefore(hostId: HostId, callId: string): Promise<Ask | undefined> {
    if (this.open.ofCall(hostId, callId)) return undefined;
    return (await this.open.undelivered(hostId)).find(({ host }) => host?.callId === callId);
  }

  /** The host waits for it still, so whatever was sent before has not come there. */
  async #deliverAgain(ask: Ask): Promise<void> {
    if (this.#delivering.has(ask.id)) return;
    await this.#step(ask.id, 'failed', 'It did not reach the host before a restart');
    await this.#deliver(ask);
  }

  /** What is open here and was not told by a host that came back waits for nobody. */
  async #reconcile(hostId: HostId): Promise<void> {
    const told = this.#told.get(hostId);
    for (const ask of this.open.ofHost(hostId))
      if (ask.host && told?.has(ask.host.callId) !== true && !isOurs(ask)) await this.#settle(ask, 'host_gone', FORGOTTEN);
    for (const ask of await this.open.undelivered(hostId)) {
      if (ask.host && told?.has(ask.host.callId) !== true && ask.delivery !== 'failed') await this.#step(ask.id, 'failed', FORGOTTEN);
    }
  }

  async #ended(hostId: HostId, callId: string, end: AskEnd): Promise<void> {
    const ask = this.open.ofCall(hostId, callId);
    // A person may have been first, by a moment: then it is closed, and its decision has come too late.
    if (ask && end !== 'applied' && (await this.#settle(ask, ENDS[end].status, ENDS[end].why))) return;
    const decided = (await this.open.undelivered(hostId)).find(({ host }) => host?.callId === callId);
    if (decided) await this.#step(decided.id, end === 'applied' ? 'applied' : 'failed', end === 'applied' ? null : ENDS[end].why);
  }

  async #turnOver(hostId: HostId, sessionId: string): Promise<void> {
    for (const ask of this.open.ofSession(hostId, sessionId)) if (!isOurs(ask)) await this.#settle(ask, 'cancelled', TURN_OVER);
  }

  async #settleAll(hostId: HostId, status: Unanswered, why: string): Promise<void> {
    for (const ask of this.open.ofHost(hostId)) if (!isOurs(ask)) await this.#settle(ask, status, why);
    for (const ask of await this.open.undelivered(hostId)) if (ask.delivery !== 'failed') await this.#step(ask.id, 'failed', why);
  }

  #settle({ id }: Ask, status: Unanswered, why: string): Promise<boolean> {
    return this.feed.write((tx, append) => this.asks.settle(tx, append, id, status, why));
  }

  async #deliverById(id: AskId): Promise<void> {
    const ask = await this.asks.find(id);
    if (ask?.host && this.#handles.get(ask.host.hostId)?.has(ask.host.callId) === true) await this.#deliver(ask);
  }

  /** Brings a decision to the host, once. Sent, accepted and applied are three different things. */
  async #deliver(ask: Ask): Promise<void> {
    const { host: call, status } = ask;
    const handle = call && this.#handles.get(call.hostId)?.get(call.callId);
    const host = call && this.hosts.find(call.hostId);
    if (handle === undefined || !host || this.#delivering.has(ask.id)) return;
    this.#delivering.add(ask.id);
    try {
      if (!(await this.#step(ask.id, 'sent', null))) return;
      const isTaken = await (ask.kind === 'host_approval'
        ? host.driver.answerApproval(handle, status === 'approved' ? 'allowed-once' : 'rejected')
        : host.driver.answerQuestions(handle, answersInOrder(ask)));
      await this.#step(ask.id, isTaken ? 'accepted' : 'failed', isTaken ? null : FORGOTTEN);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#step(ask.id, 'failed', error.message);
    } finally {
      this.#delivering.delete(ask.id);
    }
  }

  #step(id: AskId, to: 'sent' | 'accepted' | 'applied' | 'failed', note: string | null): Promise<boolean> {
    return this.feed.write((tx, append) => this.asks.delivered(tx, append, id, to, note));
  }

  #handlesOf(hostId: HostId): Map<string, string> {
    const known = this.#handles.get(hostId) ?? new Map<string, string>();
    this.#handles.set(hostId, known);
    return known;
  }

  #enqueue(hostId: HostId, work: () => Promise<void>): void {
    const after = (this.#queues.get(hostId) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      this.#log.error('What a host told could not be written down', error);
    });
    this.#queues.set(hostId, after);
  }
}

/** Questions of the guardian are ours: no host waits for them. */
function isOurs({ host }: Ask): boolean {
  return host?.toolName === null;
}
