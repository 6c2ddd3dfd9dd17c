import * as z from 'zod';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { goalOutcome } from '../core/goal-wire.js';
import { RelayAnswers } from '../relay-answers.js';
import type { SessionState } from '../session-reads.js';
import { SessionViews } from '../session-views.js';
import { Waits } from '../waits.js';
import { answer, sessionId, sinceSeq } from './relay-inputs.js';

const waitGoal = z.object({
  session_id: sessionId,
  wait_seconds: z.int().min(1).max(30).default(25).describe('How long this call may hold.'),
  since_seq: sinceSeq.optional(),
});
const waitUntil = z.object({
  session_id: sessionId,
  wait_seconds: z.int().min(1).max(300).default(120).describe('How long you would wait. One call holds at most 50 seconds.'),
  since_seq: sinceSeq.optional(),
});
const approve = z.object({
  session_id: sessionId,
  approval_id: z.string().min(1).max(200).describe('From waiting.approvals of a status or wait.'),
  decision: z.enum(['approve', 'reject']).describe('What the person has decided. It counts for this one call only.'),
});
const answerQuestion = z.object({
  question_id: z.string().min(1).max(200).describe('From waiting.questions of a status or wait.'),
  session_id: sessionId.optional(),
  selected: z.array(z.string().min(1).max(2_000)).max(100).default([]).describe('Labels of the options that the person chose.'),
  custom: z.string().max(16_384).describe('What the person said in their own words.').optional(),
});

const AGAIN =
  'Returns at once when a person is needed or the work has ended. If it says continuation_required, call it again in the same turn with next_tool_call; do not end your turn. Never approve, answer or guess for the person.';
const DRIVES = {
  scope: 'relay:drive',
  perWorkspace: true,
  effect: 'destructive',
  openWorld: true,
  idempotent: false,
  output: answer,
} as const;

/** MCP door of waiting for an agent, and of what people decide meanwhile. */
@McpTools()
export class RelayWaitTools {
  constructor(
    private readonly waits: Waits,
    private readonly views: SessionViews,
    private readonly answers: RelayAnswers,
  ) {}

  @McpTool({
    ...DRIVES,
    name: 'dsh_wait_goal',
    title: 'Wait for a goal',
    description: `Waits up to 30 seconds for a goal. ${AGAIN}`,
    wire: { requestId: false },
    input: waitGoal,
  })
  async waitGoal({ session_id, wait_seconds, since_seq }: z.output<typeof waitGoal>, { principal, signal }: ToolCall) {
    const state = await this.waits.untilGoalMoves(principal, { sessionId: session_id, ms: wait_seconds * 1_000, signal });
    return this.#view(state, since_seq);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_wait_until_action_required',
    title: 'Wait until a person is needed',
    description: `Waits for a session, up to 50 seconds a call. ${AGAIN}`,
    wire: { requestId: false },
    input: waitUntil,
  })
  async waitUntil({ session_id, wait_seconds, since_seq }: z.output<typeof waitUntil>, { principal, signal }: ToolCall) {
    const state = await this.waits.untilActionRequired(principal, { sessionId: session_id, ms: wait_seconds * 1_000, signal });
    return this.#view(state, since_seq);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_approve',
    title: 'Decide an approval',
    description:
      'Carries a decision of a person to the agent: it counts for one call, once. Only after the person has seen the command and said so; never decide by yourself.',
    wire: { requestId: false },
    input: approve,
  })
  async approve({ session_id, approval_id, decision }: z.output<typeof approve>, { principal }: ToolCall) {
    const ask = await this.answers.approve(principal, { sessionId: session_id, approvalId: approval_id, decision });
    return { approval_id, decision, status: ask.status, delivery: ask.delivery ?? 'none', votes: ask.votes.length, quorum: ask.quorum };
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_answer_question',
    title: 'Answer a question',
    description:
      'Carries the answer of a person to a question of the agent. Each question of a batch has its own id; go on with next_question_id. Never answer by yourself.',
    wire: { requestId: false },
    input: answerQuestion,
  })
  async answer({ question_id, session_id, selected, custom }: z.output<typeof answerQuestion>, { principal }: ToolCall) {
    return this.answers.answer(principal, { questionId: question_id, sessionId: session_id, selected, custom });
  }

  #view(state: SessionState, since: number | undefined) {
    return {
      ...this.views.summary(state),
      goal_outcome: goalOutcome(state.goal, state.status),
      progress: this.views.progress(state, since),
    };
  }
}
