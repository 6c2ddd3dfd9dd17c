import { readFileSync } from 'node:fs';

/** Field 22 of /proc/PID/stat, counted behind the command name, which may hold spaces and brackets. */
const START_TIME_FIELD = 19;

/**
 * Who a process is beyond a number that is used again: its start within this very boot of the machine. Undefined: it has ended, or the
 * system does not tell.
 */
export function identityOf(pid: number): string | undefined {
  const stat = read(`/proc/${String(pid)}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = fields[START_TIME_FIELD];
  if (start === undefined || fields[0] === 'Z') return undefined; // a zombie has ended
  return `${read('/proc/sys/kernel/random/boot_id').trim()} ${start}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // no such process, or no /proc
  }
}
