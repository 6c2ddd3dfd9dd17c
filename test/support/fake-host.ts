import { Subject } from 'rxjs';
import { HOST_ABILITIES, type ErrorCode, type HostAbility } from '#contracts';
import { AppError } from '#platform';
import {
  HostDriver,
  type AgentOptions,
  type AskEnd,
  type CredentialState,
  type GoalRef,
  type HostEvent,
  type HostFacts,
  type HostGoal,
  type HostQuestion,
  type HostSession,
  type HostWorkspace,
  type LogEvent,
  type QuestionAnswer,
  type RaisedAsk,
} from '#relay';
import { FakeHostSession } from './fake-host-session.js';

interface Parked {
  readonly ask: RaisedAsk;
  readonly settle: (value: unknown, end: AskEnd) => void;
}

/**
 * A host in this process that behaves as the real one does, without a model: the marker words of a message or an objective say what
 * its agent does (DO_BASH, DO_ESCALATE, DO_ASK, DO_SLOW, DO_FAIL, DO_COMPLETE, DO_TOOL {"name":…,"arguments":{…}}).
 */
export class FakeHost extends HostDriver {
  readonly #events = new Subject<HostEvent>();
  override readonly events = this.#events.asObservable();
  readonly live = new Map<string, FakeHostSession>();
  /** What is on its disk: sessions survive a restart, live promises do not. */
  readonly cold = new Map<string, FakeHostSession>();
  readonly known: HostWorkspace[] = [];
  readonly parked = new Map<string, Parked>();
  #state: 'away' | 'connected' | 'gone' = 'away';
  #count = 0;

  /** `abilities`: what it can do; a test may take some away. `clock` gives the times of its log. */
  constructor(
    readonly abilities: readonly HostAbility[] = HOST_ABILITIES,
    readonly clock: () => number = Date.now,
  ) {
    super();
  }

  override connect(): Promise<HostFacts> {
    this.#state = 'connected';
    for (const { ask } of this.parked.values()) this.tell({ type: 'ask', ask });
    const limits = HOST_ABILITIES.filter((ability) => !this.abilities.includes(ability)).map((ability) => `This host has no ${ability}`);
    return Promise.resolve({ abilities: this.abilities, seams: { agents: true }, version: '0.0.0-fake', pid: null, limits });
  }

  override close(): Promise<void> {
    if (this.#state === 'connected') this.#state = 'away';
    return Promise.resolve();
  }

  /** The process dies: live promises are lost, logs end where they are. */
  die(why = 'The host process ended'): void {
    this.parked.clear(); // first: what dies tells nothing of its promises
    for (const session of this.live.values()) session.die();
    for (const [id, session] of this.live) this.cold.set(id, session);
    this.live.clear();
    this.tell({ type: 'gone', why });
    this.#state = 'gone';
  }

  /** Stops in an orderly way: parked approvals end cancelled, questions with no answers. */
  stop(): void {
    for (const { ask, settle } of [...this.parked.values()]) settle(ask.kind === 'approval' ? 'cancelled' : [], 'stopped');
    this.die('The host was stopped');
  }

  tell(event: HostEvent): void {
    if (this.#state === 'connected') this.#events.next(event);
  }

  nextId(kind: string): string {
    this.#count += 1;
    return `${kind}-${String(this.#count)}`;
  }

  /** Opens a live promise and tells of it; `signal` withdraws it. */
  park<T>(ask: RaisedAsk, signal: AbortSignal, withdrawn: T): Promise<T> {
    return new Promise((resolve) => {
      const leave = (value: unknown, end: AskEnd): void => {
        if (!this.parked.delete(ask.handle)) return;
        resolve(value as T);
        this.tell({ type: 'askEnded', handle: ask.handle, callId: ask.callId, sessionId: ask.sessionId, end });
      };
      this.parked.set(ask.handle, { ask, settle: leave });
      signal.addEventListener('abort', () => leave(withdrawn, 'withdrawn'), { once: true });
      this.tell({ type: 'ask', ask });
    });
  }

  /** An approval that nobody's message led to. Resolves with the outcome; `unavailable` when the host dies. */
  raiseApproval(sessionId: string, command: string, options: { callId?: string; toolName?: string } = {}): Promise<string> {
    return this.#live(sessionId)
      .approval(options.toolName ?? 'bash', { description: 'fake step', command }, options.callId)
      .catch(() => 'unavailable');
  }

  raiseQuestions(sessionId: string, questions: readonly HostQuestion[], callId?: string): Promise<readonly QuestionAnswer[]> {
    return this.#live(sessionId)
      .questions(questions, callId)
      .catch(() => []);
  }

  /** Somebody answers at the host's own screen. */
  answerElsewhere(handle: string, value: unknown): void {
    this.parked.get(handle)?.settle(value, 'answered_elsewhere');
  }

  /** Writes a line into a session's log, as a host of another version may. */
  append(sessionId: string, type: string, data: Readonly<Record<string, unknown>>): LogEvent {
    return (this.live.get(sessionId) ?? this.#cold(sessionId)).append(type, data);
  }

  override sessions(): Promise<readonly HostSession[]> {
    return this.#can('sessions', () => [...this.live.values(), ...this.cold.values()].map((session) => session.view()));
  }

  override log(sessionId: string, since: number): Promise<readonly LogEvent[]> {
    return this.#can('eventLog', () => (this.live.get(sessionId) ?? this.#cold(sessionId)).events.filter(({ seq }) => seq >= since));
  }

  override createSession({ cwd, title }: { cwd: string; title?: string; agent?: AgentOptions }): Promise<HostSession> {
    return this.#can('sessions', () => {
      if (this.abilities.includes('workspaces') && !this.known.some(({ path }) => path === cwd))
        refuse('WORKSPACE_NOT_FOUND', 'The host does not know this folder');
      const session = new FakeHostSession(this, this.nextId('session'), cwd, title ?? null);
      this.live.set(session.id, session);
      this.#attach(cwd, session.id);
      this.tell({ type: 'session', session: session.view() });
      return session.view();
    });
  }

  override resume(sessionId: string): Promise<HostSession> {
    return this.#can('sessions', () => {
      const found = this.live.get(sessionId) ?? this.#cold(sessionId);
      if (this.cold.delete(sessionId)) {
        this.live.set(sessionId, found);
        found.wake();
        this.tell({ type: 'session', session: found.view() });
      }
      return found.view();
    });
  }

  override send(sessionId: string, text: string): Promise<void> {
    return this.#can('messages', () => this.#live(sessionId).say(text));
  }

  override cancel(sessionId: string): Promise<void> {
    return this.#can('cancel', () => this.#live(sessionId).cancel());
  }

  override async whenIdle(sessionId: string, signal: AbortSignal): Promise<void> {
    await this.#can('sessions', () => this.#live(sessionId).whenIdle(signal));
  }

  override rename(sessionId: string, title: string): Promise<void> {
    return this.#can('sessions', () => {
      const session = this.#live(sessionId);
      session.title = title;
      session.append('session/title', { title, source: { kind: 'user' } });
    });
  }

  override goal(sessionId: string): Promise<HostGoal | null> {
    return this.#can('goals', () => this.#live(sessionId).goal);
  }

  override createGoal(sessionId: string, wanted: { objective: string; maxRounds?: number }): Promise<HostGoal> {
    return this.#can('goals', () => this.#live(sessionId).createGoal(wanted));
  }

  override editGoal(sessionId: string, ref: GoalRef, wanted: { objective?: string; maxRounds?: number }): Promise<HostGoal> {
    return this.#can('goals', () => this.#live(sessionId).editGoal(ref, wanted));
  }

  override pauseGoal(sessionId: string, ref: GoalRef): Promise<HostGoal> {
    return this.#can('goals', () => this.#live(sessionId).pauseGoal(ref));
  }

  override resumeGoal(sessionId: string, ref: GoalRef): Promise<HostGoal> {
    return this.#can('goals', () => this.#live(sessionId).resumeGoal(ref));
  }

  override clearGoal(sessionId: string, ref: GoalRef): Promise<void> {
    return this.#can('goals', () => this.#live(sessionId).clearGoal(ref));
  }

  override answerApproval(handle: string, outcome: 'allowed-once' | 'rejected'): Promise<boolean> {
    return this.#can('approvals', () => this.#answer(handle, outcome));
  }

  override answerQuestions(handle: string, answers: readonly QuestionAnswer[]): Promise<boolean> {
    return this.#can('questions', () => this.#answer(handle, answers));
  }

  override workspaces(): Promise<readonly HostWorkspace[]> {
    return this.#can('workspaces', () => this.known);
  }

  override registerWorkspace(path: string, title = path): Promise<HostWorkspace> {
    return this.#can('workspaces', () => {
      const found = this.known.find((workspace) => workspace.path === path);
      if (found) return found;
      const made: HostWorkspace = { id: this.nextId('workspace'), path, title, sessionIds: [] };
      this.known.push(made);
      return made;
    });
  }

  override credentials(names: readonly string[]): Promise<readonly CredentialState[]> {
    return this.#can('credentials', () =>
      names.map((name) => {
        const configured = name === 'DEEPSEEK_API_KEY';
        return { name, configured, source: configured ? 'env' : null };
      }),
    );
  }

  #answer(handle: string, value: unknown): boolean {
    const parked = this.parked.get(handle);
    parked?.settle(value, 'applied');
    return parked !== undefined;
  }

  #attach(cwd: string, sessionId: string): void {
    const at = this.known.findIndex(({ path }) => path === cwd);
    const workspace = this.known[at];
    if (workspace) this.known[at] = { ...workspace, sessionIds: [...workspace.sessionIds, sessionId] };
  }

  #live(sessionId: string): FakeHostSession {
    const session = this.live.get(sessionId);
    if (session) return session;
    this.#cold(sessionId);
    return refuse('SESSION_NOT_LIVE', 'The session is not loaded');
  }

  #cold(sessionId: string): FakeHostSession {
    return this.cold.get(sessionId) ?? refuse('SESSION_NOT_FOUND', 'No such session');
  }

  async #can<T>(ability: HostAbility, work: () => T | Promise<T>): Promise<T> {
    await Promise.resolve();
    if (this.#state !== 'connected') refuse('HOST_UNAVAILABLE', 'The host does not answer');
    if (!this.abilities.includes(ability)) refuse('HOST_CANNOT', `This host has no ${ability}`);
    return work();
  }
}

export function refuse(code: ErrorCode, message: string): never {
  throw new AppError(code, message);
}
