import * as z from 'zod';
import type { Principal } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { Goals, type ReviseGoal } from '../goals.js';
import { SessionReads } from '../session-reads.js';
import { SessionViews } from '../session-views.js';
import { agentOf, answer, expectedRevision, lockOverride, reviseGoal, sessionId, startGoal } from './relay-inputs.js';

const createGoalInput = z.object(startGoal);
const startGoalInput = z.object({ ...startGoal, session_id: sessionId.optional(), expected_revision: expectedRevision.optional() });
const reviseGoalInput = z.object(reviseGoal);
const updateGoalInput = z.object({
  ...reviseGoal,
  action: z.enum(['revise', 'pause', 'resume']).default('revise').describe('What is done with the goal.'),
});
const pauseGoalInput = z.object({ session_id: sessionId, expected_revision: expectedRevision.optional() });
const resumeGoalInput = z.object({
  session_id: sessionId,
  expected_revision: expectedRevision.optional(),
  workspace_lock_override: lockOverride.optional(),
});
const stopGoalInput = z.object({ session_id: sessionId });

const LOOP =
  'While the answer says continuation_required, make the call in next_tool_call in the same turn. If a person is needed, show them what is asked and wait: never approve or answer by yourself.';
const DRIVES = { openWorld: true, scope: 'relay:drive', perWorkspace: true, output: answer } as const;

/** MCP door of goals. */
@McpTools()
export class RelayGoalTools {
  constructor(
    private readonly goals: Goals,
    private readonly reads: SessionReads,
    private readonly views: SessionViews,
  ) {}

  @McpTool({
    ...DRIVES,
    name: 'dsh_create_goal',
    title: 'Create a goal',
    description: `Gives a workspace's agent a goal that it works on in rounds until it is reached. An identical goal at work is reused. ${LOOP}`,
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: true },
    input: createGoalInput,
  })
  async create(input: z.output<typeof createGoalInput>, call: ToolCall) {
    return this.#start(input, call);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_start_goal',
    title: 'Start a goal',
    description: `Starts a goal, or goes on with the one of a session: an identical one is reused, a finished one replaced, another one revised. ${LOOP}`,
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: true },
    input: startGoalInput,
  })
  async start(input: z.output<typeof startGoalInput>, call: ToolCall) {
    return this.#start(input, call);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_revise_goal',
    title: 'Revise a goal',
    description: `Changes the words or the plan of a goal. Name expected_revision so that nothing newer is overwritten. ${LOOP}`,
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: true },
    input: reviseGoalInput,
  })
  async revise(input: z.output<typeof reviseGoalInput>, { principal }: ToolCall) {
    await this.goals.revise(principal, toRevision(input));
    return this.#view(principal, input.session_id);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_update_goal',
    title: 'Update a goal',
    description: `Revises, pauses or resumes a goal, as action says. ${LOOP}`,
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: true },
    input: updateGoalInput,
  })
  async update({ action, ...input }: z.output<typeof updateGoalInput>, { principal }: ToolCall) {
    const revision = toRevision(input);
    if (action === 'pause') await this.goals.pause(principal, revision);
    if (action === 'resume') await this.goals.resume(principal, revision);
    if (action === 'revise') await this.goals.revise(principal, revision);
    return this.#view(principal, input.session_id);
  }

  @McpTool({
    ...DRIVES,
    openWorld: false,
    name: 'dsh_pause_goal',
    title: 'Pause a goal',
    description: 'Ends the round that runs, waits until it is quiet, and pauses the goal. It goes on with dsh_resume_goal.',
    effect: 'write',
    idempotent: true,
    wire: { requestId: false },
    input: pauseGoalInput,
  })
  async pause({ session_id, expected_revision }: z.output<typeof pauseGoalInput>, { principal }: ToolCall) {
    await this.goals.pause(principal, { sessionId: session_id, expectedRevision: expected_revision });
    return this.#view(principal, session_id);
  }

  @McpTool({
    ...DRIVES,
    name: 'dsh_resume_goal',
    title: 'Resume a goal',
    description: `Lets a goal go on that is paused, blocked or disarmed. ${LOOP}`,
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: true },
    input: resumeGoalInput,
  })
  async resume(input: z.output<typeof resumeGoalInput>, { principal }: ToolCall) {
    const { session_id, expected_revision, workspace_lock_override } = input;
    await this.goals.resume(principal, { sessionId: session_id, expectedRevision: expected_revision, override: workspace_lock_override });
    return this.#view(principal, session_id);
  }

  @McpTool({
    ...DRIVES,
    openWorld: false,
    name: 'dsh_stop_goal',
    title: 'Stop a goal',
    description: 'Ends the work of a session for good: its round, its goal, and temporary folders that it made. It cannot be resumed.',
    effect: 'destructive',
    idempotent: true,
    wire: { requestId: false },
    input: stopGoalInput,
  })
  async stop({ session_id }: z.output<typeof stopGoalInput>, { principal }: ToolCall) {
    const { alreadyStopped, removed } = await this.goals.stop(principal, session_id);
    return { stopped: true, already_stopped: alreadyStopped, removed_temp: removed, ...(await this.#view(principal, session_id)) };
  }

  async #start(input: z.output<typeof startGoalInput>, { principal }: ToolCall) {
    const {
      sessionId: id,
      reused,
      how,
    } = await this.goals.start(principal, {
      workspace: input.workspace,
      goal: input.goal,
      plan: input.plan,
      sessionId: input.session_id,
      expectedRevision: input.expected_revision,
      override: input.workspace_lock_override,
      maxRounds: input.max_rounds,
      agent: agentOf(input.agent_options),
    });
    return { existing_goal_reused: reused, how, ...(await this.#view(principal, id)) };
  }

  async #view(principal: Principal, id: string) {
    const state = await this.reads.state(principal, id, 'relay:drive');
    return this.views.summary(state);
  }
}

function toRevision(input: z.output<typeof reviseGoalInput>): ReviseGoal {
  return {
    sessionId: input.session_id,
    goal: input.goal,
    plan: input.plan,
    expectedRevision: input.expected_revision,
    override: input.workspace_lock_override,
  };
}
