import { lstatSync, readFileSync } from 'node:fs';

/** `__SO_ACCEPTCON`: somebody listens. */
const LISTENING = 0x10000;

/**
 * Local sockets in the file system behind which a service of this machine waits. A read-only mount does not keep a program from
 * talking to one, and what it asks for is then done outside the sandbox. Places that are private to each run hide theirs anyway.
 */
export function listeningSockets(): readonly string[] {
  const [, ...lines] = table().split('\n');
  const paths = lines.flatMap((line) => {
    const [, flags = '', path = ''] = /^\S+ \S+ \S+ ([\dA-F]{8}) \S+ \S+ +\d+ (\/.*)$/.exec(line) ?? [];
    return path !== '' && (parseInt(flags, 16) & LISTENING) !== 0 ? [path] : [];
  });
  return [...new Set(paths)].filter(isSocket);
}

function table(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return ''; // not shown here
  }
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}
