import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Subject, type Subscription } from 'rxjs';
import type { HostId, HostView, PrincipalId, WorkspaceId } from '#contracts';
import { Workspaces } from '#execution';
import { AppError, Clock, EventFeed } from '#platform';
import { ConnectedHosts, type ConnectedHost, type HostNews } from './connected-hosts.js';
import { HostConnection, type HostSurroundings } from './host-connection.js';
import { Hosts } from './hosts.js';
import { HostDrivers, HostProcesses } from './ports.js';

/**
 * Owner of the connections to all hosts. It is idle until the server that listens begins it: the command line and STDIO start no host.
 * At the end of the server hosts go on; the next server finds them again.
 */
@Injectable()
export class HostConnections extends ConnectedHosts implements OnApplicationShutdown {
  readonly #log = new Logger(HostConnections.name);
  readonly #news = new Subject<HostNews>();
  override readonly news = this.#news.asObservable();
  readonly #all = new Map<HostId, HostConnection>();
  readonly #around: HostSurroundings;
  #roots = new Map<string, WorkspaceId>();
  #following: Subscription | undefined;
  /** Changes are carried out one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(
    private readonly hosts: Hosts,
    processes: HostProcesses,
    drivers: HostDrivers,
    clock: Clock,
    private readonly feed: EventFeed,
    private readonly workspaces: Workspaces,
  ) {
    super();
    const tell = (news: HostNews): void => this.#news.next(news);
    this.#around = { hosts, processes, drivers, clock, tell, moved: (id) => void this.#moved(id) };
  }

  /** Brings up every host that shall be up, or finds it again. */
  async begin(): Promise<void> {
    this.#following = this.hosts.changed.subscribe(
      (id) => void this.apply(id).catch((error: unknown) => this.#log.error('A host could not follow a change', error)),
    );
    for (const { host } of await this.hosts.openAll()) await this.apply(host.id);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#following?.unsubscribe();
    await this.#work;
    await Promise.all([...this.#all.values()].map((connection) => connection.leave()));
  }

  override all(): readonly ConnectedHost[] {
    return [...this.#all.values()];
  }

  override find(id: HostId): ConnectedHost | undefined {
    return this.#all.get(id);
  }

  override forWorkspace(root: string): ConnectedHost | undefined {
    const id = this.#roots.get(root);
    const rank = ({ host, state }: HostConnection): number => (state === 'connected' ? 2 : 0) + (host.workspaces.length > 0 ? 1 : 0);
    return [...this.#all.values()]
      .filter(({ host }) => host.workspaces.length === 0 || (id !== undefined && host.workspaces.includes(id)))
      .sort((one, other) => rank(other) - rank(one))[0];
  }

  async views(): Promise<readonly HostView[]> {
    return (await this.hosts.openAll()).map(({ host }) => ({
      ...host,
      ...(this.#all.get(host.id)?.condition ?? { state: 'stopped', why: null, health: null }),
    }));
  }

  async view(id: HostId): Promise<HostView> {
    const found = (await this.views()).find((view) => view.id === id);
    if (!found) throw new AppError('HOST_NOT_FOUND', 'No such host', { hostId: id });
    return found;
  }

  /** Ends the host and brings it up again, with its settings of now. */
  restart(id: HostId): Promise<void> {
    return this.#inOrder(async () => {
      await this.#all.get(id)?.stop();
      this.#all.get(id)?.begin();
    });
  }

  /** Makes what is there follow what is set. */
  apply(id: HostId): Promise<void> {
    return this.#inOrder(async () => {
      this.#roots = new Map((await this.workspaces.list()).map((workspace) => [workspace.root, workspace.id]));
      const open = await this.hosts.open(id);
      const connection = this.#all.get(id);
      if (!open) {
        await connection?.stop();
        this.#all.delete(id);
        return;
      }
      const kept = connection ?? new HostConnection(open, this.#around);
      kept.update(open);
      this.#all.set(id, kept);
      if (open.host.isWanted) kept.begin();
      else await kept.stop();
    });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined); // whoever asked for it is told
    return done;
  }

  async #moved(id: HostId): Promise<void> {
    const nobody = { owner: '' as PrincipalId, sessionId: null };
    await this.feed.write((_tx, append) => append(nobody, { type: 'host.changed', hostId: id })).catch(() => undefined); // screens are told by the next move
  }
}
