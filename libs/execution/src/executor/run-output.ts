import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { OutputStream, RunId, StreamFact } from '#contracts';
import type { Redactor } from '#receipts/core';
import type { Outbox } from './outbox.js';
import { LiveOutput } from './output/live-output.js';
import { StreamOutput } from './output/stream-output.js';
import type { Pipe, Pipes } from './pipes.js';
import type { RunSpec } from './protocol.js';

interface Channel {
  readonly output: StreamOutput;
  readonly socket: Socket;
  readonly closed: Promise<void>;
}

const READ_BYTES = 65_536;
/** A program in a terminal that says nothing for so long waits for somebody. */
const QUIET_MS = 150;

/** Both output streams of a run, shared by all its stages: reads them, and hands redacted text to the outbox while there is room. */
export class RunOutput {
  /** The programs' ends; kept open until the last stage has started. */
  readonly writers: Readonly<Record<OutputStream, number>>;
  readonly #channels: Readonly<Record<OutputStream, Channel>>;
  readonly #live: LiveOutput;
  readonly #isTerminal: boolean;
  #quiet: NodeJS.Timeout | undefined;
  #writersOpen = true;

  constructor(
    { runId, maxOutputBytes, terminal }: RunSpec,
    pipes: Pipes,
    redactor: Redactor,
    private readonly outbox: Outbox,
    private readonly overflow: () => void,
  ) {
    this.#isTerminal = terminal !== undefined;
    this.#live = new LiveOutput(maxOutputBytes, (stream, text) => outbox.send(chunk(runId, stream, text)));
    const open = (stream: OutputStream): [Pipe, StreamOutput] => [
      pipes.forOutput(),
      new StreamOutput(maxOutputBytes, redactor.stream(), (text) => this.#live.push(stream, text)),
    ];
    const [outPipe, out] = open('stdout');
    const [errPipe, err] = open('stderr');
    this.writers = { stdout: outPipe.write, stderr: errPipe.write };
    this.#channels = { stdout: this.#read(outPipe.read, out), stderr: this.#read(errPipe.read, err) };
  }

  /** Settles when every program has closed both streams and all of it has been read. */
  get closed(): Promise<unknown> {
    return Promise.all([this.#channels.stdout.closed, this.#channels.stderr.closed]);
  }

  get isClosed(): boolean {
    return this.#channels.stdout.socket.destroyed && this.#channels.stderr.socket.destroyed;
  }

  closeWriters(): void {
    if (!this.#writersOpen) return;
    this.#writersOpen = false;
    closeSync(this.writers.stdout);
    closeSync(this.writers.stderr);
  }

  /** Stops reading, whoever still writes, and says what there is. */
  finish(): { readonly [stream in OutputStream]: { readonly text: string; readonly fact: StreamFact } } & { readonly truncated: boolean } {
    this.closeWriters();
    clearTimeout(this.#quiet);
    const { stdout: out, stderr: err } = this.#channels;
    out.socket.destroy();
    err.socket.destroy();
    const stdout = out.output.finish();
    const stderr = err.output.finish();
    this.#live.flush();
    return { stdout, stderr, truncated: out.output.truncated || err.output.truncated };
  }

  #waitForQuiet(output: StreamOutput): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => output.settle(), QUIET_MS);
  }

  #read(handle: number, output: StreamOutput): Channel {
    const take = (size: number, buffer: Uint8Array): boolean => {
      output.push(Buffer.from(buffer.buffer, buffer.byteOffset, size));
      if (output.overflowed) this.overflow();
      if (this.#isTerminal) this.#waitForQuiet(output);
      if (!this.outbox.full) return true;
      this.outbox.whenRoomy(() => socket.resume());
      return false;
    };
    // one buffer for all reads: garbage of this size is collected too late
    const onread = { buffer: Buffer.alloc(READ_BYTES), callback: take };
    const socket: Socket = new Socket({ fd: handle, readable: true, writable: false, onread });
    socket.resume();
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
    });
    socket.on('error', () => socket.destroy()); // a pipe does not fail; should it, what was read stays
    return { output, socket, closed };
  }
}

function chunk(runId: RunId, stream: OutputStream, text: string) {
  return { type: 'output', runId, stream, text, at: Date.now() } as const;
}
