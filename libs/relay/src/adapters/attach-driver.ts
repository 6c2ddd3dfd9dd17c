import { setTimeout as after } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { HOST_ABILITIES } from '#contracts';
import { AppError } from '#platform';
import { refusalOf } from '../core/host-refusals.js';
import {
  HostDriver,
  type AgentOptions,
  type CredentialState,
  type HostEvent,
  type HostFacts,
  type HostGoal,
  type HostQuestion,
  type HostSession,
  type HostWorkspace,
  type LogEvent,
  type QuestionAnswer,
  type RaisedAsk,
} from '../host-driver.js';
import { LoopbackHttp, unavailable } from './loopback-http.js';
import { openCalls, type OpenCall } from './open-calls.js';

const CALL_MS = 30_000;
const OPEN_WITHIN_MS = 5_000;
/** Asks that wait already are sent again right after the sockets are open. */
const SETTLE_MS = 150;
const WHOLE_LOG = 100_000;
const STREAMS = ['events.host', 'events.mux'];
const ABILITIES = HOST_ABILITIES.filter((ability) => ability !== 'goals');
const LIMITS = [
  'No goals: the web API of this host does not tell whether a goal is armed',
  'Its own pages show the same asks: the first answer wins',
  'Its web API has no login: whoever reaches its port drives it',
];

interface Frame {
  readonly rpcId: string;
  readonly payload: { readonly type: string; readonly sessionId: string } & Readonly<Record<string, unknown>>;
}

interface ListedSession {
  readonly sessionId: string;
  readonly updatedAt: number;
  readonly running: boolean;
  readonly cwd: string;
  readonly projections?: { readonly asOfSeq: number; readonly values: { readonly title?: string | null } };
}

interface ListedWorkspace {
  readonly workspaceId: string;
  readonly path: string;
  readonly title: string;
  readonly sessionIds: readonly string[];
}

interface Parked {
  readonly ask: RaisedAsk;
  readonly rpcId: string;
  isAnswered: boolean;
}

/** Drives a host that a person has started, through its own web API. It takes nothing from that person: both see every ask. */
export class AttachDriver extends HostDriver {
  readonly #events = new Subject<HostEvent>();
  override readonly events = this.#events.asObservable();
  readonly #url: URL;
  readonly #http: LoopbackHttp;
  #sockets: readonly WebSocket[] = [];
  #isOpen = false;
  #count = 0;
  readonly #parked = new Map<string, Parked>();
  readonly #running = new Set<string>();
  readonly #calls = new Map<string, Map<string, OpenCall>>();
  #idle: (() => void)[] = [];

  constructor(url: string) {
    super();
    this.#url = new URL(url);
    this.#http = new LoopbackHttp(Number(this.#url.port || 80), {}, this.#url.hostname);
  }

  override async connect(signal: AbortSignal): Promise<HostFacts> {
    this.#isOpen = true;
    const { version } = await this.#rpc<{ readonly version: string }>('host.describe', {}, signal);
    for (const session of await this.#listed()) if (session.running) this.#running.add(session.sessionId);
    this.#sockets = await Promise.all(STREAMS.map((name) => this.#socket(name, signal)));
    await after(SETTLE_MS);
    return { abilities: ABILITIES, seams: { webApi: true, webSockets: true }, version, pid: null, limits: LIMITS };
  }

  override close(): Promise<void> {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.close();
    this.#http.close();
    return Promise.resolve();
  }

  override async sessions(): Promise<readonly HostSession[]> {
    return (await this.#listed()).map(toSession);
  }

  override async log(sessionId: string, since: number): Promise<readonly LogEvent[]> {
    const history = await this.#rpc<{ readonly events: readonly { readonly event: LogEvent }[] }>('session.history', {
      sessionId,
      maxMessages: WHOLE_LOG,
    });
    return history.events.map(({ event }) => event).filter(({ seq }) => seq >= since);
  }

  override async createSession({
    cwd,
    title,
    agent,
  }: {
    readonly cwd: string;
    readonly title?: string;
    readonly agent?: AgentOptions;
  }): Promise<HostSession> {
    if (agent) throw new AppError('HOST_CANNOT', 'The model of this host is chosen on its own pages');
    const workspace = (await this.#workspaces()).find(({ path }) => path === cwd);
    if (!workspace) throw new AppError('WORKSPACE_NOT_FOUND', 'The host does not know this folder');
    const { sessionId } = await this.#rpc<{ readonly sessionId: string }>('session.create', {
      workspaceId: workspace.workspaceId,
      agentPreset: 'standard',
    });
    if (title !== undefined) await this.rename(sessionId, title);
    return this.resume(sessionId);
  }

  /** The host loads a session by itself when it is spoken to. */
  override async resume(sessionId: string): Promise<HostSession> {
    const found = (await this.sessions()).find(({ id }) => id === sessionId);
    if (!found) throw new AppError('SESSION_NOT_FOUND', 'No such session');
    return found;
  }

  override async send(sessionId: string, text: string): Promise<void> {
    this.#running.add(sessionId); // before it is sent: its first news may come before the answer
    try {
      await this.#rpc('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] });
    } catch (error) {
      this.#running.delete(sessionId);
      throw error;
    }
  }

  override async cancel(sessionId: string): Promise<void> {
    await this.#rpc('session.cancel', { sessionId });
  }

  override async whenIdle(sessionId: string, signal: AbortSignal): Promise<void> {
    while (this.#running.has(sessionId)) {
      if (!this.#isOpen) throw unavailable('closed');
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  override async rename(sessionId: string, title: string): Promise<void> {
    await this.#rpc('session.rename', { sessionId, title });
  }

  override readonly goal = (): Promise<HostGoal | null> => this.#noGoals();
  override readonly createGoal = (): Promise<HostGoal> => this.#noGoals();
  override readonly editGoal = (): Promise<HostGoal> => this.#noGoals();
  override readonly pauseGoal = (): Promise<HostGoal> => this.#noGoals();
  override readonly resumeGoal = (): Promise<HostGoal> => this.#noGoals();
  override readonly clearGoal = (): Promise<void> => this.#noGoals();

  override answerApproval(handle: string, outcome: 'allowed-once' | 'rejected'): Promise<boolean> {
    return this.#answer(handle, ({ sessionId }) => ({ sessionId, approvalId: handle, outcome }));
  }

  override answerQuestions(handle: string, answers: readonly QuestionAnswer[]): Promise<boolean> {
    return this.#answer(handle, ({ sessionId }) => ({ sessionId, answer: { answers } }));
  }

  override async workspaces(): Promise<readonly HostWorkspace[]> {
    return (await this.#workspaces()).map(toWorkspace);
  }

  override async registerWorkspace(path: string): Promise<HostWorkspace> {
    const { workspace } = await this.#rpc<{ readonly workspace: ListedWorkspace }>('workspace.create', { path });
    return toWorkspace(workspace);
  }

  override async credentials(names: readonly string[]): Promise<readonly CredentialState[]> {
    const { credentials } = await this.#rpc<{
      readonly credentials: Readonly<Record<string, { readonly configured: boolean; readonly source?: string }>>;
    }>('credentials.describe', { refs: names });
    return names.map((name) => ({ name, configured: credentials[name]?.configured ?? false, source: credentials[name]?.source ?? null }));
  }

  async #answer(handle: string, valueOf: (ask: RaisedAsk) => unknown): Promise<boolean> {
    if (!this.#isOpen) throw unavailable('closed');
    const parked = this.#parked.get(handle);
    if (!parked || parked.isAnswered) return false;
    parked.isAnswered = true;
    const body = { type: 'client-response', rpcId: parked.rpcId, result: { ok: true, value: valueOf(parked.ask) } };
    const { body: said } = await this.#http.post('/api/respond', body, CALL_MS);
    const isAccepted = JSON.stringify(said).includes('"accepted":true');
    if (!isAccepted) parked.isAnswered = false; // somebody was first: its end is told by the host
    return isAccepted;
  }

  async #listed(): Promise<readonly ListedSession[]> {
    return (await this.#rpc<{ readonly items: readonly ListedSession[] }>('session.list', {})).items;
  }

  async #workspaces(): Promise<readonly ListedWorkspace[]> {
    return (await this.#rpc<{ readonly items: readonly ListedWorkspace[] }>('workspace.list', {})).items;
  }

  async #rpc<T>(method: string, payload: unknown, signal?: AbortSignal): Promise<T> {
    if (!this.#isOpen) throw unavailable('closed');
    this.#count += 1;
    const body = { type: 'client-request', rpcId: `countersign-${String(this.#count)}`, method, payload };
    const answer = await this.#http.post(`/api/${method}`, body, CALL_MS, signal);
    const { result } = (answer.body ?? {}) as {
      result?: { ok: boolean; value: T; error?: { code: string; message: string; details?: { goalCode?: string } } };
    };
    if (result?.ok) return result.value;
    const said = result?.error;
    const code = said?.code === 'session-not-found' ? 'SESSION_NOT_FOUND' : refusalOf(said?.details?.goalCode ?? said?.code ?? '');
    throw new AppError(code, code === 'HOST_UNAVAILABLE' ? 'The host could not do it' : (said?.message ?? ''), {}, { cause: said });
  }

  #socket(name: string, signal: AbortSignal): Promise<WebSocket> {
    const socket = new WebSocket(`ws://${this.#url.host}/api/${name}`);
    socket.addEventListener('message', ({ data }) => void this.#take(JSON.parse(String(data)) as Frame));
    socket.addEventListener('close', () => this.#gone());
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        socket.close();
        reject(unavailable('the event socket does not open'));
      };
      const timer = setTimeout(fail, OPEN_WITHIN_MS);
      signal.addEventListener('abort', fail, { once: true });
      socket.addEventListener('error', fail, { once: true });
      socket.addEventListener('open', () => {
        clearTimeout(timer);
        resolve(socket);
      });
    });
  }

  async #take({ rpcId, payload }: Frame): Promise<void> {
    if (!this.#isOpen) return;
    const { sessionId } = payload;
    switch (payload.type) {
      case 'session/event': {
        this.#log(sessionId, payload['event'] as LogEvent);
        return;
      }
      case 'host/session-status': {
        this.#status(sessionId, payload['running'] === true);
        return;
      }
      case 'host/session-added': {
        const cwd = String(payload['cwd']);
        const session: HostSession = { id: sessionId, cwd, createdAt: Date.now(), status: 'idle', seq: null, title: null };
        this.#events.next({ type: 'session', session });
        return;
      }
      case 'approval/requested': {
        const { approvalId, toolName, callId, reason } = payload as unknown as Readonly<
          Record<'approvalId' | 'toolName' | 'callId' | 'reason', string | undefined>
        >;
        const args = callId === undefined ? undefined : (await this.#callsOf(sessionId)).get(callId)?.arguments;
        const handle = approvalId ?? rpcId;
        const ask = {
          kind: 'approval',
          handle,
          sessionId,
          callId: callId ?? handle,
          toolName: toolName ?? '',
          reason: reason ?? null,
          arguments: args ?? null,
        } as const;
        this.#park(ask, rpcId);
        return;
      }
      case 'question/requested': {
        const questions = payload['questions'] as readonly HostQuestion[];
        const callId = questionCall(await this.#callsOf(sessionId), questions) ?? rpcId;
        this.#park({ kind: 'questions', handle: rpcId, sessionId, callId, questions }, rpcId);
        return;
      }
      case 'approval/resolved': {
        this.#resolved(String(payload['approvalId']), payload['outcome']);
        return;
      }
      case 'question/resolved': {
        this.#resolved(String(payload['questionRpcId']), payload['outcome']);
        return;
      }
    }
  }

  #log(sessionId: string, event: LogEvent): void {
    const { type, seq, time, data } = event;
    const calls = this.#calls.get(sessionId);
    if (calls) openCalls([event], calls);
    this.#events.next({ type: 'log', sessionId, event: { type, seq, time, data } });
  }

  #status(sessionId: string, isRunning: boolean): void {
    if (isRunning) this.#running.add(sessionId);
    else this.#running.delete(sessionId);
    this.#events.next({ type: 'status', sessionId, status: isRunning ? 'running' : 'idle' });
    for (const wake of this.#idle.splice(0)) wake();
  }

  /** The open calls of a session: read once, then kept up with. */
  async #callsOf(sessionId: string): Promise<ReadonlyMap<string, OpenCall>> {
    const known = this.#calls.get(sessionId);
    if (known) return known;
    const calls = openCalls(await this.log(sessionId, 0).catch(() => []), new Map());
    this.#calls.set(sessionId, calls);
    return calls;
  }

  #park(ask: RaisedAsk, rpcId: string): void {
    if (this.#parked.has(ask.handle)) return;
    this.#parked.set(ask.handle, { ask, rpcId, isAnswered: false });
    this.#events.next({ type: 'ask', ask });
  }

  #resolved(handle: string, outcome: unknown): void {
    const parked = this.#parked.get(handle);
    if (!parked) return;
    this.#parked.delete(handle);
    const { callId, sessionId } = parked.ask;
    const end = outcome === 'cancelled' ? 'withdrawn' : parked.isAnswered ? 'applied' : 'answered_elsewhere';
    this.#events.next({ type: 'askEnded', handle, callId, sessionId, end });
  }

  #gone(): void {
    if (!this.#isOpen || this.#sockets.length === 0) return;
    this.#events.next({ type: 'gone', why: 'The host closed its event sockets' });
    void this.close();
    for (const wake of this.#idle.splice(0)) wake();
  }

  #noGoals(): Promise<never> {
    return Promise.reject(this.#isOpen ? new AppError('HOST_CANNOT', LIMITS[0] ?? '') : unavailable('closed'));
  }
}

function questionCall(calls: ReadonlyMap<string, OpenCall>, questions: readonly HostQuestion[]): string | undefined {
  const ids = JSON.stringify(questions.map(({ id }) => id));
  return [...calls].findLast(([, { name, questionIds }]) => name === 'ask_user_question' && questionIds === ids)?.[0];
}

function toSession({ sessionId, updatedAt, running, cwd, projections }: ListedSession): HostSession {
  const seq = projections ? projections.asOfSeq + 1 : null;
  return { id: sessionId, cwd, createdAt: updatedAt, status: running ? 'running' : 'idle', seq, title: projections?.values.title ?? null };
}

function toWorkspace({ workspaceId, path, title, sessionIds }: ListedWorkspace): HostWorkspace {
  return { id: workspaceId, path, title, sessionIds };
}
