/** One message of a server-sent event stream. `id` is the cursor that stood with it or before it. */
export interface SseMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses a server-sent event stream piece by piece. Comments count as life and give no message. */
export class SseParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  push(text: string): readonly SseMessage[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): readonly SseMessage[] {
    if (line === '') return this.#dispatch();
    if (line.startsWith(':')) return [];
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id') this.#id = value;
    return [];
  }

  #dispatch(): readonly SseMessage[] {
    const message = { id: this.#id, event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}

/** Waits longer after each failure, up to half a minute, and never in step with other pages. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(30_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
