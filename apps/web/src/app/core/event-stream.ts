import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import { Observable, Subject } from 'rxjs';
import type { Subscription } from 'rxjs';
import type { AppEvent, Resync, RunFrame, RunId } from '#contracts';
import { Api, ApiError, apiUrl } from './api.js';
import { Me } from './me.js';
import { backoffMs } from './sse.js';
import { SILENCE_MS, readStream } from './stream-reader.js';
import { TabShare } from './tab-share.js';
import type { Pulse, StreamState, TabMessage } from './tab-share.js';

export type { StreamState } from './tab-share.js';
export type EventKind = AppEvent['type'];

/** What a store needs to stay true: a snapshot with its cursor, and a way to apply what came after. */
export interface Followed {
  readonly load: () => Promise<number>;
  readonly apply: (event: AppEvent) => void;
  /** Told after each load: what went wrong, or nothing. */
  readonly failed?: (failure: ApiError | undefined) => void;
}

const RECENT = 2_000;
const QUIET_MS = 300;
const OFFLINE_AFTER_MS = 60_000;
/** How often a tab that is looked at asks whether the tab that reads for it is still there. */
const PING_MS = 2_000;

/**
 * The one stream of changes: keeps its cursor over reconnects, and says how fresh the page is. One tab of a browser reads the
 * server and tells the others; when it goes, the next reads on from where it was.
 */
@Service()
export class EventStream {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #state = signal<StreamState>('reconnecting');
  readonly #seenAt = signal(Date.now());
  readonly #opened = signal(false);
  readonly #missed = signal<readonly EventKind[]>([]);
  readonly #heard = new Subject<AppEvent | Resync>();
  readonly #back = new Subject<{ readonly wasAway: boolean }>();
  readonly #tab = String(Math.random());

  /** Every event from now on, once the stream is open; for caches that need no snapshot. */
  readonly heard: Observable<AppEvent | Resync> = this.#heard.asObservable();
  /** The page is true from here on: the stream stands, for the first time or again. */
  readonly back = this.#back.asObservable();
  #wasLive = false;
  #recent: AppEvent[] = [];
  #cursor: number | undefined;
  #oldest = 0;
  #stop: AbortController | undefined;
  #connection: AbortController | undefined;
  #share: TabShare | undefined;
  #isJoined = false;
  #wake: (() => void) | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #lostAt = 0;
  #attempt = 0;

  readonly state: Signal<StreamState> = this.#state.asReadonly();
  /** When the server was last heard. */
  readonly seenAt = this.#seenAt.asReadonly();
  /** False until the first connection stood; a page that only loads is not a page that lost its server. */
  readonly opened = this.#opened.asReadonly();
  /** What happened while the connection was away; empty after it was read. */
  readonly missed = this.#missed.asReadonly();
  /** Deciding needs facts that are fresh now. */
  readonly mayDecide = computed(() => this.#state() === 'live');

  constructor() {
    const online = (): void => {
      this.#wake?.();
    };
    const offline = (): void => {
      this.#setState('offline');
      this.#connection?.abort();
    };
    const visible = (): void => {
      if (!isLookedAt()) return;
      this.#wake?.();
      this.#share?.ping();
      if (Date.now() - this.#seenAt() > SILENCE_MS) this.#connection?.abort();
    };
    const pings = setInterval(() => {
      if (isLookedAt()) this.#share?.ping();
    }, PING_MS);
    addEventListener('online', online);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', visible);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(pings);
      removeEventListener('online', online);
      removeEventListener('offline', offline);
      document.removeEventListener('visibilitychange', visible);
      this.close();
    });
  }

  /** Events with a greater number than `seq`; one `resync` when they cannot be given without a gap. */
  after(seq: number): Observable<AppEvent | Resync> {
    return new Observable((subscriber) => {
      this.#open(seq);
      if (seq < this.#oldest) subscriber.next({ type: 'resync', seq: this.#cursor ?? seq });
      else for (const event of this.#recent) if (event.seq > seq) subscriber.next(event);
      return this.#heard.subscribe((event) => {
        if (event.type === 'resync' || event.seq > seq) subscriber.next(event);
      });
    });
  }

  /** Loads a snapshot, then applies every event after it. A resync loads again; a failed load is tried again while that may help. */
  follow(what: Followed, until: DestroyRef): () => Promise<void> {
    let following: Subscription | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let round = 0;
    const stop = (): void => {
      clearTimeout(retry);
      following?.unsubscribe();
    };
    const start = async (attempt = 0): Promise<void> => {
      round += 1;
      const mine = round;
      stop();
      const seq = await what.load().catch((thrown: unknown) => ApiError.of(thrown));
      if (mine !== round) return;
      stop();
      if (seq instanceof ApiError) {
        what.failed?.(seq);
        if (seq.mayRetry) retry = setTimeout(() => void start(attempt + 1), backoffMs(attempt + 1, Math.random(), isLookedAt()));
        return;
      }
      what.failed?.(undefined);
      following = this.after(seq).subscribe((event) => {
        if (event.type === 'resync') void start();
        else what.apply(event);
      });
    };
    until.onDestroy(() => {
      round += 1;
      stop();
    });
    return () => start();
  }

  /** Output of one run after a chunk number, then its end. Ends by itself; errors when the connection is lost. */
  frames(runId: RunId, after: number): Observable<RunFrame> {
    return new Observable((subscriber) => {
      const abort = new AbortController();
      readStream({
        url: apiUrl(`runs/${runId}/stream${after > 0 ? `?after=${String(after)}` : ''}`),
        cursor: String(after),
        abort,
        opened: ({ status }) => {
          if (status === 401) this.#api.sessionEnded();
        },
        alive: () => undefined,
        take: ({ data }) => {
          subscriber.next(JSON.parse(data) as RunFrame);
        },
      }).then(
        () => {
          subscriber.complete();
        },
        (thrown: unknown) => {
          if (!abort.signal.aborted) subscriber.error(thrown);
        },
      );
      return () => {
        abort.abort();
      };
    });
  }

  readMissed(): void {
    this.#missed.set([]);
  }

  /** Forgets everything; used at sign-out. */
  close(): void {
    this.#stop?.abort();
    this.#connection?.abort();
    this.#share?.close();
    this.#wake?.();
    this.#stop = undefined;
    this.#share = undefined;
    this.#isJoined = false;
    this.#wasLive = false;
    this.#cursor = undefined;
    this.#recent = [];
    this.#opened.set(false);
    this.#missed.set([]);
  }

  #open(seq: number): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    this.#cursor = seq;
    this.#oldest = seq;
    const me = this.#me.principal();
    if (me === null || !TabShare.isPossible()) {
      void this.#connectForever(this.#stop.signal);
      return;
    }
    // Named for the person and the place: tabs of another sign-in hear nothing of this one.
    this.#share = new TabShare(`countersign.stream ${me.id} ${new URL(document.baseURI).pathname}`, {
      lead: (until) => this.#lead(until),
      heard: (message) => {
        this.#hear(message);
      },
    });
    this.#askToJoin();
  }

  #askToJoin(): void {
    this.#isJoined = false;
    this.#share?.say({ kind: 'ask', tab: this.#tab, cursor: this.#cursor ?? 0 });
  }

  /** A tab that takes over has not asked the server yet whether it missed something. */
  async #lead(until: AbortSignal): Promise<void> {
    if (this.#opened()) this.#setState('catching_up');
    until.addEventListener('abort', () => {
      this.#connection?.abort();
      this.#wake?.();
    });
    await this.#connectForever(until);
  }

  #hear(message: TabMessage): void {
    if (this.#share?.isLeading === true) this.#answer(message);
    else this.#obey(message);
  }

  #answer(message: TabMessage): void {
    if (message.kind === 'ping') {
      // Somebody looks at another tab: this one may be hidden, where the browser slows its clocks.
      this.#wake?.();
      this.#tellPulse();
    }
    if (message.kind !== 'ask') return;
    const isBehind = message.cursor < this.#oldest;
    this.#share?.say({
      kind: 'join',
      tab: message.tab,
      pulse: this.#pulse(),
      resyncAt: isBehind ? (this.#cursor ?? 0) : null,
      events: isBehind ? [] : this.#recent.filter((event) => event.seq > message.cursor),
    });
  }

  #obey(message: TabMessage): void {
    if (message.kind === 'lead') this.#askToJoin();
    else if (message.kind === 'ended') this.#api.sessionEnded();
    else if (message.kind === 'join' && message.tab === this.#tab) this.#join(message);
    else if (!this.#isJoined) {
      // A tab that came while there was no leader yet asks once it hears one.
      if (message.kind === 'pulse') this.#askToJoin();
    } else if (message.kind === 'pulse') this.#follow(message.pulse);
    else if (message.kind === 'told') this.#take(JSON.parse(message.message) as AppEvent | Resync);
  }

  #join({ pulse, resyncAt, events }: Extract<TabMessage, { kind: 'join' }>): void {
    this.#isJoined = true;
    if (resyncAt !== null) this.#take({ type: 'resync', seq: resyncAt });
    for (const event of events) this.#take(event);
    this.#follow(pulse);
  }

  #follow({ state, seenAt }: Pulse): void {
    this.#seenAt.set(seenAt);
    this.#show(state);
    if (state === 'live' || state === 'catching_up') this.#opened.set(true);
  }

  #pulse(): Pulse {
    return { state: this.#state(), seenAt: this.#seenAt() };
  }

  #tellPulse(): void {
    if (this.#share?.isLeading === true) this.#share.say({ kind: 'pulse', pulse: this.#pulse() });
  }

  #setState(state: StreamState): void {
    this.#show(state);
    this.#tellPulse();
  }

  #show(state: StreamState): void {
    const isNew = this.#state() !== state;
    this.#state.set(state);
    if (!isNew || state !== 'live') return;
    this.#back.next({ wasAway: this.#wasLive });
    this.#wasLive = true;
  }

  async #connectForever(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const connection = new AbortController();
      this.#connection = connection;
      const cursor = String(this.#cursor ?? 0);
      await readStream({
        url: apiUrl(`events?after=${cursor}`),
        cursor,
        abort: connection,
        opened: (response) => {
          if (response.status === 401) this.#endSession();
          if (response.ok && connection === this.#connection) this.#connected();
        },
        alive: () => {
          if (connection === this.#connection) this.#seenAt.set(Date.now());
        },
        take: ({ data }) => {
          if (connection === this.#connection && !stop.aborted) this.#tell(data);
        },
      }).catch(() => undefined);
      if (stop.aborted) return;
      this.#lost();
      await this.#sleep(backoffMs(this.#attempt, Math.random(), isLookedAt()));
      this.#attempt += 1;
    }
  }

  #endSession(): void {
    this.#api.sessionEnded();
    this.#share?.say({ kind: 'ended' });
  }

  #tell(data: string): void {
    this.#take(JSON.parse(data) as AppEvent | Resync);
    this.#share?.say({ kind: 'told', message: data });
  }

  #lost(): void {
    clearTimeout(this.#quiet);
    if (this.#state() === 'live' || this.#state() === 'catching_up') this.#lostAt = Date.now();
    const isOffline = !navigator.onLine || (this.#opened() && Date.now() - this.#lostAt > OFFLINE_AFTER_MS);
    this.#setState(isOffline ? 'offline' : 'reconnecting');
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #connected(): void {
    this.#seenAt.set(Date.now());
    this.#attempt = 0;
    const isBack = this.#opened();
    this.#opened.set(true);
    this.#setState(isBack ? 'catching_up' : 'live');
    if (isBack) this.#settle();
  }

  /** Caught up means: a short while without another event of the backlog. */
  #settle(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      if (this.#state() === 'catching_up') this.#setState('live');
    }, QUIET_MS);
  }

  #take(event: AppEvent | Resync): void {
    if (event.type === 'resync') {
      this.#cursor = event.seq;
      this.#oldest = event.seq;
      this.#recent = [];
    } else {
      if (event.seq <= (this.#cursor ?? 0)) return;
      this.#cursor = event.seq;
      this.#recent.push(event);
      if (this.#recent.length > RECENT) this.#oldest = this.#recent.shift()?.seq ?? this.#oldest;
      if (this.#state() === 'catching_up') this.#missed.update((kinds) => [...kinds, event.type]);
    }
    // Only the tab that reads the server knows when the backlog has ended.
    if (this.#state() === 'catching_up' && this.#share?.isLeading !== false) this.#settle();
    this.#heard.next(event);
  }
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible';
}
