import { childrenOf, descendants, isAlive, namespaceOf, sendSignal } from './process-table.js';
import { PASSES, RunProcesses } from './run-processes.js';

/**
 * Processes in pid namespaces, one per stage. The kernel keeps them together: all descend from the namespace's first process,
 * and when that one is killed, all are.
 */
export class NamespaceProcesses extends RunProcesses {
  readonly #tried = new Set<number>();

  override alive(): readonly number[] {
    return [...this.running.flatMap(({ pid }) => [pid, ...descendants(pid)]), ...this.#left()].filter(isAlive);
  }

  override seen(): readonly number[] {
    return this.alive();
  }

  override pause(): void {
    const stopped = new Set<number>();
    for (let pass = 0; pass < PASSES; pass += 1) {
      const fresh = this.alive().filter((pid) => !stopped.has(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        sendSignal(pid, 'SIGSTOP');
        stopped.add(pid);
      }
    }
  }

  override resume(): void {
    for (const pid of this.alive()) sendSignal(pid, 'SIGCONT');
  }

  /** Program and children only: the sandbox's own two processes stay to report how they ended. */
  override terminate(): boolean {
    const programs = this.running.flatMap(({ pid }) => childrenOf(pid).flatMap((first) => descendants(first)));
    for (const pid of programs) sendSignal(pid, 'SIGTERM');
    this.resume();
    return programs.length > 0;
  }

  /** The namespace's first process before the sandbox itself: when the sandbox then ends, all is gone already. */
  override kill(): void {
    for (const { pid } of this.running) {
      const firsts = childrenOf(pid);
      for (const first of firsts) sendSignal(first, 'SIGKILL');
      if (firsts.length === 0 || this.#tried.has(pid)) sendSignal(pid, 'SIGKILL');
      this.#tried.add(pid);
    }
    for (const pid of this.#left()) sendSignal(pid, 'SIGKILL');
  }

  /** Of stages that have ended: the number of the namespace tells a leftover from a stranger with the same id. */
  #left(): readonly number[] {
    return this.stages
      .filter(({ ended, inside }) => ended && inside !== null && isAlive(inside.pid) && namespaceOf(inside.pid) === inside.namespace)
      .flatMap(({ inside }) => (inside ? [inside.pid, ...descendants(inside.pid)] : []));
  }
}
