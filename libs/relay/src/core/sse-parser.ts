/** One frame of an event stream. */
export interface SseFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Cuts the text of an event stream into frames; a frame may come in any number of pieces. */
export class SseParser {
  #rest = '';

  push(text: string): readonly SseFrame[] {
    this.#rest += text;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap(toFrame);
  }
}

function toFrame(block: string): readonly SseFrame[] {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart());
  }
  const data = fields.get('data');
  return data === undefined ? [] : [{ event: fields.get('event') ?? 'message', id: fields.get('id'), data }];
}
