import type { DynamicModule } from '@nestjs/common';
import { Subject, type Subscription } from 'rxjs';
import type { HostId, HostState } from '#contracts';
import { newId } from '#platform';
import { ConnectedHosts, type ConnectedHost, type HostFacts, type HostNews } from '#relay';
import { FakeHost } from './fake-host.js';

interface Held {
  host: ConnectedHost & { readonly driver: FakeHost };
  following: Subscription;
}

/** Hosts of a test, without processes and rows. */
export class FakeHosts extends ConnectedHosts {
  readonly #news = new Subject<HostNews>();
  override readonly news = this.#news.asObservable();
  readonly #held = new Map<HostId, Held>();

  /** Adds a host and connects it. */
  async add(driver = new FakeHost(), changes: Partial<ConnectedHost> = {}): Promise<HostId> {
    const id = newId<HostId>();
    const following = driver.events.subscribe((event) => {
      this.#news.next({ hostId: id, type: 'event', event });
      if (event.type !== 'gone') return;
      this.#set(id, 'gone');
      this.#news.next({ hostId: id, type: 'gone', why: event.why });
    });
    const host = {
      id,
      name: 'fake',
      kind: 'bridge',
      state: 'stopped',
      facts: null,
      autoApproveEscalations: false,
      ...changes,
      driver,
    } as const;
    this.#held.set(id, { host, following });
    await this.connect(id);
    return id;
  }

  /** As after a restart of the host or of this server. */
  async connect(id: HostId): Promise<HostFacts> {
    this.#set(id, 'starting');
    this.#news.next({ hostId: id, type: 'starting' });
    const facts = await this.driver(id).connect();
    this.#set(id, 'connected', facts);
    this.#news.next({ hostId: id, type: 'connected', facts });
    return facts;
  }

  driver(id: HostId): FakeHost {
    const held = this.#held.get(id);
    if (!held) throw new Error('No such host');
    return held.host.driver;
  }

  override all(): readonly ConnectedHost[] {
    return [...this.#held.values()].map(({ host }) => host);
  }

  override find(id: HostId): ConnectedHost | undefined {
    return this.#held.get(id)?.host;
  }

  override forWorkspace(): ConnectedHost | undefined {
    return this.all().find(({ state }) => state === 'connected') ?? this.all()[0];
  }

  #set(id: HostId, state: HostState, facts?: HostFacts): void {
    const held = this.#held.get(id);
    if (held) held.host = { ...held.host, state, facts: facts ?? held.host.facts };
  }
}

/** The module that gives these hosts to the product. */
export function fakeHostsModule(hosts: FakeHosts): DynamicModule {
  class FakeHostsModule {}
  return { module: FakeHostsModule, providers: [{ provide: ConnectedHosts, useValue: hosts }], exports: [ConnectedHosts] };
}
