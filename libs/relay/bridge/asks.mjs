// The host's live promises that wait for a person, and how each of them ended.
import { randomUUID } from 'node:crypto';

const MOST_ENDED = 256;
const WITHDRAWN = Symbol('withdrawn');

export class Asks {
  #ctx;
  #frames;
  /** Open ones, by handle. */
  #parked = new Map();
  /** Answered ones whose effect is not in the session's log yet, by handle. */
  #answered = new Map();
  /** Newest ends, for one who was away. */
  #ended = [];
  providesQuestions = false;

  constructor(ctx, frames) {
    this.#ctx = ctx;
    this.#frames = frames;
  }

  /** The host has one slot for who answers questions. */
  provideQuestions() {
    const service = this.#ctx.get('userQuestions');
    if (!service) return;
    const release = service.registerProvider({ ask: (request) => this.#questions(request) });
    this.providesQuestions = true;
    this.#ctx.effect(() => release);
  }

  approval({ agent, toolName, callId, reason, signal }) {
    const { events } = agent.session;
    // The request carries no arguments; the call that it is about stands in the log already.
    const asked = events.findLast(({ type, data }) => type === 'approval/asked' && (callId === undefined || data.callId === callId));
    const call = callId === undefined ? undefined : events.findLast(({ type, data }) => type === 'tool/call' && data.callId === callId);
    const approvalId = asked?.data.id;
    const ask = {
      ...{ kind: 'approval', sessionId: agent.id, callId: callId ?? approvalId ?? randomUUID(), toolName },
      ...{ reason: reason ?? null, arguments: call?.data.arguments ?? null },
    };
    return this.#park(ask, { signal, approvalId, stopped: 'cancelled' }).then((value) => (value === WITHDRAWN ? 'cancelled' : value));
  }

  async #questions({ questions, agent, signal }) {
    const ask = { kind: 'questions', sessionId: agent?.id ?? '', callId: this.#callOf(agent, questions), questions };
    const answers = await this.#park(ask, { signal, stopped: [] });
    if (answers === WITHDRAWN) throw new Error('The questions were withdrawn');
    return { answers };
  }

  /** A question says nothing of its call: it is the open call of the log that asks the same. */
  #callOf(agent, questions) {
    const events = agent?.session.events ?? [];
    const taken = new Set([...this.#parked.values(), ...this.#answered.values()].map(({ ask }) => ask.callId));
    const done = new Set(events.flatMap(({ type, data }) => (type === 'tool/result' ? [data.message.source.callId] : [])));
    const open = events.filter(
      ({ type, data }) => type === 'tool/call' && data.name === 'ask_user_question' && !done.has(data.callId) && !taken.has(data.callId),
    );
    const ids = questions.map(({ id }) => id).join('\n');
    const same = open.findLast(({ data }) => idsOf(data.arguments) === ids) ?? open.at(-1);
    return same?.data.callId ?? randomUUID();
  }

  #park(facts, { signal, approvalId, stopped }) {
    const ask = { handle: randomUUID(), ...facts };
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(WITHDRAWN);
      const withdraw = () => {
        if (!this.#leave(ask.handle)) return;
        this.#end(ask, 'withdrawn');
        resolve(WITHDRAWN);
      };
      const forget = () => signal?.removeEventListener('abort', withdraw);
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#parked.set(ask.handle, { ask, approvalId, stopped, forget, resolve });
      this.#frames.add({ type: 'ask', ask });
    });
  }

  #leave(handle) {
    const entry = this.#parked.get(handle);
    if (!entry) return undefined;
    this.#parked.delete(handle);
    entry.forget();
    return entry;
  }

  /** False: the host no longer waits for it. */
  answer(handle, value) {
    const entry = this.#leave(handle);
    if (!entry) return false;
    this.#answered.set(handle, entry);
    entry.resolve(value);
    return true;
  }

  /** What is answered counts as applied when the host's own log says so. */
  heard(sessionId, { type, data }) {
    if (this.#answered.size === 0) return;
    for (const [handle, { ask, approvalId }] of this.#answered) {
      if (ask.sessionId !== sessionId) continue;
      const end = endOf(ask, approvalId, type, data);
      if (end === undefined) continue;
      this.#answered.delete(handle);
      this.#end(ask, end);
    }
  }

  #end({ handle, callId, sessionId }, end) {
    const ended = { handle, callId, sessionId, end };
    this.#ended.push(ended);
    if (this.#ended.length > MOST_ENDED) this.#ended.shift();
    this.#frames.add({ type: 'askEnded', ...ended });
  }

  view() {
    return { seq: this.#frames.seq, parked: [...this.#parked.values()].map(({ ask }) => ask), ended: this.#ended };
  }

  /** The bridge goes away: nothing waits for somebody who cannot answer any more. */
  stop() {
    for (const handle of [...this.#parked.keys()]) {
      const { ask, stopped, resolve } = this.#leave(handle);
      this.#end(ask, 'stopped');
      resolve(stopped);
    }
  }
}

function endOf(ask, approvalId, type, data) {
  if (type === 'approval/decided' && approvalId !== undefined && data.id === approvalId)
    return data.outcome === 'cancelled' ? 'withdrawn' : 'applied';
  if (type === 'tool/result' && data.message?.source?.callId === ask.callId) return 'applied';
  return type === 'turn/end' ? 'withdrawn' : undefined;
}

function idsOf(text) {
  try {
    return JSON.parse(text)
      .questions.map(({ id }) => id)
      .join('\n');
  } catch {
    return undefined; // a model may write anything
  }
}
