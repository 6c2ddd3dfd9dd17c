import { cutText, type Budget } from './budget.js';
import { shownAs, type CommandKind } from './command-kind.js';
import type { CallFact, LogFacts } from './log-facts.js';

export interface CallLine {
  readonly call_id: string;
  readonly tool: string;
  readonly command?: string;
  readonly kind?: CommandKind;
  readonly state: 'running' | 'succeeded' | 'failed';
  readonly seq: number;
}

/** What happened in a session after a place in its log. */
export interface Progress {
  /** `caller`: since the number that the caller named. `shared`: since the last look of anybody who named none. */
  readonly since: 'caller' | 'shared';
  readonly since_seq: number;
  /** Name this one next time. */
  readonly next_seq: number;
  readonly turns_started: number;
  readonly turns_ended: number;
  readonly tool_calls: readonly CallLine[];
  readonly messages: readonly { readonly from: string; readonly text: string; readonly seq: number }[];
  readonly changed_files: readonly string[];
  readonly todos: readonly { readonly text: string; readonly status: string }[];
  readonly truncated: boolean;
}

/** The slice of the facts from `since` on: what a caller who has seen everything before has not seen yet. */
export function progressSince(facts: LogFacts, since: number, whose: Progress['since'], { items, chars }: Budget): Progress {
  const calls = facts.calls.filter(({ seq, result }) => seq >= since || (result !== null && result.seq >= since));
  const messages = facts.messages.filter(({ seq }) => seq >= since);
  const each = Math.max(80, Math.floor(chars / Math.max(1, Math.min(items, messages.length))));
  const told = messages.slice(-items).map(({ from, text, seq }) => ({ from, seq, ...cutText(text, each) }));
  return {
    since: whose,
    since_seq: since,
    next_seq: facts.next,
    turns_started: facts.turns.filter(({ startedSeq }) => startedSeq >= since).length,
    turns_ended: facts.turns.filter(({ endedSeq }) => endedSeq !== null && endedSeq >= since).length,
    tool_calls: calls.slice(-items).map((call) => callLine(call, each)),
    messages: told.map(({ from, text, seq }) => ({ from, text, seq })),
    changed_files: [...new Set(facts.files.filter(({ seq }) => seq >= since).map(({ path }) => path))].slice(-items),
    todos: facts.todos.slice(0, items),
    truncated: calls.length > items || messages.length > items || told.some(({ truncated }) => truncated),
  };
}

export function callLine({ callId, name, command, seq, result }: CallFact, chars: number): CallLine {
  return {
    call_id: callId,
    tool: name,
    ...(command !== null && { command: cutText(command, chars).text, kind: shownAs(command) }),
    state: result === null ? 'running' : result.isError ? 'failed' : 'succeeded',
    seq,
  };
}

/** Owner of where each session was last looked at without a number. The oldest are forgotten first. */
export class Baselines {
  readonly #seen = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  /** Where to go on from, and from now on. */
  move(session: string, next: number): number {
    const since = Math.min(this.#seen.get(session) ?? 0, next);
    this.#seen.delete(session);
    this.#seen.set(session, next);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > this.capacity && oldest !== undefined) this.#seen.delete(oldest);
    return since;
  }
}
