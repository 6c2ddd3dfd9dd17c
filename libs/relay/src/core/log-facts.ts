import type { HostGoal, LogEvent } from './host-types.js';
import { minedCommand } from './mined-command.js';

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly seq: number;
  readonly at: number;
}

export interface CallFact {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote them: JSON text, or what it wrote instead. */
  readonly arguments: string;
  readonly turn: number;
  readonly seq: number;
  readonly at: number;
  /** The command text of a call that runs one. */
  readonly command: string | null;
  readonly result: CallResult | null;
}

export type TurnEnd =
  | { readonly kind: 'completed' | 'interrupted' | 'blocked' | 'max-tokens' }
  | { readonly kind: 'aborted'; readonly by: string }
  | { readonly kind: 'error'; readonly message: string; readonly code: string | null };

export interface TurnFact {
  readonly turn: number;
  readonly startedSeq: number;
  readonly startedAt: number;
  readonly endedSeq: number | null;
  readonly endedAt: number | null;
  readonly end: TurnEnd | null;
}

export interface MessageFact {
  readonly seq: number;
  readonly at: number;
  /** `goal`: the host itself opened a round. */
  readonly from: 'user' | 'goal' | 'agent';
  readonly text: string;
}

export interface ApprovalLine {
  readonly callId: string;
  readonly toolName: string;
  readonly reason: string | null;
  readonly seq: number;
  readonly turn: number;
  /** Null: nothing was written about its end. */
  readonly outcome: string | null;
}

export interface TodoFact {
  readonly text: string;
  readonly status: string;
}

export interface FileFact {
  readonly path: string;
  readonly how: 'written' | 'edited';
  readonly seq: number;
}

export interface TitleFact {
  readonly title: string;
  readonly source: string;
}

export interface GoalLine {
  readonly seq: number;
  readonly at: number;
  readonly operation: string;
  readonly revision: number | null;
  readonly phase: string | null;
  readonly objective: string | null;
  readonly roundsStarted: number | null;
}

/** What a log says, folded. Lists are in the order of the log. */
export interface LogFacts {
  /** The next number of the log. */
  readonly next: number;
  readonly lastAt: number | null;
  readonly turns: readonly TurnFact[];
  readonly calls: readonly CallFact[];
  readonly messages: readonly MessageFact[];
  readonly approvals: readonly ApprovalLine[];
  readonly todos: readonly TodoFact[];
  readonly files: readonly FileFact[];
  readonly goalLines: readonly GoalLine[];
  /** The goal as the log leaves it: what is not loaded is not armed. */
  readonly goal: HostGoal | null;
  readonly title: TitleFact | null;
  /** Messages that wait for their turn. */
  readonly queued: number;
  readonly tokens: number;
  readonly model: { readonly provider: string; readonly model: string } | null;
}

type Data = Readonly<Record<string, unknown>>;

const EDITING: Readonly<Record<string, FileFact['how']>> = { write: 'written', edit: 'edited' };
const PHASES = ['active', 'paused', 'blocked', 'complete'] as const;
const QUEUE_KINDS = new Set(['user', 'goal']);

/** Owner of one session's facts while its log grows. Kinds that it does not know pass without a trace. */
export class LogFold implements LogFacts {
  next = 0;
  lastAt: number | null = null;
  readonly turns: TurnFact[] = [];
  readonly calls: CallFact[] = [];
  readonly messages: MessageFact[] = [];
  readonly approvals: ApprovalLine[] = [];
  readonly files: FileFact[] = [];
  readonly goalLines: GoalLine[] = [];
  readonly #placeOfCall = new Map<string, number>();
  readonly #placeOfAsk = new Map<string, number>();
  todos: readonly TodoFact[] = [];
  goal: HostGoal | null = null;
  title: TitleFact | null = null;
  queued = 0;
  tokens = 0;
  model: LogFacts['model'] = null;

  /** Lines that were added before are passed over, so that a log may be read again from anywhere. */
  add(event: LogEvent): void {
    if (event.seq < this.next) return;
    this.next = event.seq + 1;
    this.lastAt = event.time;
    this.#fold(event);
  }

  call(callId: string): CallFact | undefined {
    const place = this.#placeOfCall.get(callId);
    return place === undefined ? undefined : this.calls[place];
  }

  #fold({ type, seq, time, data }: LogEvent): void {
    switch (type) {
      case 'turn/start':
        this.turns.push({
          turn: number(data['turn']) ?? this.turns.length + 1,
          startedSeq: seq,
          startedAt: time,
          endedSeq: null,
          endedAt: null,
          end: null,
        });
        return;
      case 'turn/end':
        this.#endTurn(seq, time, data);
        return;
      case 'user/message':
        this.#hear(seq, time, data);
        return;
      case 'assistant/message':
        this.#say(seq, time, data);
        return;
      case 'tool/call':
        this.#called(seq, time, data);
        return;
      case 'tool/result':
        this.#answered(seq, time, data);
        return;
      case 'approval/asked':
        this.#asked(seq, data);
        return;
      case 'approval/decided':
        this.#decided(data);
        return;
      case 'agent/inbox/spliced':
        this.#spliced(data);
        return;
      case 'session/title':
        this.title = titleOf(data) ?? this.title;
        return;
      case 'todo/write':
        this.todos = todosOf(data['todos'] ?? data['items']);
        return;
      case 'goal/change':
        this.goalLines.push(goalLineOf(seq, time, data));
        this.goal = goalOf(time, data);
        return;
      case 'request/context':
        this.model = modelOf(data) ?? this.model;
        return;
    }
  }

  #endTurn(seq: number, time: number, data: Data): void {
    const at = this.turns.findLastIndex(({ turn, end }) => end === null && (number(data['turn']) ?? turn) === turn);
    const ended = { endedSeq: seq, endedAt: time, end: endOf(record(data['reason'])) };
    const turn = this.turns[at];
    if (turn) this.turns[at] = { ...turn, ...ended };
    else this.turns.push({ turn: number(data['turn']) ?? this.turns.length + 1, startedSeq: seq, startedAt: time, ...ended });
  }

  #hear(seq: number, at: number, data: Data): void {
    const kind = text(record(data['source'])['kind']);
    if (kind !== 'user' && kind !== 'goal') return; // the host's own notes to the model
    this.messages.push({ seq, at, from: kind, text: textOf(data['content']) });
  }

  #say(seq: number, at: number, data: Data): void {
    const usage = record(data['usage']);
    this.tokens += (number(usage['inputTokens']) ?? 0) + (number(usage['outputTokens']) ?? 0);
    const said = textOf(record(data['message'])['content']);
    if (said !== '') this.messages.push({ seq, at, from: 'agent', text: said });
  }

  #called(seq: number, at: number, data: Data): void {
    const callId = text(data['callId']);
    const name = text(data['name']);
    if (callId === null || name === null) return;
    const written = text(data['arguments']) ?? '';
    this.#placeOfCall.set(callId, this.calls.length);
    this.calls.push({
      callId,
      name,
      arguments: written,
      turn: this.#turn(data),
      seq,
      at,
      command: minedCommand(name, written),
      result: null,
    });
  }

  #answered(seq: number, at: number, data: Data): void {
    const message = record(data['message']);
    const [block] = list(message['content']).map(record);
    const callId = text(block?.['toolCallId']) ?? text(record(message['source'])['callId']);
    const place = callId === null ? undefined : this.#placeOfCall.get(callId);
    const call = place === undefined ? undefined : this.calls[place];
    if (place === undefined || !call) return;
    const isError = block?.['isError'] === true;
    this.calls[place] = { ...call, result: { text: textOf(block?.['content']), isError, seq, at } };
    if (!isError) this.#changed(call, seq);
  }

  #changed(call: CallFact, seq: number): void {
    const how = EDITING[call.name];
    const wanted = parsed(call.arguments);
    const path = text(wanted['path']) ?? text(wanted['file_path']);
    if (how !== undefined && path !== null) this.files.push({ path, how, seq });
    if (call.name === 'todo_write') this.todos = todosOf(wanted['todos'] ?? wanted['items']);
  }

  #asked(seq: number, data: Data): void {
    const callId = text(data['callId']) ?? text(data['id']);
    if (callId === null) return;
    const toolName = text(data['toolName']) ?? '';
    this.approvals.push({ callId, toolName, reason: text(data['reason']), seq, turn: this.#turn(data), outcome: null });
    this.#placeOfAsk.set(text(data['id']) ?? callId, this.approvals.length - 1);
  }

  #decided(data: Data): void {
    const place = this.#placeOfAsk.get(text(data['id']) ?? '');
    const line = place === undefined ? undefined : this.approvals[place];
    if (place !== undefined && line) this.approvals[place] = { ...line, outcome: text(data['outcome']) };
  }

  #spliced(data: Data): void {
    const added = list(data['inserted']).filter((message) => QUEUE_KINDS.has(text(record(record(message)['source'])['kind']) ?? ''));
    this.queued = Math.max(0, this.queued - (number(data['removedCount']) ?? 0)) + added.length;
  }

  #turn(data: Data): number {
    return number(data['turn']) ?? this.turns.at(-1)?.turn ?? 0;
  }
}

export function foldLog(events: readonly LogEvent[]): LogFold {
  const fold = new LogFold();
  for (const event of events) fold.add(event);
  return fold;
}

function endOf(reason: Data): TurnEnd {
  switch (reason['kind']) {
    case 'completed':
    case 'interrupted':
    case 'blocked':
    case 'max-tokens':
      return { kind: reason['kind'] };
    case 'error': {
      const error = record(reason['error']);
      return { kind: 'error', message: text(error['message']) ?? 'The turn failed', code: text(error['code']) };
    }
    case 'aborted':
      return { kind: 'aborted', by: text(record(reason['reason'])['kind']) ?? 'user' };
    default:
      return { kind: 'error', message: 'The turn ended for a reason that is not known here', code: text(reason['kind']) };
  }
}

function goalOf(time: number, data: Data): HostGoal | null {
  const goal = record(data['goal']);
  const phase = PHASES.find((one) => one === goal['phase']);
  const id = text(goal['id']);
  if (id === null || phase === undefined) return null; // it was cleared
  const blocked = record(goal['blockedReason']);
  const code = text(blocked['code']);
  return {
    id,
    phase,
    revision: number(goal['revision']) ?? 1,
    objective: text(goal['objective']) ?? '',
    activation: 'disarmed',
    blockedReason: code === null ? null : { code, message: text(blocked['message']) ?? '' },
    maxRounds: number(goal['maxGoalRounds']) ?? 0,
    roundsStarted: number(data['roundsStarted']) ?? 0,
    createdAt: number(data['createdAt']) ?? time,
    updatedAt: number(data['updatedAt']) ?? time,
  };
}

function goalLineOf(seq: number, at: number, data: Data): GoalLine {
  const goal = record(data['goal'] ?? data['cleared']);
  return {
    seq,
    at,
    operation: text(data['operation']) ?? 'change',
    revision: number(goal['revision']),
    phase: text(goal['phase']),
    objective: text(goal['objective']),
    roundsStarted: number(data['roundsStarted']),
  };
}

function titleOf(data: Data): TitleFact | null {
  const title = text(data['title']);
  return title === null ? null : { title, source: text(record(data['source'])['kind']) ?? 'log' };
}

function modelOf(data: Data): LogFacts['model'] {
  const provider = text(data['provider']);
  const model = text(data['model']);
  return provider === null || model === null ? null : { provider, model };
}

function todosOf(items: unknown): readonly TodoFact[] {
  return list(items)
    .map(record)
    .map((item) => ({ text: text(item['content']) ?? text(item['text']) ?? '', status: text(item['status']) ?? 'pending' }))
    .filter((item) => item.text !== '');
}

/** The text blocks of a message, one under the other. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = list(content).map(record);
  return blocks.flatMap((block) => (block['type'] === 'text' ? [text(block['text']) ?? ''] : [])).join('\n');
}

function parsed(json: string): Data {
  try {
    return record(JSON.parse(json));
  } catch {
    return {}; // a model may write anything
  }
}

function record(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
