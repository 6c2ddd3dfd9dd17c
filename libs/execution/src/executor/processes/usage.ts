import { readFileSync } from 'node:fs';
import type { LimitHit, RunBounds } from '../protocol.js';
import { readProcess, residentBytes } from './process-table.js';
import type { RunProcesses } from './run-processes.js';

const FIRST_LOOK_MS = 60;
const LOOK_MS = 200;
/** USER_HZ is 100 on every Linux that Node.js runs on. */
const MS_PER_TICK = 10;
const DEFAULT_PROCESSES = 512;

/** Looks at a run's processes now and then: what they use, and whether a bound is reached. */
export class UsageWatch {
  #cpuTicks: number | null = null;
  #maxRss: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly processes: RunProcesses,
    private readonly bounds: RunBounds,
    private readonly reached: (limit: LimitHit) => void,
  ) {}

  get maxRssBytes(): number | null {
    return this.#maxRss;
  }

  start(): void {
    if (process.platform !== 'linux') return;
    this.#timer = setTimeout(() => this.#look(), FIRST_LOOK_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** The larger of what was seen alive and what the kernel reported of those that have ended; both are lower bounds. */
  cpuMs(reapedTicks: number | null): number | null {
    const ticks = Math.max(this.#cpuTicks ?? -1, reapedTicks ?? -1);
    return ticks < 0 ? null : ticks * MS_PER_TICK;
  }

  #look(): void {
    const alive = this.processes.seen();
    const cpu = sum(alive.map((pid) => readProcess(pid)?.cpuTicks ?? 0));
    const resident = sum(alive.map(residentBytes));
    this.#cpuTicks = Math.max(this.#cpuTicks ?? 0, cpu);
    this.#maxRss = Math.max(this.#maxRss ?? 0, resident);
    const limit = this.#over(alive.length, resident);
    if (limit) this.reached(limit);
    else this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  #over(count: number, resident: number): LimitHit | null {
    const { processes = DEFAULT_PROCESSES, memoryBytes = Infinity, cpuMs = Infinity } = this.bounds;
    if (count > processes) return 'processes';
    if (resident > memoryBytes) return 'memory';
    return (this.#cpuTicks ?? 0) * MS_PER_TICK > cpuMs ? 'cpu' : null;
  }
}

/**
 * Processor time of children that have ended. The kernel adds each one to our own account when it is reaped, so the
 * difference belongs to whoever ended since the last look, as long as all that ended in one turn of the loop belong to one run.
 */
export class ReapedCpu {
  #seen = ownChildrenTicks();
  #turn: Set<string> | undefined;

  /** To be called for every child at its exit; the answer is ready a turn later. Null: it cannot be told apart from another run's. */
  take(runId: string): () => number | null {
    if (this.#seen === null) return () => null;
    const turn = this.#turn ?? new Set<string>();
    if (!this.#turn) setImmediate(() => (this.#turn = undefined));
    this.#turn = turn.add(runId);
    const now = ownChildrenTicks() ?? this.#seen;
    const ticks = now - this.#seen;
    this.#seen = now;
    return () => (turn.size > 1 ? null : ticks);
  }
}

function ownChildrenTicks(): number | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[13]) + Number(fields[14]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
