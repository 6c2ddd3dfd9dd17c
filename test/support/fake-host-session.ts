import { setImmediate as soon } from 'node:timers/promises';
import type { GoalRef, HostGoal, HostQuestion, HostSession, HostSessionStatus, LogEvent, QuestionAnswer } from '#relay';
import { type FakeHost, refuse } from './fake-host.js';

const DEFAULT_ROUNDS = 256;
const ESCALATE = {
  description: 'fake step',
  command: 'echo escalated',
  sandbox_permissions: 'danger-full-access',
  justification: 'Need to write outside the workspace.',
};
const QUESTIONS: readonly HostQuestion[] = [
  { id: 'q1', question: 'Which colour?', header: 'Colour', options: [{ label: 'red' }, { label: 'blue' }] },
  { id: 'q2', question: 'Free text?' },
];

interface Turn {
  readonly text: string;
  readonly isRound: boolean;
}

class Stopped extends Error {}

/** One session of a fake host: its log, its turns and its goal. */
export class FakeHostSession {
  readonly events: LogEvent[] = [];
  readonly createdAt: number;
  goal: HostGoal | null = null;
  #status: HostSessionStatus | null = 'idle';
  #turn = 0;
  #stop = new AbortController();
  readonly #queue: string[] = [];
  #idle: (() => void)[] = [];

  constructor(
    private readonly host: FakeHost,
    readonly id: string,
    readonly cwd: string,
    public title: string | null,
  ) {
    this.createdAt = host.clock();
    this.append('approval/policy', { policy: 'ask' });
    if (title !== null) this.append('session/title', { title, source: { kind: 'user' } });
  }

  view(): HostSession {
    return { id: this.id, cwd: this.cwd, createdAt: this.createdAt, status: this.#status, seq: this.events.length, title: this.title };
  }

  append(type: string, data: Readonly<Record<string, unknown>>): LogEvent {
    const event: LogEvent = { type, seq: this.events.length, time: this.host.clock(), data };
    this.events.push(event);
    this.host.tell({ type: 'log', sessionId: this.id, event });
    return event;
  }

  say(text: string): void {
    this.#queue.push(text);
    void this.#run();
  }

  cancel(): void {
    if (this.#status !== 'running') return;
    this.#queue.length = 0;
    if (this.goal?.phase === 'active' && this.goal.activation === 'armed')
      this.#change('pause', { phase: 'paused', activation: 'disarmed' });
    this.#stop.abort();
  }

  whenIdle(signal: AbortSignal): Promise<void> {
    if (this.#status !== 'running') return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#idle.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  /** The process is gone: nothing more is written. */
  die(): void {
    this.#stop.abort(new Stopped());
    this.#status = null;
    if (this.goal) this.goal = { ...this.goal, activation: 'disarmed' };
  }

  /** As a real host does when it loads the log of a turn that was cut. */
  wake(): void {
    this.#stop = new AbortController();
    const last = this.events.findLast(({ type }) => type === 'turn/start' || type === 'turn/end');
    if (last?.type === 'turn/start') this.append('turn/end', { turn: this.#turn, reason: { kind: 'interrupted' } });
    this.#status = 'idle';
  }

  createGoal({ objective, maxRounds = DEFAULT_ROUNDS }: { objective: string; maxRounds?: number }): HostGoal {
    if (this.goal && this.goal.phase !== 'complete') refuse('GOAL_ALREADY_EXISTS', 'The session has a goal');
    if (objective.trim() === '' || maxRounds < 1) refuse('GOAL_INVALID', 'The goal is not valid');
    const now = this.host.clock();
    this.goal = {
      ...{ id: this.host.nextId('goal'), revision: 0, objective, phase: 'active', activation: 'armed', blockedReason: null },
      ...{ maxRounds, roundsStarted: 0, createdAt: now, updatedAt: now },
    };
    const made = this.#change('create', {});
    void this.#run();
    return made;
  }

  editGoal(ref: GoalRef, { objective, maxRounds }: { objective?: string; maxRounds?: number }): HostGoal {
    this.#same(ref);
    if (objective === undefined && maxRounds === undefined) refuse('GOAL_INVALID', 'Nothing to change');
    return this.#change('edit', { ...(objective !== undefined && { objective }), ...(maxRounds !== undefined && { maxRounds }) });
  }

  async pauseGoal(ref: GoalRef): Promise<HostGoal> {
    const goal = this.#same(ref);
    if (goal.phase !== 'active') refuse('GOAL_INVALID_TRANSITION', `A goal that is ${goal.phase} cannot be paused`);
    if (this.#status === 'running') {
      this.cancel();
      await this.whenIdle(new AbortController().signal);
      const { phase, revision } = this.goal ?? goal;
      if (this.goal && phase === 'paused' && revision === ref.revision + 1) return this.goal;
    }
    this.#same(ref);
    return this.#change('pause', { phase: 'paused', activation: 'disarmed' });
  }

  resumeGoal(ref: GoalRef): HostGoal {
    const goal = this.#same(ref);
    const isStopped = goal.phase === 'paused' || goal.phase === 'blocked' || (goal.phase === 'active' && goal.activation === 'disarmed');
    if (!isStopped || goal.roundsStarted >= goal.maxRounds)
      refuse('GOAL_INVALID_TRANSITION', `A goal that is ${goal.phase} cannot be resumed`);
    const resumed = this.#change('resume', { phase: 'active', activation: 'armed', blockedReason: null });
    void this.#run();
    return resumed;
  }

  clearGoal(ref: GoalRef): void {
    const goal = this.#same(ref);
    this.goal = null;
    this.#tellGoal('clear', { id: goal.id, revision: goal.revision + 1 });
  }

  async approval(toolName: string, args: Readonly<Record<string, unknown>>, callId = this.host.nextId('call')): Promise<string> {
    const text = JSON.stringify(args);
    this.append('tool/call', { turn: this.#turn, step: 1, callId, name: toolName, arguments: text });
    const reason = `escalate sandbox to danger-full-access: ${ESCALATE.justification}`;
    const id = this.host.nextId('approval');
    this.append('approval/asked', { id, toolName, callId, reason });
    const handle = this.host.nextId('ask');
    const { signal } = this.#stop;
    const outcome = await this.host.park(
      { kind: 'approval', handle, sessionId: this.id, callId, toolName, reason, arguments: text },
      signal,
      'cancelled',
    );
    if (isDead(signal)) throw new Stopped();
    this.append('approval/decided', { id, callId, outcome });
    return outcome;
  }

  async questions(questions: readonly HostQuestion[], callId = this.host.nextId('call')): Promise<readonly QuestionAnswer[]> {
    this.append('tool/call', { turn: this.#turn, step: 1, callId, name: 'ask_user_question', arguments: JSON.stringify({ questions }) });
    const handle = this.host.nextId('ask');
    const { signal } = this.#stop;
    const answers = await this.host.park<readonly QuestionAnswer[]>(
      { kind: 'questions', handle, sessionId: this.id, callId, questions },
      signal,
      [],
    );
    if (isDead(signal)) throw new Stopped();
    this.#result(callId, JSON.stringify({ answers }), false);
    return answers;
  }

  /** Messages first, then rounds of the goal, one turn after the other. */
  async #run(): Promise<void> {
    if (this.#status !== 'idle') return;
    this.#move('running');
    await soon();
    if (this.#status !== ('running' as HostSessionStatus | null)) return; // the process is gone
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#stop = new AbortController();
      try {
        await this.#turnOf(next);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        return; // the process is gone
      }
      await soon();
      if (this.#status !== ('running' as HostSessionStatus | null)) return;
    }
    this.#move('idle');
  }

  #next(): Turn | undefined {
    const said = this.#queue.shift();
    if (said !== undefined) return { text: said, isRound: false };
    const { goal } = this;
    if (goal?.phase !== 'active' || goal.activation !== 'armed') return undefined;
    if (goal.roundsStarted >= goal.maxRounds) {
      const blockedReason = { code: 'round-limit', message: 'The goal has used its rounds' };
      this.#change('block', { phase: 'blocked', activation: 'disarmed', blockedReason });
      return undefined;
    }
    this.goal = { ...goal, roundsStarted: goal.roundsStarted + 1 };
    return { text: goal.objective, isRound: true };
  }

  async #turnOf({ text, isRound }: Turn): Promise<void> {
    const { signal } = this.#stop;
    this.#turn += 1;
    this.append('turn/start', { turn: this.#turn });
    const source = isRound
      ? { kind: 'goal', goalId: this.goal?.id, revision: this.goal?.revision, round: this.goal?.roundsStarted }
      : { kind: 'user' };
    const shown = isRound ? `<goal_round>\n${text}` : text;
    this.append('user/message', { content: [{ type: 'text', text: shown }], source, role: 'user', id: this.host.nextId('message') });
    const failed = /DO_FAIL ?(\d{3})?/.exec(text);
    const answer = failed ? undefined : await this.#act(text, signal);
    if (isDead(signal)) throw new Stopped();
    if (answer !== undefined && !signal.aborted) {
      this.append('assistant/message', { turn: this.#turn, message: { role: 'assistant', content: [{ type: 'text', text: answer }] } });
    }
    if (failed && isRound && this.goal) this.goal = { ...this.goal, activation: 'disarmed' };
    const status = Number(failed?.[1] ?? 400);
    const error = { message: `fake failure ${String(status)}`, code: 'INVALID_REQUEST', status };
    const aborted = { kind: 'aborted', reason: { kind: 'user' } };
    this.append('turn/end', {
      turn: this.#turn,
      reason: signal.aborted ? aborted : failed ? { kind: 'error', error } : { kind: 'completed' },
    });
  }

  /** What the agent does, and what it says at the end. */
  async #act(text: string, signal: AbortSignal): Promise<string> {
    const custom = /DO_TOOL (\{.*\})/.exec(text)?.[1];
    if (custom !== undefined) return this.#tool(custom);
    if (text.includes('DO_ESCALATE')) {
      const callId = this.host.nextId('call');
      const outcome = await this.approval('bash', ESCALATE, callId);
      const isAllowed = outcome === 'allowed-once';
      this.#result(callId, isAllowed ? 'escalated\n' : `Error: the request was ${outcome}`, !isAllowed);
      return `fake: ${outcome}`;
    }
    if (text.includes('DO_ASK')) return `fake: ${JSON.stringify(await this.questions(QUESTIONS))}`;
    if (text.includes('DO_BASH')) return this.#bash('echo hello-from-bash > out.txt && cat out.txt', 'hello-from-bash\n');
    if (text.includes('DO_COMPLETE') && this.goal?.phase === 'active')
      this.#change('complete', { phase: 'complete', activation: 'disarmed' });
    if (text.includes('DO_SLOW')) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 'fake: ok';
  }

  #tool(json: string): string {
    const { name, arguments: args = {} } = JSON.parse(json) as { name: string; arguments?: unknown };
    const callId = this.host.nextId('call');
    this.append('tool/call', { turn: this.#turn, step: 1, callId, name, arguments: JSON.stringify(args) });
    this.#result(callId, 'done', false);
    return 'fake: tool said done';
  }

  #bash(command: string, output: string): string {
    const callId = this.host.nextId('call');
    this.append('tool/call', {
      turn: this.#turn,
      step: 1,
      callId,
      name: 'bash',
      arguments: JSON.stringify({ description: 'fake step', command }),
    });
    this.#result(callId, output, false);
    return `fake: tool said ${output}`;
  }

  #result(callId: string, text: string, isError: boolean): void {
    const part = { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text }], isError };
    const message = { source: { kind: 'tool', callId }, content: [part], role: 'user', id: this.host.nextId('message') };
    this.append('tool/result', { turn: this.#turn, step: 1, message });
  }

  #same(ref: GoalRef): HostGoal {
    if (!this.goal) return refuse('GOAL_NOT_FOUND', 'The session has no goal');
    if (this.goal.id !== ref.id || this.goal.revision !== ref.revision) refuse('REVISION_CONFLICT', 'The goal has changed');
    return this.goal;
  }

  #change(operation: string, change: Partial<HostGoal>): HostGoal {
    if (!this.goal) return refuse('GOAL_NOT_FOUND', 'The session has no goal');
    this.goal = { ...this.goal, ...change, revision: this.goal.revision + 1, updatedAt: this.host.clock() };
    this.#tellGoal(operation, this.goal);
    return this.goal;
  }

  #tellGoal(operation: string, { id, revision }: GoalRef): void {
    const { goal } = this;
    const blocked = goal?.blockedReason ? { blockedReason: goal.blockedReason } : {};
    const kept = goal && { id, revision, objective: goal.objective, phase: goal.phase, maxGoalRounds: goal.maxRounds, ...blocked };
    this.append('goal/change', {
      ...{ kind: 'goal/change', version: 1, operation, ...(kept ? { goal: kept } : { ref: { id, revision } }) },
      ...(goal && { roundsStarted: goal.roundsStarted, createdAt: goal.createdAt, updatedAt: goal.updatedAt }),
    });
    this.host.tell({ type: 'goal', sessionId: this.id, operation, ref: { id, revision }, goal });
  }

  #move(status: HostSessionStatus): void {
    this.#status = status;
    this.host.tell({ type: 'status', sessionId: this.id, status });
    if (status === 'running') return;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}

function isDead({ reason }: AbortSignal): boolean {
  return reason instanceof Stopped;
}
