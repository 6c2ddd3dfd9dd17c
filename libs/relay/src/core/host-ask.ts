import { createHash } from 'node:crypto';
import type { Ask, Decision, HostId, PrincipalId, WorkspaceId } from '#contracts';
import type { QuestionAnswer, RaisedAsk } from './host-types.js';
import { cutText } from './budget.js';
import { minedCommand } from './mined-command.js';

export interface AskedWhere {
  readonly hostId: HostId;
  readonly hostName: string;
  readonly workspaceId: WorkspaceId;
  readonly workspaceName: string;
  /** Null: nobody of ours drives the session. */
  readonly requester: PrincipalId | null;
  readonly requesterName: string;
  readonly personId: PrincipalId | null;
  readonly personName: string | null;
}

type NewHostAsk = Omit<Ask, 'id' | 'status' | 'createdAt' | 'resolvedAt' | 'votes' | 'answers' | 'delivery' | 'deliveryNote' | 'endedWhy'>;

const NOT_UNDERSTOOD = 'The command is not understood here, so it is treated as dangerous';
const NO_COMMAND = 'The call shows no command, so it is treated as dangerous';
const WAITS_MS = 24 * 3_600_000;
const SUMMARY = 200;

export function commandOf(ask: RaisedAsk): string | null {
  return ask.kind === 'approval' ? minedCommand(ask.toolName, ask.arguments) : null;
}

/** The ask that people see, made of facts; what the agent says of itself stands in the questions and the command only. */
export function hostAsk(raised: RaisedAsk, where: AskedWhere, decision: Decision | null, now: number): NewHostAsk {
  const { hostId, workspaceId } = where;
  const command = commandOf(raised);
  const shared = {
    planId: null,
    sessionId: null,
    workspaceId,
    requester: where.requester ?? ('system' as PrincipalId),
    requesterName: where.requester === null ? `An agent in ${where.hostName}` : where.requesterName,
    requesterPersonId: where.personId,
    requesterPersonName: where.personName,
    digest: digestOf(raised, hostId),
    expiresAt: now + (decision?.terms?.onExpiry === 'deny' ? (decision.terms.withinMs ?? WAITS_MS) : WAITS_MS),
    ...(decision?.terms?.onExpiry === 'wait' && decision.terms.withinMs !== null && { dueAt: now + decision.terms.withinMs }),
    host: {
      hostId,
      hostSessionId: raised.sessionId,
      callId: raised.callId,
      toolName: raised.kind === 'approval' ? raised.toolName : 'ask_user_question',
      command,
    },
  };
  if (raised.kind === 'questions') {
    const count = raised.questions.length;
    return {
      ...shared,
      kind: 'host_question',
      title: `${where.hostName} asks ${count === 1 ? 'a question' : `${String(count)} questions`} in ${where.workspaceName}`,
      summary: cutText(raised.questions[0]?.question ?? '', SUMMARY).text,
      risk: 'low',
      reasons: ['An agent cannot go on without an answer'],
      quorum: 1,
      notRequester: false,
      questions: raised.questions,
    };
  }
  return {
    ...shared,
    kind: 'host_approval',
    title: `${where.hostName} asks to run ${raised.toolName} in ${where.workspaceName}`,
    summary: cutText(command ?? raised.reason ?? raised.toolName, SUMMARY).text,
    risk: decision === null ? 'high' : decision.risk,
    reasons: decision === null ? [command === null ? NO_COMMAND : NOT_UNDERSTOOD] : decision.reasons,
    quorum: decision?.quorum ?? 1,
    notRequester: decision?.notRequester ?? false,
    ...(decision?.terms?.deciders.length && { deciders: decision.terms.deciders }),
  };
}

/** Answers in the order in which they were asked; those that nobody gave are left out. */
export function answersInOrder({ questions = [], answers = [] }: Pick<Ask, 'questions' | 'answers'>): readonly QuestionAnswer[] {
  return questions.flatMap(({ id }) => {
    const given = answers.find((answer) => answer.id === id);
    return given ? [{ id, selected: given.selected, ...(given.custom !== undefined && { custom: given.custom }) }] : [];
  });
}

/** Over everything that a decision is about. */
function digestOf(raised: RaisedAsk, hostId: HostId): string {
  const { handle: _, ...about } = raised;
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...about, hostId })))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
