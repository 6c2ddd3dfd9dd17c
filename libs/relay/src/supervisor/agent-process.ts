import { spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { AcpSettings } from '#contracts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const GRACE_MS = 2_000;

/** An agent that speaks on its standard streams, and ends with them. */
export interface AgentProcess {
  readonly pid: number | null;
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** Resolves with the reason, in words. */
  readonly ended: Promise<string>;
  readonly end: () => Promise<void>;
}

/** Starts an agent with a home of its own, and no variable that was not named. */
export function startAgent({ argv: [program = '', ...args], env }: AcpSettings, folder: string): AgentProcess {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const log = openSync(join(folder, 'host.log'), 'a', 0o600);
  const child = spawn(program, args, {
    cwd: home,
    env: { PATH, HOME: home, LANG: 'C.UTF-8', ...env },
    detached: true,
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('The agent has no standard streams');
  stdin.on('error', () => undefined); // the end says it
  const ended = new Promise<string>((resolve) => {
    child.once('error', () => resolve('The agent could not be started'));
    child.once('close', (code, signal) => resolve(`The agent ended (${signal ?? String(code)})`));
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // it has ended
    }
  };
  return {
    pid: child.pid ?? null,
    input: Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    output: Readable.toWeb(stdout),
    ended,
    end: async () => {
      kill('SIGTERM');
      const timer = setTimeout(kill, GRACE_MS, 'SIGKILL');
      await ended;
      clearTimeout(timer);
    },
  };
}
