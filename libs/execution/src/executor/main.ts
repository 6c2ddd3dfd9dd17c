import { closeSync, readdirSync, readFileSync } from 'node:fs';
import type { StandIns } from './network/names.js';
import { Outbox } from './outbox.js';
import { Pipes } from './pipes.js';
import { PrivateFolders } from './private-folders.js';
import { killOrphans } from './processes/group-processes.js';
import { ReapedCpu } from './processes/usage.js';
import type { SandboxChoice, SandboxReport, ToExecutor } from './protocol.js';
import { Runs } from './runs.js';
import { chooseSandbox } from './sandbox/choose.js';
import { loadPty } from './terminal/pty.js';

/** Entry of the executor process. It lives as long as the channel to its server, and takes everything it has started along. */
async function main(choice: SandboxChoice, standIns: StandIns): Promise<void> {
  closeInherited();
  // The server decides when runs end, also when a terminal or a service manager signals the whole group.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  killOrphans();
  const folders = new PrivateFolders();
  process.on('exit', () => folders.removeAll());
  const outbox = new Outbox((message, done) => process.send?.(message, undefined, undefined, done));
  const pipes = new Pipes(folders.base);
  const sandbox = await chooseSandbox(choice, folders);
  const runs = new Runs({ sandbox, folders, pipes, outbox, reaped: new ReapedCpu(), standIns });
  process.on('message', (message) => runs.take(message as ToExecutor)); // only the server writes to this channel
  const end = (): void => void runs.close().finally(() => process.exit());
  process.on('disconnect', end);
  if (process.connected)
    outbox.send({ type: 'ready', pid: process.pid, report: { ...sandbox.report, terminal: hasTerminals(sandbox.report) } });
  else end();
}

/** Only a sandbox with an own process inside can hand a terminal on. */
function hasTerminals({ facts }: SandboxReport): boolean {
  return facts.kind === 'bwrap' && loadPty() !== undefined;
}

/** Handles of our parents that would otherwise pass on to programs; Node.js itself opens none that do. */
function closeInherited(): void {
  if (process.platform !== 'linux') return;
  const CLOSE_ON_EXEC = 0o2000000;
  for (const name of readdirSync('/proc/self/fd')) {
    const handle = Number(name);
    if (handle <= 2) continue;
    try {
      const [, flags] = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1')) ?? [];
      if (flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(handle);
    } catch {
      // it was the handle of the listing itself
    }
  }
}

main((process.argv[2] ?? 'auto') as SandboxChoice, JSON.parse(process.argv[3] ?? '{}') as StandIns).catch((thrown: unknown) => {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exit(1);
});
