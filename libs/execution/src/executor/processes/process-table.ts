import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One process as the system shows it. */
export interface ProcessFact {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly zombie: boolean;
  /** Start time in clock ticks, as text; with the pid it names one process for good. Empty where the system does not say. */
  readonly start: string;
  /** Own time and that of children it has waited for. */
  readonly cpuTicks: number;
}

const hasProc = process.platform === 'linux';

export function readProcess(pid: number): ProcessFact | null {
  if (!hasProc) return psTable().find((fact) => fact.pid === pid) ?? null;
  const text = readOrNull(`/proc/${String(pid)}/stat`);
  if (text === null) return null;
  // the name stands in parentheses and may hold anything, also spaces and parentheses
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number): number => Number(fields[field - 3]);
  const state = fields[0] ?? '';
  return {
    pid,
    parent: at(4),
    group: at(5),
    session: at(6),
    zombie: state === 'Z' || state === 'X',
    start: fields[19] ?? '',
    cpuTicks: at(14) + at(15) + at(16) + at(17),
  };
}

/** Start time of a process, or null when there is none with this id or the system does not say. */
export function startOf(pid: number): string | null {
  return readProcess(pid)?.start ?? null;
}

/** A zombie is not alive: it waits to be reaped, which is its parent's business. */
export function isAlive(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

export function allProcesses(): readonly ProcessFact[] {
  if (!hasProc) return psTable();
  return facts(pids());
}

/** A moment in the life of the machine's process table. */
export interface TableMark {
  readonly pid: number;
  /** Milliseconds since this process began. */
  readonly at: number;
}

/** The moment at which `pid` had just been started. */
export function markAt(pid: number): TableMark {
  return { pid, at: performance.now() };
}

/** More than any machine starts in a millisecond. */
const STARTS_PER_MS = 100;
/** Up to this many ids are looked up one by one; beyond it listing the table is quicker. */
const FEW_IDS = 8;

/**
 * All processes, except those whose ids say that they are older than the mark. Ids are given out in a circle, so what is younger
 * lies between the mark and the newest id, as long as the circle cannot have been run through.
 */
export function processesSince(mark: TableMark): readonly ProcessFact[] {
  if (!hasProc) return psTable();
  const mayBeRound = (performance.now() - mark.at) * STARTS_PER_MS > circle() / 2;
  const newest = newestId();
  if (mayBeRound || !(newest > 0)) return allProcesses();
  if (newest >= mark.pid && newest - mark.pid < FEW_IDS) return facts(idsFrom(mark.pid, newest));
  const listed = pids();
  const last = newestId(); // after the listing: nothing listed is newer
  const isYounger = (pid: number): boolean => (last >= mark.pid ? pid >= mark.pid && pid <= last : pid >= mark.pid || pid <= last);
  return facts(listed.filter(isYounger));
}

function idsFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function facts(ids: readonly number[]): readonly ProcessFact[] {
  return ids.map(readProcess).filter((fact) => fact !== null);
}

/** How many ids there are before they begin again. */
function circle(): number {
  return (idsInAll ??= Number(readOrNull('/proc/sys/kernel/pid_max') ?? 0));
}
let idsInAll: number | undefined;

/** Of the process or thread that was started last. */
function newestId(): number {
  return Number((readOrNull('/proc/loadavg') ?? '').trim().split(' ').at(-1));
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Everything below `root`, parents first; `root` itself is not in it. */
export function descendants(root: number): readonly number[] {
  if (!hasProc) return below(root, psTable());
  const found: number[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const children = childrenOf(pid);
    found.push(...children);
    open.push(...children);
  }
  return found;
}

export function childrenOf(pid: number): readonly number[] {
  if (!hasProc)
    return psTable()
      .filter((fact) => fact.parent === pid)
      .map((fact) => fact.pid);
  const tasks = namesOrNone(`/proc/${String(pid)}/task`);
  return tasks.flatMap((task) => {
    const text = readOrNull(`/proc/${String(pid)}/task/${task}/children`);
    return text === null ? [] : text.split(' ').filter(Boolean).map(Number);
  });
}

/** One variable of a process's first environment; null when it cannot be read. */
export function environmentOf(pid: number, name: string): string | null {
  const text = hasProc ? readOrNull(`/proc/${String(pid)}/environ`) : null;
  const entry = text?.split('\0').find((line) => line.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

/** Number of the pid namespace a process lives in. */
export function namespaceOf(pid: number): string | null {
  try {
    return /\d+/.exec(readlinkSync(`/proc/${String(pid)}/ns/pid`))?.[0] ?? null;
  } catch {
    return null; // gone, a zombie, or another user's
  }
}

/** Largest resident size of one process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readOrNull(`/proc/${String(pid)}/status`) ?? '') ?? [];
  return Number(kib ?? 0) * 1_024;
}

/** False: there was nothing to signal, or it is not ours. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended in between
  }
}

function below(root: number, table: readonly ProcessFact[]): readonly number[] {
  const found = table.filter((fact) => fact.parent === root).map((fact) => fact.pid);
  return [...found, ...found.flatMap((pid) => below(pid, table))];
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null; // the process has ended
  }
}

function namesOrNone(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // the process has ended
  }
}

/** macOS has no /proc; its `ps` knows less: no start time, no usage. */
function psTable(): readonly ProcessFact[] {
  const text = execFileSync('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,sess=,stat='], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = '', parent = '', group = '', session = '', state = ''] = line.trim().split(/\s+/);
      const zombie = state.startsWith('Z');
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(session) || 0,
        zombie,
        start: '',
        cpuTicks: 0,
      };
    });
}
