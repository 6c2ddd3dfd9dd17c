import { randomUUID } from 'node:crypto';
import {
  client,
  type ClientConnection,
  type InitializeResponse,
  ndJsonStream,
  type NewSessionResponse,
  type PromptResponse,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { Subject } from 'rxjs';
import type { HostAbility } from '#contracts';
import { AppError } from '#platform';
import {
  HostDriver,
  type AgentOptions,
  type AskEnd,
  type HostEvent,
  type HostFacts,
  type HostSession,
  type RaisedApproval,
} from '../host-driver.js';
import type { AgentProcess } from '../supervisor/agent-process.js';
import { AcpSession } from './acp-session.js';
import { unavailable } from './loopback-http.js';

const ABILITIES: readonly HostAbility[] = ['sessions', 'messages', 'cancel', 'approvals'];
const LIMITS = [
  'No goals: the protocol knows none',
  'No questions: the protocol has no way to ask them',
  'No log, no titles: sessions are known for as long as this connection stands, and end with it',
  'No workspaces, no credentials: the agent keeps its own',
];

interface Parked {
  readonly ask: RaisedApproval;
  readonly options: RequestPermissionRequest['options'];
  readonly settle: (response: RequestPermissionResponse, end: AskEnd) => void;
}

/** Drives any agent that speaks the Agent Client Protocol on its standard streams. Its process lives and ends with the connection. */
export class AcpDriver extends HostDriver {
  readonly #events = new Subject<HostEvent>();
  override readonly events = this.#events.asObservable();
  #process: AgentProcess | undefined;
  #connection: ClientConnection | undefined;
  #isOpen = false;
  readonly #sessions = new Map<string, AcpSession>();
  readonly #parked = new Map<string, Parked>();

  constructor(
    private readonly start: () => AgentProcess,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  override async connect(signal: AbortSignal): Promise<HostFacts> {
    const agent = this.start();
    this.#process = agent;
    this.#isOpen = true;
    const app = client({ name: 'countersign' })
      .onRequest('session/request_permission', ({ params, signal: withdrawn }) => this.#permission(params, withdrawn))
      .onNotification('session/update', ({ params }) => this.#sessions.get(params.sessionId)?.take(params.update));
    this.#connection = app.connect(ndJsonStream(agent.input, agent.output));
    this.#connection.closed.catch(() => undefined); // the end of the process says it
    const why = new Promise<never>((_resolve, reject) => {
      void agent.ended.then((reason) => reject(new AppError('HOST_UNAVAILABLE', reason)));
      signal.addEventListener('abort', () => reject(unavailable('aborted')), { once: true });
    });
    const clientInfo = { name: 'countersign', version: '1' };
    const hello = this.#connection.agent.request<InitializeResponse>('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo,
    });
    const { agentInfo, protocolVersion } = await Promise.race([hello, why]);
    void agent.ended.then((reason) => this.#gone(reason));
    const version = agentInfo ? `${agentInfo.name} ${agentInfo.version}` : null;
    return { abilities: ABILITIES, seams: { [`protocol ${String(protocolVersion)}`]: true }, version, pid: agent.pid, limits: LIMITS };
  }

  override async close(): Promise<void> {
    this.#isOpen = false;
    this.#connection?.close();
    await this.#process?.end();
  }

  override async sessions(): Promise<readonly HostSession[]> {
    await this.#agent();
    return [...this.#sessions.values()].map((session) => session.view());
  }

  override async createSession({
    cwd,
    title,
    agent: wanted,
  }: {
    readonly cwd: string;
    readonly title?: string;
    readonly agent?: AgentOptions;
  }): Promise<HostSession> {
    if (wanted) throw new AppError('HOST_CANNOT', 'The model of this agent is its own matter');
    const agent = await this.#agent();
    const { sessionId } = await this.#asked(agent.request<NewSessionResponse>('session/new', { cwd, mcpServers: [] }));
    const session = new AcpSession(sessionId, cwd, title ?? null, this.now, (event) => this.#tell(event));
    this.#sessions.set(sessionId, session);
    this.#tell({ type: 'session', session: session.view() });
    return session.view();
  }

  override async resume(sessionId: string): Promise<HostSession> {
    return (await this.#session(sessionId)).view();
  }

  override async send(sessionId: string, text: string): Promise<void> {
    const session = await this.#session(sessionId);
    session.queue.push(text);
    if (session.status === 'idle') void this.#turns(session);
  }

  override async cancel(sessionId: string): Promise<void> {
    const session = await this.#session(sessionId);
    session.queue.length = 0;
    if (session.status === 'idle') return;
    for (const { ask, settle } of [...this.#parked.values()])
      if (ask.sessionId === sessionId) settle({ outcome: { outcome: 'cancelled' } }, 'withdrawn');
    await (await this.#agent()).notify('session/cancel', { sessionId });
  }

  override async whenIdle(sessionId: string, signal: AbortSignal): Promise<void> {
    await (await this.#session(sessionId)).whenIdle(signal);
    if (!this.#isOpen) throw unavailable('closed');
  }

  override async answerApproval(handle: string, outcome: 'allowed-once' | 'rejected'): Promise<boolean> {
    await this.#agent();
    const parked = this.#parked.get(handle);
    if (!parked) return false;
    const kind = outcome === 'allowed-once' ? 'allow_once' : 'reject_once';
    const option = parked.options.find((each) => each.kind === kind);
    if (!option) throw new AppError('HOST_CANNOT', `This agent does not offer the answer ${outcome}`);
    parked.settle({ outcome: { outcome: 'selected', optionId: option.optionId } }, 'applied');
    return true;
  }

  override readonly log = (): Promise<never> => this.#cannot('log');
  override readonly rename = (): Promise<never> => this.#cannot('titles');
  override readonly goal = (): Promise<never> => this.#cannot('goals');
  override readonly createGoal = (): Promise<never> => this.#cannot('goals');
  override readonly editGoal = (): Promise<never> => this.#cannot('goals');
  override readonly pauseGoal = (): Promise<never> => this.#cannot('goals');
  override readonly resumeGoal = (): Promise<never> => this.#cannot('goals');
  override readonly clearGoal = (): Promise<never> => this.#cannot('goals');
  override readonly answerQuestions = (): Promise<never> => this.#cannot('questions');
  override readonly workspaces = (): Promise<never> => this.#cannot('workspaces');
  override readonly registerWorkspace = (): Promise<never> => this.#cannot('workspaces');
  override readonly credentials = (): Promise<never> => this.#cannot('credentials');

  /** The protocol takes one prompt at a time; the next one waits here. */
  async #turns(session: AcpSession): Promise<void> {
    session.move('running');
    for (let text = session.queue.shift(); text !== undefined; text = session.queue.shift()) {
      session.begin(text);
      try {
        const agent = await this.#agent();
        const prompt = [{ type: 'text', text } as const];
        session.end((await agent.request<PromptResponse>('session/prompt', { sessionId: session.id, prompt })).stopReason);
      } catch (error) {
        session.end({ error: error instanceof Error ? error.message : 'The prompt failed' });
      }
    }
    session.move('idle');
  }

  #permission({ sessionId, toolCall, options }: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const handle = randomUUID();
    const { toolCallId: callId, title, rawInput } = toolCall;
    const args = rawInput === undefined || rawInput === null ? null : JSON.stringify(rawInput);
    const ask = { kind: 'approval', handle, sessionId, callId, toolName: title ?? '', reason: title ?? null, arguments: args } as const;
    return new Promise((resolve) => {
      const settle = (response: RequestPermissionResponse, end: AskEnd): void => {
        if (!this.#parked.delete(handle)) return;
        resolve(response);
        this.#tell({ type: 'askEnded', handle, callId, sessionId, end });
      };
      this.#parked.set(handle, { ask, options, settle });
      signal.addEventListener('abort', () => settle({ outcome: { outcome: 'cancelled' } }, 'withdrawn'), { once: true });
      this.#tell({ type: 'ask', ask });
    });
  }

  #gone(why: string): void {
    if (!this.#isOpen) return;
    this.#tell({ type: 'gone', why });
    this.#isOpen = false;
    this.#connection?.close();
    for (const session of this.#sessions.values()) session.move('idle');
  }

  #tell(event: HostEvent): void {
    if (this.#isOpen) this.#events.next(event);
  }

  async #asked<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      throw new AppError('HOST_UNAVAILABLE', 'The agent could not do it', {}, { cause });
    }
  }

  async #session(sessionId: string): Promise<AcpSession> {
    await this.#agent();
    const session = this.#sessions.get(sessionId);
    if (!session) throw new AppError('SESSION_NOT_FOUND', 'No such session');
    return session;
  }

  #agent(): Promise<ClientConnection['agent']> {
    return this.#isOpen && this.#connection ? Promise.resolve(this.#connection.agent) : Promise.reject(unavailable('closed'));
  }

  #cannot(what: string): Promise<never> {
    return Promise.reject(this.#isOpen ? new AppError('HOST_CANNOT', `An agent of this protocol has no ${what}`) : unavailable('closed'));
  }
}
