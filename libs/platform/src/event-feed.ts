import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { CompiledQuery, sql } from 'kysely';
import type { AppEvent, EventBody, EventScope, PrincipalId, SessionId } from '#contracts';
import { Clock } from './clock.js';
import { Database, EVENT_CHANNEL, type PlatformTables, type Tx } from './database.js';

/** Adds one event to the transaction; it gets its number when the work is done. */
export type Append = (scope: EventScope, event: EventBody) => Promise<void>;

interface Appended {
  readonly scope: EventScope;
  readonly body: EventBody;
}

/** What a watcher missed: the events in order, or the word that it must load anew. */
export type Missed = { readonly events: readonly AppEvent[] } | { readonly resync: number };

/** A cursor that is further behind is told to load anew. */
export const MAX_BEHIND = 1_000;
/** How many of the newest events `trim` leaves, however old they are. */
const KEPT_EVENTS = 10_000;
const PAGE = 500;

/**
 * Owner of the event table and its one total order. State and events are written in one transaction; watchers are told
 * after the commit, in order, once per event, whichever process wrote it.
 */
@Injectable()
export class EventFeed implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(EventFeed.name);
  readonly #live = new Subject<AppEvent>();
  readonly #statements: AppendStatements;
  #head: number | undefined;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #unwatch: (() => Promise<void>) | undefined;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {
    this.#statements = new AppendStatements(db);
  }

  /** Every event after its commit. */
  get live(): Observable<AppEvent> {
    return this.#live;
  }

  /** Number of the last event that watchers here have been told. */
  get head(): number {
    return this.#head ?? 0;
  }

  async onModuleInit(): Promise<void> {
    this.#head ??= await this.#last();
    this.#unwatch = this.db.watch(() => void this.wake());
  }

  async onModuleDestroy(): Promise<void> {
    await this.#unwatch?.();
    await this.#reading;
    this.#live.complete();
  }

  /** One transaction: what `work` writes and the events it appends are committed together or not at all. */
  async write<T>(work: (tx: Tx, append: Append) => Promise<T>): Promise<T> {
    const appended: Appended[] = [];
    let told: AppEvent[] = [];
    const result = await this.db.transaction().execute(async (tx) => {
      const answer = await work(tx, (scope, event) => {
        appended.push({ scope, body: event });
        return Promise.resolve();
      });
      told = await this.#insert(tx, appended);
      return answer;
    });
    await this.#announce(told);
    return result;
  }

  /** From here to the end of this transaction no other that appends events is committed. What is read next is what is so at its commit. */
  async hold(tx: Tx): Promise<void> {
    await tx
      .updateTable('event_counter')
      .set((eb) => ({ last: eb.ref('last') }))
      .execute();
  }

  async after(seq: number, limit: number): Promise<AppEvent[]> {
    const rows = await this.db.selectFrom('events').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute();
    return rows.map(toEvent);
  }

  /** What a watcher that stands at `cursor` has to hear before it follows `live`. */
  async missed(cursor: number): Promise<Missed> {
    if (cursor > this.head) await this.wake(); // another process may be ahead of us
    if (cursor > this.head) return { resync: this.head };
    if (cursor === this.head) return { events: [] };
    const events = await this.after(cursor, MAX_BEHIND + 1);
    const isWhole = events.length <= MAX_BEHIND && events[0]?.seq === cursor + 1;
    return isWhole ? { events } : { resync: this.head };
  }

  /** Forgets events older than `olderThanMs`, but never the newest ones: a cursor before them gets a resync. */
  async trim(olderThanMs: number, keep = KEPT_EVENTS): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('events')
      .where('at', '<', this.clock.now() - olderThanMs)
      .where('seq', '<=', (await this.#last()) - keep)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Tells watchers what others have committed. Calls that come while it reads are served by one more reading. */
  wake(): Promise<void> {
    this.#readAgain = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #insert(tx: Tx, appended: readonly Appended[]): Promise<AppEvent[]> {
    const size = appended.length;
    if (size === 0) return [];
    const at = this.clock.now();
    const { count, insert } = this.#statements.for(size);
    const counted = await tx.executeQuery<{ last: number }>(CompiledQuery.raw(count, [size]));
    const first = (counted.rows[0]?.last ?? 0) - size + 1;
    const events = appended.map(({ scope, body }, index) => place(scope, body, first + index, at));
    const row = ({ seq, owner, sessionId }: AppEvent, index: number) => [seq, at, owner, sessionId, toBody(appended[index])];
    await tx.executeQuery(CompiledQuery.raw(insert, events.flatMap(row)));
    return events;
  }

  async #announce(events: readonly AppEvent[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    this.#head ??= first.seq - 1;
    if (first.seq === this.#head + 1 && !this.#reading) for (const event of events) this.#tell(event);
    else await this.wake();
  }

  async #read(): Promise<void> {
    while (this.#readAgain) {
      this.#readAgain = false;
      try {
        this.#head ??= await this.#last();
        for (;;) {
          const events = await this.after(this.#head, PAGE);
          for (const event of events) this.#tell(event);
          if (events.length < PAGE) break;
        }
      } catch (error) {
        this.#log.error('Events could not be read; watchers are told later', error);
      }
    }
  }

  #tell(event: AppEvent): void {
    if (event.seq <= this.head) return;
    this.#head = event.seq;
    this.#live.next(event);
  }

  async #last(): Promise<number> {
    return (await this.db.selectFrom('event_counter').select('last').executeTakeFirstOrThrow()).last;
  }
}

/** The two statements of an append, written once for each number of events: every command passes here several times. */
class AppendStatements {
  readonly #bySize = new Map<number, { readonly count: string; readonly insert: string }>();

  constructor(private readonly db: Database) {}

  for(size: number): { readonly count: string; readonly insert: string } {
    let statements = this.#bySize.get(size);
    if (!statements) this.#bySize.set(size, (statements = { count: this.#count(), insert: this.#insert(size) }));
    return statements;
  }

  /** The counter row is the lock that makes the order of commits the order of numbers, on both engines. */
  #count(): string {
    return (
      this.db
        .updateTable('event_counter')
        .set((eb) => ({ last: eb('last', '+', 0) }))
        .returning('last')
        // PostgreSQL tells the other processes at commit; SQLite's notice it in the file.
        .$if(this.db.engine === 'postgres', (update) =>
          update.returning(sql`pg_notify('${sql.raw(EVENT_CHANNEL)}', last::text)`.as('told')),
        )
        .compile().sql
    );
  }

  #insert(size: number): string {
    const row = { seq: 0, at: 0, owner: '', session_id: null, body: '' };
    return this.db
      .insertInto('events')
      .values(Array.from({ length: size }, () => row))
      .compile().sql;
  }
}

/** The workspace stands in the body: a watcher needs it, no query does. */
function toBody(appended: Appended | undefined): string {
  const workspaceId = appended?.scope.workspaceId;
  return JSON.stringify(workspaceId === undefined ? appended?.body : { workspaceId, ...appended?.body });
}

/** An event that names its session or workspace itself keeps its own word. */
function place(scope: EventScope, body: EventBody, seq: number, at: number): AppEvent {
  return { sessionId: scope.sessionId, ...(scope.workspaceId && { workspaceId: scope.workspaceId }), ...body, owner: scope.owner, seq, at };
}

function toEvent({ seq, at, owner, session_id, body }: PlatformTables['events']): AppEvent {
  const scope: EventScope = { owner: owner as PrincipalId, sessionId: session_id as SessionId | null };
  return place(scope, JSON.parse(body) as EventBody, seq, at); // only `write` inserts it
}
