/** One server-sent event as it came. */
export interface Frame<T> {
  readonly id: number;
  readonly data: T;
}

/** Reads a stream of server-sent events, as a browser would, and keeps what came. */
export class EventReader<T = Record<string, unknown>> {
  readonly frames: Frame<T>[] = [];
  /** Settles when the server ends the stream, or the connection breaks. */
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  #wake: () => void = () => undefined;

  private constructor(response: Response, abort: AbortController) {
    this.#abort = abort;
    this.ended = this.#read(response);
  }

  static async open<T>(url: string, headers: Record<string, string> = {}): Promise<EventReader<T>> {
    const abort = new AbortController();
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    return new EventReader<T>(response, abort);
  }

  get last(): number {
    return this.frames.at(-1)?.id ?? 0;
  }

  /** The first frame that fits, also among those that have come already. */
  async next(fits: (data: T) => boolean, withinMs = 10_000): Promise<Frame<T>> {
    for (const deadline = Date.now() + withinMs; ;) {
      const found = this.frames.find(({ data }) => fits(data));
      if (found) return found;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`No such event among ${JSON.stringify(this.frames.map(({ data }) => data))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes as Uint8Array, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) this.#take(event);
        this.#wake();
      }
    } catch {
      // cut: by us or by the server
    }
  }

  #take(event: string): void {
    const id = /^id: (\d+)$/m.exec(event)?.[1];
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (data !== undefined) this.frames.push({ id: Number(id ?? 0), data: JSON.parse(data) as T });
  }
}
