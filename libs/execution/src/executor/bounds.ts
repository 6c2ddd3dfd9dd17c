import { existsSync } from 'node:fs';
import { NotStarted } from './not-started.js';
import type { RunBounds } from './protocol.js';
import type { Launch } from './sandbox/sandbox.js';

const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit', '/run/current-system/sw/bin/prlimit'];

/** Bounds that only the kernel can hold are set by `prlimit`, which then becomes the program. */
export function withBounds(launch: Launch, { fileBytes, openFiles }: RunBounds): Launch {
  if (fileBytes === undefined && openFiles === undefined) return launch;
  const program = PRLIMIT.find((path) => existsSync(path));
  if (program === undefined) throw new NotStarted('A bound on file size or open files needs prlimit; install util-linux');
  const options = [
    '--core=0',
    ...(fileBytes === undefined ? [] : [`--fsize=${String(fileBytes)}`]),
    ...(openFiles === undefined ? [] : [`--nofile=${String(openFiles)}`]),
  ];
  return { ...launch, file: program, args: [...options, '--', launch.file, ...launch.args] };
}
