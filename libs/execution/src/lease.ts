import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, newId, ScheduledWork } from '#platform';
import { Processes } from './ports.js';
import { type LeaseOwner, LeaseRepository } from './repositories.js';

const HEARTBEAT_MS = 15_000;
/** Where a pid cannot be looked at, this long without a sign of life counts as death. */
const SILENT_MS = 60_000;

export interface DeadOwner {
  readonly id: string;
  /** It lived where this process lives, so its pids mean something. */
  readonly isHere: boolean;
}

/** This process as an owner of runs, and the judge of whether another one still lives. */
@Injectable()
export class Lease implements OnModuleInit {
  readonly id: string = newId();

  constructor(
    private readonly owners: LeaseRepository,
    private readonly processes: Processes,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.owners.register({ id: this.id, ...this.processes.self(), heartbeatAt: this.clock.now() });
    this.work.every(HEARTBEAT_MS, 'Keeping the lease', () => this.owners.beat(this.id, this.clock.now()));
  }

  /** The owners that are dead, among all that ever registered and were not cleared away. */
  async dead(): Promise<readonly DeadOwner[]> {
    const now = this.clock.now();
    const { place } = this.processes.self();
    const others = (await this.owners.list()).filter(({ id }) => id !== this.id);
    return others.filter((owner) => this.#isDead(owner, now)).map((owner) => ({ id: owner.id, isHere: owner.place === place }));
  }

  /** Clears away an owner that owns nothing any more. */
  forget(id: string): Promise<void> {
    return this.owners.remove(id);
  }

  #isDead(owner: LeaseOwner, now: number): boolean {
    const isAlive = this.processes.isAlive(owner);
    return isAlive === undefined ? now - owner.heartbeatAt > SILENT_MS : !isAlive;
  }
}
