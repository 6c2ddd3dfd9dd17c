import { Subject } from 'rxjs';
import type { HostAbility } from '#contracts';
import { AppError } from '#platform';
import { refusalOf } from '../core/host-refusals.js';
import {
  HostDriver,
  type AgentOptions,
  type AskEnd,
  type CredentialState,
  type GoalRef,
  type HostEvent,
  type HostFacts,
  type HostGoal,
  type HostSession,
  type HostWorkspace,
  type LogEvent,
  type QuestionAnswer,
  type RaisedAsk,
} from '../host-driver.js';
import { BridgeStream } from './bridge-stream.js';
import { LoopbackHttp, unavailable } from './loopback-http.js';

const CALL_MS = 30_000;
/** The bridge holds a wait for at most 25 s. */
const IDLE_MS = 40_000;

/** Which of the host's services an ability hangs on; what is not named is always there. */
const NEEDS: Partial<Record<HostAbility, string>> = {
  goals: 'goals',
  approvals: 'approval',
  questions: 'userQuestions',
  workspaces: 'workspaceRegistry',
  credentials: 'credentials',
};
const ABILITIES: readonly HostAbility[] = [
  'sessions',
  'messages',
  'cancel',
  'goals',
  'approvals',
  'questions',
  'workspaces',
  'credentials',
  'eventLog',
];

interface Health {
  readonly launchId: string;
  readonly pid: number;
  readonly version: string | null;
  readonly seams: Readonly<Record<string, boolean>>;
}

interface AsksView {
  readonly seq: number;
  readonly parked: readonly RaisedAsk[];
  readonly ended: readonly { readonly handle: string; readonly callId: string; readonly sessionId: string; readonly end: AskEnd }[];
}

/** Drives a host through our own bridge inside of it: everything that a host can do. */
export class BridgeDriver extends HostDriver {
  readonly #events = new Subject<HostEvent>();
  override readonly events = this.#events.asObservable();
  readonly #http: LoopbackHttp;
  #stream: BridgeStream | undefined;
  #isOpen = false;
  #abilities: readonly HostAbility[] = [];
  /** Asks that were told and have not ended. */
  readonly #parked = new Map<string, RaisedAsk>();
  /** The next number of each session's log. */
  readonly #next = new Map<string, number>();
  /** While it stands, what came after lost frames waits for what was lost. */
  #recovering: Promise<void> | undefined;

  constructor(port: number, token: string) {
    super();
    this.#http = new LoopbackHttp(port, { authorization: `Bearer ${token}` });
  }

  override async connect(signal: AbortSignal): Promise<HostFacts> {
    this.#isOpen = true;
    const { launchId, seams, version, pid } = await this.#call<Health>('health', {}, CALL_MS, signal);
    this.#abilities = ABILITIES.filter((ability) => isThere(seams, NEEDS[ability]));
    const limits = ABILITIES.flatMap((ability) => {
      const seam = NEEDS[ability];
      return isThere(seams, seam) ? [] : [`No ${ability}: this host has no service ${seam ?? ''}`];
    });
    const view = await this.#call<AsksView>('asks', {}, CALL_MS, signal);
    this.#tellAsks(view);
    this.#stream = new BridgeStream(this.#http, launchId, view.seq, {
      frame: (data) => this.#take(JSON.parse(data) as HostEvent),
      resync: () => this.#recover(),
      gone: (why) => this.#gone(why),
    });
    await this.#stream.open();
    return { abilities: this.#abilities, seams, version, pid, limits };
  }

  override close(): Promise<void> {
    this.#isOpen = false;
    this.#stream?.close();
    this.#http.close();
    return Promise.resolve();
  }

  override sessions(): Promise<readonly HostSession[]> {
    return this.#call('sessions');
  }

  override log(sessionId: string, since: number): Promise<readonly LogEvent[]> {
    return this.#call('log', { sessionId, since });
  }

  override createSession(wanted: { readonly cwd: string; readonly title?: string; readonly agent?: AgentOptions }): Promise<HostSession> {
    return this.#call('createSession', wanted);
  }

  override resume(sessionId: string): Promise<HostSession> {
    return this.#call('resume', { sessionId });
  }

  override async send(sessionId: string, text: string): Promise<void> {
    await this.#call('send', { sessionId, text });
  }

  override async cancel(sessionId: string): Promise<void> {
    await this.#call('cancel', { sessionId });
  }

  override async whenIdle(sessionId: string, signal: AbortSignal): Promise<void> {
    let isIdle = false;
    while (!isIdle) {
      signal.throwIfAborted();
      ({ isIdle } = await this.#call<{ readonly isIdle: boolean }>('idle', { sessionId }, IDLE_MS, signal));
    }
  }

  override async rename(sessionId: string, title: string): Promise<void> {
    await this.#call('rename', { sessionId, title });
  }

  override goal(sessionId: string): Promise<HostGoal | null> {
    return this.#able('goals', 'goal', { sessionId });
  }

  override createGoal(sessionId: string, wanted: { readonly objective: string; readonly maxRounds?: number }): Promise<HostGoal> {
    return this.#able('goals', 'createGoal', { sessionId, ...wanted });
  }

  override editGoal(
    sessionId: string,
    ref: GoalRef,
    wanted: { readonly objective?: string; readonly maxRounds?: number },
  ): Promise<HostGoal> {
    return this.#able('goals', 'editGoal', { sessionId, ref, ...wanted });
  }

  override pauseGoal(sessionId: string, ref: GoalRef): Promise<HostGoal> {
    return this.#able('goals', 'pauseGoal', { sessionId, ref });
  }

  override resumeGoal(sessionId: string, ref: GoalRef): Promise<HostGoal> {
    return this.#able('goals', 'resumeGoal', { sessionId, ref });
  }

  override async clearGoal(sessionId: string, ref: GoalRef): Promise<void> {
    await this.#able('goals', 'clearGoal', { sessionId, ref });
  }

  override answerApproval(handle: string, outcome: 'allowed-once' | 'rejected'): Promise<boolean> {
    return this.#answer('approvals', handle, outcome);
  }

  override answerQuestions(handle: string, answers: readonly QuestionAnswer[]): Promise<boolean> {
    return this.#answer('questions', handle, answers);
  }

  override workspaces(): Promise<readonly HostWorkspace[]> {
    return this.#able('workspaces', 'workspaces', {});
  }

  override registerWorkspace(path: string, title?: string): Promise<HostWorkspace> {
    return this.#able('workspaces', 'registerWorkspace', { path, ...(title !== undefined && { title }) });
  }

  override credentials(names: readonly string[]): Promise<readonly CredentialState[]> {
    return this.#able('credentials', 'credentials', { names });
  }

  async #answer(ability: HostAbility, handle: string, value: unknown): Promise<boolean> {
    const { accepted } = await this.#able<{ readonly accepted: boolean }>(ability, 'answer', { handle, value });
    return accepted;
  }

  #able<T>(ability: HostAbility, verb: string, args: unknown): Promise<T> {
    if (this.#isOpen && !this.#abilities.includes(ability))
      return Promise.reject(new AppError('HOST_CANNOT', `This host has no ${ability}`));
    return this.#call(verb, args);
  }

  async #call<T>(verb: string, args: unknown = {}, timeoutMs = CALL_MS, signal?: AbortSignal): Promise<T> {
    if (!this.#isOpen) throw unavailable('closed');
    const { status, body } = await this.#http.post('/call', { verb, args }, timeoutMs, signal);
    const { value, error } = (body ?? {}) as { value?: T; error?: { code: string; message: string } };
    if (status === 200) return value as T; // the bridge and this driver are one release
    const code = refusalOf(error?.code ?? '');
    throw new AppError(code, code === 'HOST_UNAVAILABLE' ? 'The host could not do it' : (error?.message ?? ''), {}, { cause: error });
  }

  #take(event: HostEvent): void {
    if (this.#recovering) void this.#recovering.then(() => this.#tell(event));
    else this.#tell(event);
  }

  /** Tells what is new; an event that a recovery has told already is left out. */
  #tell(event: HostEvent): void {
    if (!this.#isOpen) return;
    if (event.type === 'log') {
      const next = this.#next.get(event.sessionId) ?? event.event.seq;
      if (event.event.seq < next) return;
      this.#next.set(event.sessionId, event.event.seq + 1);
    }
    if (event.type === 'ask') {
      if (this.#parked.has(event.ask.handle)) return;
      this.#parked.set(event.ask.handle, event.ask);
    }
    if (event.type === 'askEnded') this.#parked.delete(event.handle);
    this.#events.next(event);
  }

  #tellAsks({ parked, ended }: AsksView): void {
    for (const end of ended) this.#tell({ type: 'askEnded', ...end });
    for (const ask of parked) this.#tell({ type: 'ask', ask });
  }

  #recover(): void {
    const work = this.#reread()
      .catch(() => this.#stream?.close())
      .finally(() => {
        if (this.#recovering === work) this.#recovering = undefined;
      });
    this.#recovering = work;
  }

  /** Frames were lost: reads what they said. An ask that is neither parked nor among the newest ends was withdrawn. */
  async #reread(): Promise<void> {
    const view = await this.#call<AsksView>('asks');
    const there = new Set([...view.parked, ...view.ended].map(({ handle }) => handle));
    for (const { handle, callId, sessionId } of [...this.#parked.values()].filter((ask) => !there.has(ask.handle)))
      this.#tell({ type: 'askEnded', handle, callId, sessionId, end: 'withdrawn' });
    this.#tellAsks({ ...view, ended: view.ended.filter(({ handle }) => this.#parked.has(handle)) });
    for (const session of await this.sessions()) {
      this.#tell({ type: 'session', session });
      if (session.status === null) continue;
      const since = this.#next.get(session.id);
      if (since !== undefined)
        for (const event of await this.log(session.id, since)) this.#tell({ type: 'log', sessionId: session.id, event });
      this.#tell({ type: 'status', sessionId: session.id, status: session.status });
    }
  }

  #gone(why: string): void {
    if (!this.#isOpen) return;
    this.#events.next({ type: 'gone', why });
    this.#isOpen = false;
    this.#http.close();
  }
}

function isThere(seams: Readonly<Record<string, boolean>>, seam: string | undefined): boolean {
  return seam === undefined || seams[seam] === true;
}
