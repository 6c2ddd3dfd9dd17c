import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { SseParser, type SseFrame } from '../core/sse-parser.js';
import { isRefused, type LoopbackHttp } from './loopback-http.js';

/** The bridge beats every second; a stream that is silent for longer than this is a host that hangs. */
const SILENT_MS = 10_000;
const HELLO_WITHIN_MS = 1_000;
/** A cut stream is picked up again for as long as these waits take; then the host counts as gone. */
const WAITS_MS = [0, 100, 200, 400];

interface Hello {
  readonly launchId: string;
}

export interface StreamListener {
  /** A frame, in order, once. */
  readonly frame: (data: string) => void;
  /** Frames were lost: the state must be read anew. */
  readonly resync: () => void;
  readonly gone: (why: string) => void;
}

/** The event stream of one launch of a host: goes on after a cut, and says once when there is nothing to go on with. */
export class BridgeStream {
  readonly #stop = new AbortController();
  #response: IncomingMessage | undefined;

  constructor(
    private readonly http: LoopbackHttp,
    private readonly launchId: string,
    private last: number,
    private readonly listener: StreamListener,
  ) {}

  /** Resolves when the stream stands. */
  async open(): Promise<void> {
    this.#response = await this.#connect();
    void this.#read(this.#response);
  }

  close(): void {
    this.#stop.abort();
    this.#response?.destroy();
  }

  async #connect(): Promise<IncomingMessage> {
    const response = await this.http.follow('/events', { 'last-event-id': String(this.last) }, this.#stop.signal);
    response.setEncoding('utf8');
    return response;
  }

  async #read(first: IncomingMessage): Promise<void> {
    let why = 'The host process ended';
    for (let response: IncomingMessage | undefined = first; response; response = await this.#again()) {
      const end = await this.#drain(response);
      if (this.#stop.signal.aborted) return;
      if (end === 'other launch') break;
      if (end === 'silent') why = 'The host hangs';
    }
    if (!this.#stop.signal.aborted) this.listener.gone(why);
  }

  async #again(): Promise<IncomingMessage | undefined> {
    for (const wait of WAITS_MS) {
      await after(wait);
      if (this.#stop.signal.aborted) return undefined;
      try {
        return (this.#response = await this.#connect());
      } catch (error) {
        if (isRefused(error)) return undefined;
      }
    }
    return undefined;
  }

  /** Reads until the end; says how it ended. */
  async #drain(response: IncomingMessage): Promise<'cut' | 'silent' | 'other launch'> {
    const parser = new SseParser();
    let end: 'cut' | 'silent' | 'other launch' = 'cut';
    const silence = (ms: number): NodeJS.Timeout =>
      setTimeout(() => {
        end = 'silent';
        response.destroy();
      }, ms);
    let timer = silence(HELLO_WITHIN_MS);
    try {
      for await (const text of response as AsyncIterable<string>) {
        clearTimeout(timer);
        timer = silence(SILENT_MS);
        for (const frame of parser.push(text)) if (!this.#take(frame)) return 'other launch';
      }
    } catch {
      // cut: told apart above
    } finally {
      clearTimeout(timer);
      response.destroy();
    }
    return end;
  }

  /** False: another launch of the host answers at this port. */
  #take({ event, id, data }: SseFrame): boolean {
    if (event === 'hello') return (JSON.parse(data) as Hello).launchId === this.launchId;
    if (id !== undefined) this.last = Number(id);
    if (event === 'resync') this.listener.resync();
    else this.listener.frame(data);
    return true;
  }
}
