import { setTimeout as after } from 'node:timers/promises';
import type { Host, HostId, HostKind, HostState, HostView } from '#contracts';
import { AppError, type Clock } from '#platform';
import { AwayDriver } from './away-driver.js';
import type { ConnectedHost, HostNews } from './connected-hosts.js';
import type { HostDriver, HostFacts } from './host-driver.js';
import type { Hosts, OpenHost } from './hosts.js';
import type { HostDrivers, HostProcesses, HostRun } from './ports.js';

/** How long to wait before each further attempt. */
const WAITS_MS = [0, 500, 1_000, 2_000, 5_000, 15_000, 30_000];
/** A host that lived this long was well; the next restart is at once again. */
const WELL_AFTER_MS = 60_000;
const CONNECT_WITHIN_MS = 30_000;

/** What a connection needs of the rest. */
export interface HostSurroundings {
  readonly hosts: Hosts;
  readonly processes: HostProcesses;
  readonly drivers: HostDrivers;
  readonly clock: Clock;
  readonly tell: (news: HostNews) => void;
  /** State or reason has changed; for screens. */
  readonly moved: (id: HostId) => void;
}

interface Life {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Owner of one host's life: brings it up or finds it again, tells what it tells, brings it up anew when it dies. */
export class HostConnection implements ConnectedHost {
  driver: HostDriver = new AwayDriver();
  facts: HostFacts | null = null;
  #state: HostState = 'stopped';
  #why: string | null = null;
  #since = 0;
  #life: Life | undefined;
  #isEnding = false;

  constructor(
    private open: OpenHost,
    private readonly around: HostSurroundings,
  ) {}

  get id(): HostId {
    return this.open.host.id;
  }
  get name(): string {
    return this.open.host.name;
  }
  get kind(): HostKind {
    return this.open.host.settings.kind;
  }
  get state(): HostState {
    return this.#state;
  }
  get autoApproveEscalations(): boolean {
    return this.open.host.autoApproveEscalations;
  }
  get host(): Host {
    return this.open.host;
  }

  /** How it does now; what is set stands in its row. */
  get condition(): Pick<HostView, 'state' | 'why' | 'health'> {
    const { facts } = this;
    const isUp = this.#state === 'connected' && facts !== null;
    return { state: this.#state, why: this.#why, health: isUp ? { ...facts, since: this.#since } : null };
  }

  /** New settings count from the next start on; the switch and the name at once. */
  update(open: OpenHost): void {
    this.open = { ...open, run: this.open.run };
  }

  begin(): void {
    if (this.#life) return;
    const stop = new AbortController();
    this.#isEnding = false;
    this.#life = { stop, done: this.#live(stop.signal) };
  }

  /** Ends the host too, in an orderly way: what waits in it is told to end first. */
  async stop(): Promise<void> {
    const life = this.#life;
    if (!life) return;
    this.#isEnding = true;
    if (this.#state === 'connected') await this.#endRun();
    life.stop.abort();
    await life.done;
    await this.#endRun();
    await this.driver.close();
    this.#life = undefined;
    this.#move('stopped', null);
    this.around.tell({ hostId: this.id, type: 'stopped', why: 'The host was stopped' });
  }

  /** Lets go of a host that goes on without us; a later server finds it again. */
  async leave(): Promise<void> {
    this.#isEnding = true;
    this.#life?.stop.abort();
    await this.#life?.done;
    await this.driver.close();
    this.#life = undefined;
  }

  async #live(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    let failures = 0;
    while (!isOver()) {
      const began = this.around.clock.steady();
      try {
        await this.#once(signal);
      } catch (error) {
        if (!isOver()) this.#move('failed', error instanceof AppError ? error.message : 'The host could not be brought up');
      }
      if (isOver()) return;
      await this.#endRun().catch(() => undefined); // what hangs is ended before it is started anew
      failures = this.around.clock.steady() - began > WELL_AFTER_MS ? 0 : failures + 1;
      const wait = WAITS_MS[Math.min(failures - 1, WAITS_MS.length - 1)] ?? 0;
      await after(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One life of the host, from its start until it is gone. */
  async #once(signal: AbortSignal): Promise<void> {
    const hostId = this.id;
    this.#move('starting', null);
    this.around.tell({ hostId, type: 'starting' });
    const driver = await this.#bringUp(signal);
    const gone = new Promise<string>((resolve) => {
      driver.events.subscribe((event) => {
        this.around.tell({ hostId, type: 'event', event });
        if (event.type === 'gone') resolve(event.why);
      });
    });
    try {
      this.facts = await driver.connect(AbortSignal.any([signal, AbortSignal.timeout(CONNECT_WITHIN_MS)]));
    } catch (error) {
      await driver.close();
      throw error;
    }
    this.driver = driver;
    this.#since = this.around.clock.now();
    this.#move('connected', null);
    this.around.tell({ hostId, type: 'connected', facts: this.facts });
    const why = await Promise.race([gone, aborted(signal)]);
    if (why === null || this.#isEnding) return;
    await driver.close();
    this.#move('gone', why);
    this.around.tell({ hostId, type: 'gone', why });
  }

  async #bringUp(signal: AbortSignal): Promise<HostDriver> {
    const { settings, id } = this.open.host;
    switch (settings.kind) {
      case 'attach':
        return this.around.drivers.attach(settings.url);
      case 'acp':
        return this.around.drivers.acp(settings, id);
      case 'bridge': {
        const { run } = this.open;
        if (run && run.port !== null && this.around.processes.isAlive(run)) return this.around.drivers.bridge(run);
        await this.#endRun();
        const launch = { id, ...settings, key: this.open.key };
        const started = await this.around.processes.start(launch, (next) => this.#setRun(next), signal);
        await this.#setRun(started);
        return this.around.drivers.bridge(started);
      }
    }
  }

  async #endRun(): Promise<void> {
    const { run } = this.open;
    if (!run) return;
    await this.around.processes.end(run);
    await this.#setRun(null);
  }

  async #setRun(run: HostRun | null): Promise<void> {
    this.open = { ...this.open, run };
    await this.around.hosts.setRun(this.id, run);
  }

  #move(state: HostState, why: string | null): void {
    this.#state = state;
    this.#why = why;
    this.around.moved(this.id);
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
