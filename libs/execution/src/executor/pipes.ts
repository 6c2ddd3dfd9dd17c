import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const BATCH = 32;
const LOW = 10;

/** Two ends of one pipe. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Owner of the stock of named pipes. Programs get real pipes, not sockets, so that `/dev/stderr` and `/dev/stdout` open for them.
 * Each is used once: a leftover writer of one run can never reach another.
 */
export class Pipes {
  readonly #program: string;
  readonly #folder: string;
  #stock: string[] = [];
  #made = 0;
  #making = false;

  constructor(folder: string) {
    const program = ['/usr/bin/mkfifo', '/bin/mkfifo', '/run/current-system/sw/bin/mkfifo'].find((path) => existsSync(path));
    if (!program) throw new Error('mkfifo was not found in /usr/bin or /bin; install coreutils');
    this.#program = program;
    this.#folder = join(folder, 'pipes');
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#makeNow();
  }

  /** A pipe that we read: our end never blocks, the program's end does. */
  forOutput(): Pipe {
    return this.#take((path) => {
      const read = openSync(path, O_RDONLY | O_NONBLOCK);
      return { read, write: openSync(path, O_WRONLY) };
    });
  }

  /** A pipe between two programs. */
  between(): Pipe {
    return this.#take((path) => {
      const first = openSync(path, O_RDONLY | O_NONBLOCK);
      const write = openSync(path, O_WRONLY);
      const read = openSync(path, O_RDONLY); // does not wait: there is a writer
      closeSync(first);
      return { read, write };
    });
  }

  /** Its name is gone before any program has it: nobody else can open it. */
  #take(open: (path: string) => Pipe): Pipe {
    if (this.#stock.length === 0) this.#makeNow();
    else if (this.#stock.length < LOW) this.#makeSoon();
    const name = this.#stock.pop();
    if (name === undefined) throw new Error('no pipe could be made');
    const path = join(this.#folder, name);
    const pipe = open(path);
    unlinkSync(path);
    return pipe;
  }

  #makeNow(): void {
    const names = this.#names();
    const { status, stderr } = spawnSync(this.#program, ['-m', '600', ...this.#paths(names)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mkfifo failed: ${stderr.trim()}`);
    this.#stock.push(...names);
  }

  #makeSoon(): void {
    if (this.#making) return;
    this.#making = true;
    const names = this.#names();
    const child = spawn(this.#program, ['-m', '600', ...this.#paths(names)], { stdio: 'ignore' });
    child.on('error', () => (this.#making = false)); // the stock is then filled on demand, and the failure shows there
    child.on('exit', (status) => {
      this.#making = false;
      if (status === 0) this.#stock.push(...names);
    });
  }

  #names(): string[] {
    return Array.from({ length: BATCH }, () => `pipe-${String((this.#made += 1))}`);
  }

  #paths(names: readonly string[]): string[] {
    return names.map((name) => join(this.#folder, name));
  }
}
