import {
  allProcesses,
  descendants,
  environmentOf,
  markAt,
  type ProcessFact,
  processesSince,
  readProcess,
  sendSignal,
  startOf,
  type TableMark,
} from './process-table.js';
import { PASSES, RunProcesses, type StageProcess } from './run-processes.js';

/** Stands in the environment of every process of a run that has no pid namespace. */
export const MARKER = 'COUNTERSIGN_RUN';

/**
 * Processes without a pid namespace. Nothing holds them together, so they are found by all that they have in common: process group,
 * session, parents, the marker in their environment, and having been seen before. A process that sheds all of it escapes.
 */
export class GroupProcesses extends RunProcesses {
  /** Start time by process id. */
  readonly #known = new Map<number, string>();

  /** When the first stage began. */
  #since: TableMark | undefined;

  constructor(private readonly mark: string) {
    super();
  }

  override add(stage: StageProcess): void {
    this.#since ??= markAt(stage.pid);
    super.add(stage);
  }

  override alive(): readonly number[] {
    const found = this.#members();
    for (const { pid, start } of found) this.#known.set(pid, start);
    return found.map(({ pid }) => pid);
  }

  /** Also remembers what it sees, so that a process that leaves its parent later is still known. */
  override seen(): readonly number[] {
    const pids = this.running.flatMap(({ pid }) => [pid, ...descendants(pid)]);
    for (const pid of pids) {
      const start = startOf(pid);
      if (start !== null) this.#known.set(pid, start);
    }
    return [...this.#known].filter(([pid, start]) => startOf(pid) === start).map(([pid]) => pid);
  }

  override pause(): void {
    this.#signalGroups('SIGSTOP');
    const stopped = new Set<number>();
    for (let pass = 0; pass < PASSES; pass += 1) {
      const fresh = this.alive().filter((pid) => !stopped.has(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        this.#signal(pid, 'SIGSTOP');
        stopped.add(pid);
      }
    }
  }

  override resume(): void {
    this.#signalAll('SIGCONT');
  }

  override terminate(): boolean {
    const heard = this.#signalAll('SIGTERM');
    this.resume();
    return heard;
  }

  override kill(): void {
    this.#signalAll('SIGKILL');
  }

  /** The group at once, so that a fork in the meantime cannot slip through; then each that has left the group. */
  #signalAll(signal: NodeJS.Signals): boolean {
    const all = this.alive();
    this.#signalGroups(signal);
    for (const pid of all) {
      if (signal === 'SIGKILL' || !this.#isInRunningGroup(pid)) this.#signal(pid, signal);
    }
    return all.length > 0;
  }

  /** A group's number is safe only while its leader has not been seen to end. */
  #signalGroups(signal: NodeJS.Signals): void {
    for (const { pid } of this.running) sendSignal(-pid, signal);
  }

  #signal(pid: number, signal: NodeJS.Signals): void {
    if (readProcess(pid)?.start === this.#known.get(pid)) sendSignal(pid, signal);
  }

  #isInRunningGroup(pid: number): boolean {
    const group = readProcess(pid)?.group;
    return this.running.some((stage) => stage.pid === group);
  }

  #members(): readonly ProcessFact[] {
    const leaders = new Set(this.stages.map(({ pid }) => pid));
    if (!this.#since) return [];
    const began = Number(this.stages[0]?.start);
    const candidates = processesSince(this.#since).filter(
      (fact) => !fact.zombie && fact.pid !== process.pid && Number(fact.start) >= began,
    );
    const found = candidates.filter(
      ({ pid, group, session, start }) =>
        leaders.has(group) || leaders.has(session) || this.#known.get(pid) === start || environmentOf(pid, MARKER) === this.mark,
    );
    const members = new Set(found);
    for (let grown = true; grown;) {
      grown = false;
      const pids = new Set([...members].map(({ pid }) => pid));
      for (const fact of candidates) {
        if (members.has(fact) || !pids.has(fact.parent)) continue;
        members.add(fact);
        grown = true;
      }
    }
    return [...members];
  }
}

/** What executors that are dead have left running; called once at start. */
export function killOrphans(): void {
  for (const { pid, zombie } of allProcesses()) {
    const [, executor, start] = /^(\d+)\.(\d+)\./.exec(environmentOf(pid, MARKER) ?? '') ?? [];
    if (zombie || executor === undefined || readProcess(Number(executor))?.start === start) continue;
    sendSignal(pid, 'SIGKILL');
  }
}

/** Names the executor too, so that the next one can tell its orphans. */
export function markOf(runId: string): string {
  return `${String(process.pid)}.${readProcess(process.pid)?.start ?? '0'}.${runId}`;
}
