import type { AppEvent } from '#contracts';

export type StreamState = 'live' | 'reconnecting' | 'offline' | 'catching_up';

/** How fresh the leading tab is. */
export interface Pulse {
  readonly state: StreamState;
  readonly seenAt: number;
}

/** What the tabs of one browser tell each other. The leading tab reads the server; the others read the leading tab. */
export type TabMessage =
  | { readonly kind: 'lead' }
  | { readonly kind: 'ask'; readonly tab: string; readonly cursor: number }
  | {
      readonly kind: 'join';
      readonly tab: string;
      readonly pulse: Pulse;
      readonly resyncAt: number | null;
      readonly events: readonly AppEvent[];
    }
  | { readonly kind: 'told'; readonly message: string }
  | { readonly kind: 'pulse'; readonly pulse: Pulse }
  | { readonly kind: 'ping' }
  | { readonly kind: 'ended' };

export interface TabPart {
  /** This tab leads until the signal. */
  readonly lead: (until: AbortSignal) => Promise<void>;
  /** Another tab said something. */
  readonly heard: (message: TabMessage) => void;
}

/** A leader that holds its place and answers nothing for this long is asleep or stuck, and is replaced. */
const ANSWER_MS = 1_500;

/** The place of the leading tab: the browser gives it to one tab, and to the next when that one goes; a leader that is stuck loses it. */
export class TabShare {
  readonly #name: string;
  readonly #part: TabPart;
  readonly #channel: BroadcastChannel;
  #isClosed = false;
  #isTaking = false;
  #waiting: AbortController | undefined;
  #term: AbortController | undefined;
  #answerBy: ReturnType<typeof setTimeout> | undefined;

  /** Tabs of one browser share by name; a browser that cannot share has no tabs that do. */
  static isPossible(): boolean {
    return typeof BroadcastChannel === 'function' && typeof navigator.locks === 'object';
  }

  constructor(name: string, part: TabPart) {
    this.#name = name;
    this.#part = part;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      this.#hear(data);
    };
    void this.#queue();
  }

  get isLeading(): boolean {
    return this.#term !== undefined;
  }

  say(message: TabMessage): void {
    if (!this.#isClosed) this.#channel.postMessage(message);
  }

  /** Asks the leader for a sign of life; without one this tab takes its place. */
  ping(): void {
    if (this.isLeading || this.#isClosed || this.#answerBy !== undefined) return;
    this.say({ kind: 'ping' });
    this.#answerBy = setTimeout(() => {
      this.#answerBy = undefined;
      this.#take();
    }, ANSWER_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#answered();
    this.#waiting?.abort();
    this.#stepDown();
    this.#channel.close();
  }

  #hear(message: TabMessage): void {
    // Only a leader sends these.
    if (message.kind !== 'ask' && message.kind !== 'ping') this.#answered();
    if (message.kind === 'lead') this.#stepDown(); // what the browser tells a replaced leader may come later
    this.#part.heard(message);
  }

  #answered(): void {
    clearTimeout(this.#answerBy);
    this.#answerBy = undefined;
  }

  #take(): void {
    this.#isTaking = true;
    this.#waiting?.abort();
  }

  async #queue(): Promise<void> {
    while (!this.#isClosed) {
      const waiting = new AbortController();
      this.#waiting = waiting;
      const options: LockOptions = this.#isTaking ? { steal: true } : { signal: waiting.signal };
      this.#isTaking = false;
      // Rejected: this tab stopped waiting, or its place was taken.
      await navigator.locks.request(this.#name, options, () => this.#lead()).catch(() => undefined);
      this.#stepDown();
    }
  }

  #stepDown(): void {
    this.#term?.abort();
    this.#term = undefined;
  }

  async #lead(): Promise<void> {
    if (this.#isClosed) return;
    const term = new AbortController();
    this.#term = term;
    this.#answered();
    this.say({ kind: 'lead' });
    await this.#part.lead(term.signal);
  }
}
