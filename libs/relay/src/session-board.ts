import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Subject, type Observable, type Subscription } from 'rxjs';
import type { HostId } from '#contracts';
import { AppError } from '#platform';
import { ConnectedHosts, type ConnectedHost, type HostNews } from './connected-hosts.js';
import { LogFold } from './core/log-facts.js';
import type { HostEvent, HostGoal, HostSession, LogEvent } from './host-driver.js';

/** One session of a host as it is known here. */
export interface BoardEntry {
  readonly hostId: HostId;
  readonly session: HostSession;
  /** Null until it was looked at; a log is read when somebody wants to know what it says. */
  readonly facts: LogFold | null;
  /** Undefined until it was looked at. */
  readonly goal: HostGoal | null | undefined;
}

/** What moved in a session. */
export interface BoardMove {
  readonly hostId: HostId;
  readonly sessionId: string;
  readonly what: 'session' | 'status' | 'log' | 'goal' | 'gone';
  /** Kind `log` only. */
  readonly event?: LogEvent;
}

interface Entry {
  readonly hostId: HostId;
  session: HostSession;
  facts: LogFold | null;
  goal: HostGoal | null | undefined;
  /** Lines that came while the log was being read. */
  reading: { readonly held: LogEvent[]; readonly done: Promise<LogFold> } | null;
}

/** Logs of sessions that are not loaded are kept here, up to this many. */
const KEPT_COLD = 100;

/** Owner of what is known of the sessions of all hosts. It is told, never asks again: hosts are not polled. */
@Injectable()
export class SessionBoard implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(SessionBoard.name);
  readonly #entries = new Map<string, Entry>();
  readonly #cold = new Set<Entry>();
  readonly #moves = new Subject<BoardMove>();
  readonly #watchers = new Map<string, Set<() => void>>();
  #following: Subscription | undefined;

  constructor(private readonly hosts: ConnectedHosts) {}

  /** Everything that moves, in the order of each host. */
  get moves(): Observable<BoardMove> {
    return this.#moves;
  }

  onModuleInit(): void {
    this.#following = this.hosts.news.subscribe((news) => {
      this.#hear(news);
    });
    for (const host of this.hosts.all()) if (host.state === 'connected') this.#loadSoon(host.id);
  }

  onModuleDestroy(): void {
    this.#following?.unsubscribe();
    this.#moves.complete();
    for (const watching of this.#watchers.values()) for (const tell of watching) tell();
  }

  all(): readonly BoardEntry[] {
    return [...this.#entries.values()];
  }

  /** The session wherever it is; its host is asked once when nobody has told of it. */
  async find(sessionId: string): Promise<BoardEntry> {
    const known = this.#known(sessionId);
    if (known) return known;
    for (const host of this.hosts.all()) if (host.state === 'connected') await this.#load(host);
    const found = this.#known(sessionId);
    if (!found) throw new AppError('SESSION_NOT_FOUND', 'No such session', { session_id: sessionId });
    return found;
  }

  /** The same with its log and its goal. */
  async read(sessionId: string): Promise<BoardEntry & { readonly facts: LogFold; readonly goal: HostGoal | null }> {
    const found = await this.find(sessionId);
    const entry = this.#entries.get(keyOf(found.hostId, sessionId));
    if (!entry) throw new AppError('SESSION_NOT_FOUND', 'No such session', { session_id: sessionId });
    const facts = entry.facts ?? (await this.#readLog(entry));
    const goal = entry.goal === undefined ? await this.#readGoal(entry, facts) : entry.goal;
    return { hostId: entry.hostId, session: entry.session, facts, goal };
  }

  host(id: HostId): ConnectedHost {
    const host = this.hosts.find(id);
    if (!host) throw new AppError('HOST_NOT_FOUND', 'No such host', { hostId: id });
    return host;
  }

  /** What a driver has just told the caller; its own event of it may come later. */
  heard(hostId: HostId, session: HostSession): void {
    this.#put(hostId, session);
  }

  heardGoal(hostId: HostId, sessionId: string, goal: HostGoal | null): void {
    const entry = this.#entries.get(keyOf(hostId, sessionId));
    if (!entry || (entry.goal && goal && entry.goal.id === goal.id && entry.goal.revision > goal.revision)) return;
    entry.goal = goal;
    this.#tell({ hostId, sessionId, what: 'goal' });
  }

  /** Resolves at the next move of this session, or when the signal aborts. Costs nothing while nothing moves. */
  watch(sessionId: string, tell: () => void): () => void {
    const watching = this.#watchers.get(sessionId) ?? new Set();
    this.#watchers.set(sessionId, watching.add(tell));
    return () => {
      watching.delete(tell);
      if (watching.size === 0 && this.#watchers.get(sessionId) === watching) this.#watchers.delete(sessionId);
    };
  }

  /** Something about a session has changed that its host does not tell, such as an ask. */
  nudge(sessionId: string): void {
    for (const tell of [...(this.#watchers.get(sessionId) ?? [])]) tell();
  }

  #hear(news: HostNews): void {
    switch (news.type) {
      case 'starting':
        return;
      case 'connected':
        this.#loadSoon(news.hostId);
        return;
      case 'event':
        this.#hearEvent(news.hostId, news.event);
        return;
      case 'gone':
      case 'stopped':
        this.#lose(news.hostId);
        return;
    }
  }

  #hearEvent(hostId: HostId, event: HostEvent): void {
    switch (event.type) {
      case 'session':
        this.#put(hostId, event.session);
        return;
      case 'status':
        this.#move(hostId, event.sessionId, 'status', (entry) => {
          entry.session = { ...entry.session, status: event.status };
        });
        return;
      case 'goal':
        this.#move(hostId, event.sessionId, 'goal', (entry) => {
          entry.goal = event.goal;
        });
        return;
      case 'log':
        this.#hearLine(hostId, event.sessionId, event.event);
        return;
      case 'ask':
      case 'askEnded':
      case 'gone':
        return; // asks have an owner of their own; the connection tells of the end
    }
  }

  #hearLine(hostId: HostId, sessionId: string, event: LogEvent): void {
    const entry = this.#entries.get(keyOf(hostId, sessionId));
    if (!entry) return;
    entry.reading?.held.push(event);
    if (entry.facts && event.seq > entry.facts.next) entry.facts = null; // a line is missing: read again when somebody looks
    entry.facts?.add(event);
    entry.session = { ...entry.session, seq: event.seq + 1 };
    if (event.type === 'session/title' && typeof event.data['title'] === 'string')
      entry.session = { ...entry.session, title: event.data['title'] };
    this.#tell({ hostId, sessionId, what: 'log', event });
  }

  #move(hostId: HostId, sessionId: string, what: BoardMove['what'], change: (entry: Entry) => void): void {
    const entry = this.#entries.get(keyOf(hostId, sessionId));
    if (!entry) return;
    change(entry);
    this.#tell({ hostId, sessionId, what });
  }

  #put(hostId: HostId, session: HostSession): Entry {
    const key = keyOf(hostId, session.id);
    const known = this.#entries.get(key);
    const entry: Entry = known ?? { hostId, session, facts: null, goal: undefined, reading: null };
    if (known && known.session.status === null && session.status !== null) entry.goal = undefined; // it was loaded: its goal is asked for anew
    entry.session = { ...session, title: session.title ?? known?.session.title ?? null };
    this.#entries.set(key, entry);
    this.#tell({ hostId, sessionId: session.id, what: 'session' });
    return entry;
  }

  /** What was alive there is not any more; what was written stays readable. */
  #lose(hostId: HostId): void {
    for (const entry of this.#entries.values()) {
      if (entry.hostId !== hostId) continue;
      entry.session = { ...entry.session, status: null };
      if (entry.goal) entry.goal = { ...entry.goal, activation: 'disarmed' };
      this.#tell({ hostId, sessionId: entry.session.id, what: 'gone' });
    }
  }

  #loadSoon(hostId: HostId): void {
    const host = this.hosts.find(hostId);
    if (!host) return;
    this.#load(host).catch((error: unknown) => {
      this.#log.warn(`The sessions of host ${host.name} could not be read: ${String(error)}`);
    });
  }

  async #load({ id, driver }: ConnectedHost): Promise<void> {
    const found = await driver.sessions();
    const here = new Set(found.map((session) => keyOf(id, session.id)));
    for (const [key, entry] of this.#entries) if (entry.hostId === id && !here.has(key)) this.#entries.delete(key);
    for (const session of found) {
      const entry = this.#put(id, session);
      // A host that came back may have written more than was told here.
      if (entry.facts && session.seq !== null && session.seq !== entry.facts.next) entry.facts = null;
    }
  }

  async #readLog(entry: Entry): Promise<LogFold> {
    if (entry.reading) return entry.reading.done;
    const held: LogEvent[] = [];
    const done = this.#fold(entry, held);
    entry.reading = { held, done };
    try {
      return await done;
    } finally {
      entry.reading = null;
    }
  }

  async #fold(entry: Entry, held: readonly LogEvent[]): Promise<LogFold> {
    const { driver, facts } = this.host(entry.hostId);
    const fold = new LogFold();
    if (facts?.abilities.includes('eventLog') === true) for (const event of await driver.log(entry.session.id, 0)) fold.add(event);
    for (const event of held) fold.add(event);
    entry.facts = fold;
    this.#keep(entry);
    return fold;
  }

  async #readGoal(entry: Entry, facts: LogFold): Promise<HostGoal | null> {
    const { driver, facts: can } = this.host(entry.hostId);
    const isAsked = entry.session.status !== null && can?.abilities.includes('goals') === true;
    const goal = isAsked ? await driver.goal(entry.session.id) : facts.goal;
    entry.goal ??= goal; // what was told meanwhile is newer
    return entry.goal;
  }

  #keep(entry: Entry): void {
    this.#cold.delete(entry);
    if (entry.session.status !== null) return;
    this.#cold.add(entry);
    const [oldest] = this.#cold;
    if (this.#cold.size <= KEPT_COLD || !oldest) return;
    this.#cold.delete(oldest);
    if (oldest.session.status === null) oldest.facts = null;
  }

  #known(sessionId: string): Entry | undefined {
    return this.hosts
      .all()
      .map(({ id }) => this.#entries.get(keyOf(id, sessionId)))
      .find((entry) => entry !== undefined);
  }

  #tell(move: BoardMove): void {
    this.#moves.next(move);
    // A line more changes nothing that anybody waits for, unless it begins or ends a turn.
    if (move.what !== 'log' || move.event?.type.startsWith('turn/') === true) this.nudge(move.sessionId);
  }
}

function keyOf(hostId: HostId, sessionId: string): string {
  return `${hostId} ${sessionId}`;
}
