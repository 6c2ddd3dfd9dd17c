import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { Host, HostId, HostSettings, Principal, WorkspaceId } from '#contracts';
import { AppError, Clock, EventFeed, newId, SecretBox, type Tx } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { type HeldHost, HostRepository, type HostRun } from './ports.js';

const MOST_HOSTS = 50;

export interface NewHost {
  readonly by: Principal;
  readonly name: string;
  readonly settings: HostSettings;
  readonly key: string | null;
  readonly workspaces: readonly WorkspaceId[];
  readonly autoApproveEscalations: boolean;
}

/** A key of null takes the key away. */
export type HostChanges = Partial<Omit<NewHost, 'by'>> & { readonly isWanted?: boolean };

/** A host with its secrets, for the one who connects. */
export interface OpenHost {
  readonly host: Host;
  readonly key: string | null;
  readonly run: HostRun | null;
}

/** Owner of configured hosts. Every change is a receipt; keys and what finds a process again are sealed, and known to redaction. */
@Injectable()
export class Hosts implements OnModuleInit {
  readonly #changed = new Subject<HostId>();
  /** Ids of hosts that were set, changed or removed, after the commit. */
  readonly changed = this.#changed.asObservable();

  constructor(
    private readonly rows: HostRepository,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const { key, run } of await this.openAll()) this.receipts.protect([key, run?.token].flatMap((secret) => secret ?? []));
  }

  async openAll(): Promise<readonly OpenHost[]> {
    return (await this.rows.list()).map((held) => this.#open(held));
  }

  /** Undefined: it was removed. */
  async open(id: HostId): Promise<OpenHost | undefined> {
    const held = await this.rows.find(id);
    return held && this.#open(held);
  }

  async get(id: HostId): Promise<Host> {
    return (await this.#held(id)).host;
  }

  async create({ by, key, ...wish }: NewHost): Promise<Host> {
    const all = await this.rows.list();
    if (all.length >= MOST_HOSTS) throw new AppError('HOST_CONFLICT', `There can be ${String(MOST_HOSTS)} hosts; remove one first`);
    this.#assertFree(wish.name, all);
    const now = this.clock.now();
    const host: Host = { id: newId<HostId>(), ...wish, hasKey: key !== null, isWanted: false, createdAt: now, changedAt: now };
    this.#protect(key);
    const held: HeldHost = { host, sealedKey: this.#seal(key), sealedRun: null };
    await this.#record(by, 'host.created', `added the host ${host.name}`, null, host, async (tx) => {
      await this.rows.insert(tx, held);
      return true;
    });
    return host;
  }

  async change(by: Principal, id: HostId, { key, ...changes }: HostChanges): Promise<Host> {
    const held = await this.#held(id);
    const before = held.host;
    if (changes.settings && changes.settings.kind !== before.settings.kind)
      throw new AppError('HOST_CONFLICT', 'The kind of a host stays; add another one');
    if (changes.name !== undefined && changes.name !== before.name) this.#assertFree(changes.name, await this.rows.list());
    const sealedKey = key === undefined ? held.sealedKey : this.#seal(key);
    const changedAt = Math.max(this.clock.now(), before.changedAt + 1); // two changes never have the same time
    const host: Host = { ...before, ...changes, hasKey: sealedKey !== null, changedAt };
    this.#protect(key ?? null);
    await this.#record(by, 'host.changed', `changed the host ${host.name}`, before, host, (tx) =>
      this.rows.update(tx, { ...held, host, sealedKey }, before.changedAt),
    );
    return host;
  }

  async remove(by: Principal, id: HostId): Promise<void> {
    const { host } = await this.#held(id);
    await this.#record(by, 'host.removed', `removed the host ${host.name}`, host, null, (tx) => this.rows.remove(tx, id));
  }

  /** How its process is found again. */
  async setRun(id: HostId, run: HostRun | null): Promise<void> {
    this.#protect(run?.token ?? null);
    await this.rows.setRun(id, run && this.box.seal(JSON.stringify(run)));
  }

  async #held(id: HostId): Promise<HeldHost> {
    const held = await this.rows.find(id);
    if (!held) throw new AppError('HOST_NOT_FOUND', 'No such host', { hostId: id });
    return held;
  }

  #open({ host, sealedKey, sealedRun }: HeldHost): OpenHost {
    return {
      host,
      key: sealedKey === null ? null : this.box.open(sealedKey),
      run: sealedRun === null ? null : (JSON.parse(this.box.open(sealedRun)) as HostRun), // only `setRun` seals it
    };
  }

  #seal(key: string | null): string | null {
    return key === null ? null : this.box.seal(key);
  }

  #protect(secret: string | null): void {
    if (secret !== null) this.receipts.protect([secret]);
  }

  #assertFree(name: string, all: readonly HeldHost[]): void {
    if (all.some(({ host }) => host.name === name)) throw new AppError('HOST_CONFLICT', 'There is a host of this name', { name });
  }

  async #record(
    by: Principal,
    action: string,
    did: string,
    before: Host | null,
    after: Host | null,
    write: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    const hostId = (after ?? before)?.id as HostId; // one of the two is there
    await this.feed.write(async (tx, append) => {
      if (!(await write(tx))) throw new AppError('HOST_CONFLICT', 'Somebody else has changed or removed it; load it again', { hostId });
      const details = { host_id: hostId, before, after };
      await this.receipts.write(tx, append, adminDraft({ by, at: this.clock.now(), action, did, details }));
      await append({ owner: by.id, sessionId: null }, { type: 'host.changed', hostId });
    });
    this.#changed.next(hostId);
  }
}
