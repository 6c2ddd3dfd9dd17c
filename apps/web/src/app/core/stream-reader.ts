import { SseParser } from './sse.js';
import type { SseMessage } from './sse.js';

/** Longer than the server's own sign of life takes, several times over. */
export const SILENCE_MS = 45_000;

export interface Reading {
  readonly url: string;
  readonly cursor: string;
  readonly abort: AbortController;
  readonly opened: (response: Response) => void;
  /** Called for each piece, before its messages. */
  readonly alive: () => void;
  readonly take: (message: SseMessage) => void;
}

/** One connection to a stream of the server: every byte is a sign of life, and silence ends it. */
export async function readStream({ url, cursor, abort, opened, alive, take }: Reading): Promise<void> {
  const end = (): void => {
    abort.abort();
  };
  let watchdog = setTimeout(end, SILENCE_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', 'last-event-id': cursor },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: abort.signal,
    });
    opened(response);
    if (!response.ok || response.body === null) throw new Error(`stream answered ${String(response.status)}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new SseParser();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(end, SILENCE_MS);
      alive();
      for (const message of parser.push(part.value)) take(message);
    }
  } finally {
    clearTimeout(watchdog);
  }
}
