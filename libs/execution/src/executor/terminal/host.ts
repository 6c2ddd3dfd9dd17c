import { spawn } from 'node:child_process';
import { closeSync, constants as files, openSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
import type { ToTerminal } from './terminal.js';
import { loadPty } from './pty.js';

/**
 * Entry of the process that holds the terminal of one run, outside the sandbox: its master handle would pass on to every program that
 * its process starts, so that process starts only this one. Takes what people type as lines of JSON, and ends as the program ends.
 */
const [, , cols = '', rows = '', handles = '', file = '', ...args] = process.argv;
const DRAIN_MS = 250;

const pty = loadPty();
if (!pty) throw new Error('The package @lydell/node-pty is not installed');
const { master, slave, pty: path } = pty.open(Number(cols), Number(rows));
const end = openSync(path, files.O_RDWR | files.O_NOCTTY); // the other handle never blocks, which programs do not expect
closeSync(slave);

const inherited = Array.from({ length: Number(handles) }, (_, index) => index + 3);
const child = spawn(file, args, { cwd: '/', env: {}, stdio: [end, end, end, ...inherited], detached: true });
closeSync(end);

const screen = new ReadStream(master);
screen.pipe(process.stdout);
const closed = new Promise<void>((resolve) => screen.on('close', () => resolve()));
screen.on('error', () => screen.destroy()); // how a terminal says that nobody has it open any more

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as ToTerminal; // the executor writes nothing else
  if (message.type === 'input') screen.write(message.text);
  else pty.resize(master, message.cols, message.rows);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
child.on('error', () => process.exit(126));
child.on('exit', (code, signal) => {
  const leave = (): void => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
  void closed.then(leave);
  setTimeout(leave, DRAIN_MS);
});
