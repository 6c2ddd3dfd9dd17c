// The one stream: every frame has a number, the newest are kept, so that a reader who was cut off goes on where it was.
const MOST_FRAMES = 4_096;
const MOST_BYTES = 8 * 1_048_576;
const MOST_UNSENT_BYTES = 16 * 1_048_576;
const BEAT_MS = 1_000;

export class Frames {
  seq = 0;
  #kept = [];
  #bytes = 0;
  #readers = new Set();

  /** @param {string} launchId */
  constructor(launchId) {
    this.launchId = launchId;
  }

  add(frame) {
    this.seq += 1;
    const text = `id: ${this.seq}\ndata: ${JSON.stringify(frame)}\n\n`;
    this.#kept.push({ seq: this.seq, text });
    this.#bytes += text.length;
    while (this.#kept.length > MOST_FRAMES || this.#bytes > MOST_BYTES) this.#bytes -= this.#kept.shift().text.length;
    for (const reader of this.#readers) {
      reader.write(text);
      // A reader that does not read comes back with its number.
      if (reader.writableLength > MOST_UNSENT_BYTES) reader.destroy();
    }
  }

  /** Gives `reader` what came after `after`, or one resync when that is no longer kept, and then what comes. */
  follow(reader, after) {
    const missed = this.#kept.filter(({ seq }) => seq > after);
    const isWhole = after <= this.seq && after + missed.length === this.seq;
    reader.write(`event: hello\ndata: ${JSON.stringify({ launchId: this.launchId, seq: this.seq })}\n\n`);
    if (isWhole) for (const { text } of missed) reader.write(text);
    else reader.write(`id: ${this.seq}\nevent: resync\ndata: {}\n\n`);
    const beat = setInterval(() => reader.write(':\n\n'), BEAT_MS);
    this.#readers.add(reader);
    reader.on('error', () => undefined); // it closes then
    reader.on('close', () => {
      clearInterval(beat);
      this.#readers.delete(reader);
    });
  }

  close() {
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }
}
