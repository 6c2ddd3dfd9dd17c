import * as z from 'zod';

const id = (what: string) => z.string().min(1).max(200).describe(what);
const words = (what: string) => z.string().max(20_000).describe(what);

export const sessionId = id('The session, as dsh_create_session or dsh_list_sessions names it.');
export const workspace = id('Id, canonical path or title of a workspace, as dsh_list_workspaces tells it.');
export const goal = words('What shall be reached, in words for the agent.');
export const plan = words('Steps on the way to it, where you have some.');
export const expectedRevision = z.int().min(1).describe('Revision of the goal that you saw last; another one refuses the change.');
export const lockOverride = z.boolean().describe('Take the workspace over from the session that works there. Ask the person first.');
export const maxRounds = z.int().min(1).max(10_000).describe('How many rounds the host may start for this goal.');
export const sinceSeq = z.int().min(0).describe('Number up to which you have seen the log; only what is newer is told.');
export const maxChars = z.int().min(100).max(100_000).describe('How much text the answer may hold.');
export const agentOptions = z
  .object({
    provider: id('Provider of the model.'),
    model: id('The model.'),
    reasoning_effort: z.string().min(1).max(40).describe('How long it thinks, in the words of the provider.').optional(),
  })
  .describe('Which model a new session uses. Leave it out for the default of the host; not together with session_id.');

export const startGoal = {
  workspace,
  goal,
  plan: plan.optional(),
  workspace_lock_override: lockOverride.optional(),
  agent_options: agentOptions.optional(),
  max_rounds: maxRounds.optional(),
};

export const reviseGoal = {
  session_id: sessionId,
  goal: goal.optional(),
  plan: plan.optional(),
  expected_revision: expectedRevision.optional(),
  revision_reason: z.string().max(200).describe('Why it changes, for people who read the history.').optional(),
  workspace_lock_override: lockOverride.optional(),
};

/** Every tool answers with one JSON object whose fields may grow. */
export const answer = z.looseObject({});
export const NONE = z.object({});

export function agentOf(options: z.output<typeof agentOptions> | undefined) {
  if (!options) return undefined;
  const { provider, model, reasoning_effort: reasoningEffort } = options;
  return { provider, model, ...(reasoningEffort !== undefined && { reasoningEffort }) };
}
