import { fileURLToPath } from 'node:url';
import { NotStarted } from '../not-started.js';
import type { TerminalSize } from '../protocol.js';
import type { Launch } from '../sandbox/sandbox.js';

const HOST = fileURLToPath(new URL('./host.js', import.meta.url));

/** What the holder of a terminal is told. */
export type ToTerminal = { readonly type: 'input'; readonly text: string } | ({ readonly type: 'resize' } & TerminalSize);

/** Gives the stage a terminal: a process of ours holds it, and starts the sandbox on it. */
export function withTerminal(launch: Launch, size: TerminalSize | undefined): Launch {
  if (!size) return launch;
  if (launch.status === null) throw new NotStarted('A terminal needs bubblewrap, which does not work on this machine');
  const holder = [HOST, String(size.cols), String(size.rows), String(launch.handles.length)];
  return { ...launch, file: process.execPath, args: [...holder, launch.file, ...launch.args] };
}
