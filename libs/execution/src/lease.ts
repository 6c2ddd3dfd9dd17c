import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, newId, ScheduledWork } from '#platform';
import { Processes } from './ports.js';
import { type LeaseOwner, LeaseRepository } from './repositories.js';

const HEARTBEAT_MS = 15_000;
/** Where a pid cannot be looked at, this long without a sign of life counts as death. */
const SILENT_MS = 60_000;

export interface DeadOwner {
  readonly id: string;
  /** It lived where this process lives, so its pids mean something, and its end was seen. */
  readonly isHere: boolean;
}

/** The last sign of life of another owner, and when it was first seen here. */
interface Heard {
  readonly heartbeatAt: number | undefined;
  readonly since: number;
}

/**
 * This process as an owner of runs, and the judge of whether another one still lives. Silence is measured here, by a clock that
 * cannot be set: heartbeats of other machines are only compared with what they were before, never with the time.
 */
@Injectable()
export class Lease implements OnModuleInit {
  readonly id: string = newId();
  readonly #heard = new Map<string, Heard>();

  constructor(
    private readonly owners: LeaseRepository,
    private readonly processes: Processes,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.beat();
    this.work.every(HEARTBEAT_MS, 'Keeping the lease', () => this.beat());
  }

  /** Also puts the lease back when others took it for dead meanwhile: whoever owns runs can be found. */
  beat(): Promise<void> {
    return this.owners.beat({ id: this.id, ...this.processes.self(), heartbeatAt: this.clock.now() });
  }

  /** The owners that are dead, among all that are registered and those that still own runs although nobody knows them any more. */
  async dead(owning: readonly string[]): Promise<readonly DeadOwner[]> {
    const { place } = this.processes.self();
    const known = (await this.owners.list()).filter(({ id }) => id !== this.id);
    const unknown = new Set(owning.filter((id) => id !== this.id && known.every((owner) => owner.id !== id)));
    this.#forgetAllBut(new Set([...known.map(({ id }) => id), ...unknown]));
    return [
      ...known.filter((owner) => this.#isDead(owner)).map(({ id, place: at }) => ({ id, isHere: at === place })),
      ...[...unknown].filter((id) => this.#isSilent(id, undefined)).map((id) => ({ id, isHere: false })),
    ];
  }

  /** Clears away an owner that owns nothing any more, unless it gave a sign of life after it was looked at. */
  async forget(id: string): Promise<void> {
    const heard = this.#heard.get(id);
    await this.owners.remove(id, heard?.heartbeatAt);
  }

  #isDead(owner: LeaseOwner): boolean {
    const isSilent = this.#isSilent(owner.id, owner.heartbeatAt);
    return !(this.processes.isAlive(owner) ?? !isSilent);
  }

  #isSilent(id: string, heartbeatAt: number | undefined): boolean {
    const now = this.clock.steady();
    const heard = this.#heard.get(id);
    if (heard && heard.heartbeatAt === heartbeatAt) return now - heard.since > SILENT_MS;
    this.#heard.set(id, { heartbeatAt, since: now });
    return false;
  }

  #forgetAllBut(ids: ReadonlySet<string>): void {
    for (const id of this.#heard.keys()) if (!ids.has(id)) this.#heard.delete(id);
  }
}
