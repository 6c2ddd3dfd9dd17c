import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import { Observable, Subject } from 'rxjs';
import type { Subscription } from 'rxjs';
import type { AppEvent, Resync, RunFrame, RunId } from '#contracts';
import { Api, ApiError, apiUrl } from './api.js';
import { SseParser, backoffMs } from './sse.js';
import type { SseMessage } from './sse.js';

export type StreamState = 'live' | 'reconnecting' | 'offline' | 'catching_up';
export type EventKind = AppEvent['type'];

/** What a store needs to stay true: a snapshot with its cursor, and a way to apply what came after. */
export interface Followed {
  readonly load: () => Promise<number>;
  readonly apply: (event: AppEvent) => void;
  /** Told after each load: what went wrong, or nothing. */
  readonly failed?: (failure: ApiError | undefined) => void;
}

const SILENCE_MS = 45_000;
const RECENT = 2_000;
const QUIET_MS = 300;
const OFFLINE_AFTER_MS = 60_000;

/** Reads the one stream of changes, keeps its cursor over reconnects, and says how fresh the page is. */
@Service()
export class EventStream {
  readonly #api = inject(Api);
  readonly #state = signal<StreamState>('reconnecting');
  readonly #seenAt = signal(Date.now());
  readonly #opened = signal(false);
  readonly #missed = signal<readonly EventKind[]>([]);
  readonly #heard = new Subject<AppEvent | Resync>();

  /** Every event from now on, once the stream is open; for caches that need no snapshot. */
  readonly heard: Observable<AppEvent | Resync> = this.#heard.asObservable();
  #recent: AppEvent[] = [];
  #cursor: number | undefined;
  #oldest = 0;
  #stop: AbortController | undefined;
  #connection: AbortController | undefined;
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
      this.#state.set('offline');
      this.#connection?.abort();
    };
    const visible = (): void => {
      if (document.visibilityState === 'visible' && Date.now() - this.#seenAt() > SILENCE_MS) this.#connection?.abort();
    };
    addEventListener('online', online);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', visible);
    inject(DestroyRef).onDestroy(() => {
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
        if (seq.mayRetry) retry = setTimeout(() => void start(attempt + 1), backoffMs(attempt + 2, Math.random()));
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
      const url = apiUrl(`runs/${runId}/stream${after > 0 ? `?after=${String(after)}` : ''}`);
      this.#read(url, String(after), abort, (message) => {
        subscriber.next(JSON.parse(message.data) as RunFrame);
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
    this.#wake?.();
    this.#stop = undefined;
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
    void this.#connectForever(this.#stop.signal);
  }

  async #connectForever(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const connection = new AbortController();
      this.#connection = connection;
      const cursor = String(this.#cursor ?? 0);
      await this.#read(apiUrl(`events?after=${cursor}`), cursor, connection, (message) => {
        this.#take(message);
      }).catch(() => undefined);
      if (stop.aborted) return;
      this.#lost();
      await this.#sleep(backoffMs(this.#attempt, Math.random()));
      this.#attempt += 1;
    }
  }

  #lost(): void {
    clearTimeout(this.#quiet);
    if (this.#state() === 'live' || this.#state() === 'catching_up') this.#lostAt = Date.now();
    const isOffline = !navigator.onLine || (this.#opened() && Date.now() - this.#lostAt > OFFLINE_AFTER_MS);
    this.#state.set(isOffline ? 'offline' : 'reconnecting');
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

  /** One connection: every byte is a sign of life, and silence ends it. */
  async #read(url: string, cursor: string, abort: AbortController, take: (message: SseMessage) => void): Promise<void> {
    let watchdog = setTimeout(() => {
      abort.abort();
    }, SILENCE_MS);
    try {
      const response = await fetch(url, {
        headers: { accept: 'text/event-stream', 'last-event-id': cursor },
        credentials: 'same-origin',
        cache: 'no-store',
        signal: abort.signal,
      });
      if (response.status === 401) this.#api.sessionEnded();
      if (!response.ok || response.body === null) throw new Error(`stream answered ${String(response.status)}`);
      if (abort === this.#connection) this.#connected();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new SseParser();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => {
          abort.abort();
        }, SILENCE_MS);
        if (abort === this.#connection) this.#seenAt.set(Date.now());
        for (const message of parser.push(part.value)) take(message);
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  #connected(): void {
    this.#seenAt.set(Date.now());
    this.#attempt = 0;
    const isBack = this.#opened();
    this.#opened.set(true);
    this.#state.set(isBack ? 'catching_up' : 'live');
    if (isBack) this.#settle();
  }

  /** Caught up means: a short while without another event of the backlog. */
  #settle(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      if (this.#state() === 'catching_up') this.#state.set('live');
    }, QUIET_MS);
  }

  #take(message: SseMessage): void {
    const event = JSON.parse(message.data) as AppEvent | Resync;
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
    if (this.#state() === 'catching_up') this.#settle();
    this.#heard.next(event);
  }
}
