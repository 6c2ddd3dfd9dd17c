import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { RunId } from '#contracts';
import { MARKER } from '../executor/processes/group-processes.js';
import { type ProcessIdentity, Processes } from '../ports.js';

/** Field 22 of /proc/PID/stat, counted behind the command name, which may hold spaces and brackets. */
const START_TIME_FIELD = 19;

/** The processes of this machine, as /proc tells of them; elsewhere only whether a pid is in use. */
@Injectable()
export class MachineProcesses extends Processes {
  readonly #self: ProcessIdentity = { place: placeOfThisProcess(), pid: process.pid, processStart: startOf(process.pid) ?? null };

  override self(): ProcessIdentity {
    return this.#self;
  }

  override isAlive({ place, pid, processStart }: ProcessIdentity): boolean | undefined {
    if (place !== this.#self.place) return undefined;
    if (processStart !== null) return startOf(pid) === processStart;
    return isInUse(pid) ? undefined : false; // without a start time a pid in use may belong to another by now
  }

  override killMarked(runId: RunId): void {
    for (const pid of pids()) if (markOf(pid)?.endsWith(`.${runId}`)) kill(pid);
  }

  override killGroup(pid: number, processStart: string): boolean {
    if (startOf(pid) !== processStart) return false;
    return kill(-pid);
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // it went away between the look and the signal
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // no /proc
  }
}

/** What the executor puts into the environment of a run that has no process namespace. */
function markOf(pid: number): string | undefined {
  const entries = read(() => readFileSync(`/proc/${String(pid)}/environ`, 'latin1')).split('\0');
  return entries.find((entry) => entry.startsWith(`${MARKER}=`));
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[START_TIME_FIELD]; // a zombie has ended
  } catch {
    return undefined; // no such process, or no /proc
  }
}

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function placeOfThisProcess(): string {
  return [
    hostname(),
    read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    read(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');
}

function read(look: () => string): string {
  try {
    return look();
  } catch {
    return '-'; // a system without this file
  }
}
