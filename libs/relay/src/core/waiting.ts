import type { Ask } from '#contracts';
import type { LogFacts } from './log-facts.js';

/** An approval as the tools show it. `log`: only the log tells of it, so nobody can answer it. */
export interface WaitingApproval {
  readonly source: 'parked' | 'log';
  readonly approval_id: string | null;
  readonly call_id: string;
  readonly tool: string;
  readonly command: string | null;
  readonly reason: string | null;
  readonly why_not_answerable?: string;
}

export interface WaitingQuestion {
  readonly source: 'parked' | 'log';
  readonly question_id: string | null;
  readonly call_id: string;
  readonly question: string;
  readonly detail?: string;
  readonly header?: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multi_select: boolean;
  readonly why_not_answerable?: string;
}

export interface Waiting {
  readonly approvals: readonly WaitingApproval[];
  readonly questions: readonly WaitingQuestion[];
}

export const ASK_TOOL = 'ask_user_question';
const OUTLIVED = 'The host does not wait for this any more: it was asked before a restart. Resume the session and let it ask again.';

/** What the log tells of asks that nothing parked stands for, one a call. */
export function loggedOnly(facts: LogFacts, isLive: boolean, known: ReadonlySet<string>): Waiting {
  const lastTurn = facts.turns.at(-1);
  const isOver = (turn: number) => facts.turns.some((one) => one.turn === turn && one.end !== null && one.end.kind !== 'interrupted');
  const approvals = facts.approvals.filter(
    ({ callId, outcome, turn }) =>
      outcome === null && !known.has(callId) && !isOver(turn) && turn === lastTurn?.turn && !hasResult(facts, callId, isLive),
  );
  const asked = facts.calls.filter(
    ({ name, callId, result, turn }) =>
      name === ASK_TOOL && result === null && !known.has(callId) && !isOver(turn) && turn === lastTurn?.turn,
  );
  return {
    approvals: approvals.map(({ callId, toolName, reason }) => ({
      source: 'log',
      approval_id: null,
      call_id: callId,
      tool: toolName,
      command: facts.calls.find((call) => call.callId === callId)?.command ?? null,
      reason,
      why_not_answerable: OUTLIVED,
    })),
    questions: asked.flatMap(({ callId, arguments: written }) =>
      questionsIn(written).map((question) => ({ ...question, call_id: callId })),
    ),
  };
}

/** A resumed host closes old calls by itself; what has a result waits for nobody. */
function hasResult(facts: LogFacts, callId: string, isLive: boolean): boolean {
  return isLive && facts.calls.some((call) => call.callId === callId && call.result !== null);
}

function questionsIn(written: string): readonly Omit<WaitingQuestion, 'call_id'>[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(written);
  } catch {
    return []; // a model may write anything
  }
  const questions = (parsed as { questions?: unknown } | null)?.questions;
  return (Array.isArray(questions) ? (questions as Record<string, unknown>[]) : []).map((asked) => ({
    source: 'log' as const,
    question_id: null,
    question: typeof asked['question'] === 'string' ? asked['question'] : '',
    options: [],
    multi_select: asked['multiSelect'] === true,
    why_not_answerable: OUTLIVED,
  }));
}

/** Ids as the tools name them: short, and the same at every reading. The end of an ask's id is random, its start is a time. */
export function approvalIdOf({ id }: Pick<Ask, 'id'>): string {
  return `approval-${id.slice(-8)}`;
}

export function questionIdOf({ id }: Pick<Ask, 'id'>, place: number, count: number): string {
  return count === 1 ? `question-${id.slice(-8)}` : `question-${id.slice(-8)} #${String(place + 1)}`;
}

const QUESTION_ID = /^question-(?<tail>[0-9a-f]{8})(?: ?#(?<place>[1-9]\d{0,2}))?$/u;

export function readQuestionId(id: string): { readonly tail: string; readonly place: number | null } | undefined {
  const { tail, place } = QUESTION_ID.exec(id)?.groups ?? {};
  return tail === undefined ? undefined : { tail, place: place === undefined ? null : Number(place) - 1 };
}
