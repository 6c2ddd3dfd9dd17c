import { readdirSync, readFileSync } from 'node:fs';

/** A number that no other process of this machine has among its words; long enough to sleep for. */
export function newMark(): string {
  return `8${String(process.pid)}${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`;
}

/** Processes of the system whose words hold the mark, looked up from outside. */
export function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(mark);
    } catch {
      return false; // it has ended
    }
  });
}
