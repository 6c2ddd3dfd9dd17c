import type { SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import type { HostEvent, HostSession, HostSessionStatus } from '../host-driver.js';

const REASONS: Readonly<Record<StopReason, Readonly<Record<string, unknown>>>> = {
  end_turn: { kind: 'completed' },
  cancelled: { kind: 'aborted', reason: { kind: 'user' } },
  max_tokens: { kind: 'max-tokens' },
  max_turn_requests: { kind: 'blocked' },
  refusal: { kind: 'blocked' },
};

/** One session as this side has seen it: the protocol keeps no log, so what was told is put down in the words of one. */
export class AcpSession {
  status: HostSessionStatus = 'idle';
  readonly queue: string[] = [];
  #seq = 0;
  #turn = 0;
  #said = '';
  #idle: (() => void)[] = [];

  constructor(
    readonly id: string,
    readonly cwd: string,
    readonly title: string | null,
    private readonly now: () => number,
    private readonly tell: (event: HostEvent) => void,
    readonly createdAt = now(),
  ) {}

  view(): HostSession {
    return { id: this.id, cwd: this.cwd, createdAt: this.createdAt, status: this.status, seq: this.#seq, title: this.title };
  }

  move(status: HostSessionStatus): void {
    if (this.status === status) return;
    this.status = status;
    this.tell({ type: 'status', sessionId: this.id, status });
    if (status === 'idle') for (const wake of this.#idle.splice(0)) wake();
  }

  async whenIdle(signal: AbortSignal): Promise<void> {
    if (this.status === 'idle') return;
    await new Promise<void>((resolve, reject) => {
      this.#idle.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  begin(text: string): void {
    this.#turn += 1;
    this.#said = '';
    this.#append('turn/start', { turn: this.#turn });
    this.#append('user/message', { content: [{ type: 'text', text }], source: { kind: 'user' }, role: 'user' });
  }

  end(stop: StopReason | { readonly error: string }): void {
    if (this.#said !== '') {
      const message = { role: 'assistant', content: [{ type: 'text', text: this.#said }] };
      this.#append('assistant/message', { turn: this.#turn, message });
    }
    const reason = typeof stop === 'string' ? REASONS[stop] : { kind: 'error', error: { message: stop.error } };
    this.#append('turn/end', { turn: this.#turn, reason });
  }

  take(update: SessionUpdate): void {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') this.#said += update.content.text;
    if (update.sessionUpdate === 'tool_call') {
      const { toolCallId: callId, title: name, rawInput } = update;
      this.#append('tool/call', { turn: this.#turn, step: 1, callId, name, arguments: JSON.stringify(rawInput ?? {}) });
    }
    if (update.sessionUpdate === 'tool_call_update' && (update.status === 'completed' || update.status === 'failed')) {
      const text = JSON.stringify(update.rawOutput ?? update.content ?? '');
      const part = {
        type: 'tool-result',
        toolCallId: update.toolCallId,
        content: [{ type: 'text', text }],
        isError: update.status === 'failed',
      };
      this.#append('tool/result', {
        turn: this.#turn,
        step: 1,
        message: { source: { kind: 'tool', callId: update.toolCallId }, content: [part], role: 'user' },
      });
    }
  }

  #append(type: string, data: Readonly<Record<string, unknown>>): void {
    const event = { type, seq: this.#seq, time: this.now(), data };
    this.#seq += 1;
    this.tell({ type: 'log', sessionId: this.id, event });
  }
}
