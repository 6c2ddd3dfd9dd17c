// Verbs over the host's goals: its own machine, its own revisions, its own refusals.
import { SessionId } from '@deepseek-ai/dsh-session';
import { Refusal } from './refusal.mjs';

export function goalVerbs({ ctx }) {
  const goals = () => {
    const service = ctx.get('goals');
    if (!service) throw new Refusal('GOAL_UNAVAILABLE', 'This host keeps no goals');
    return service;
  };
  const live = async (id) => {
    const agent = ctx.agents.get(SessionId(id));
    if (agent) return agent;
    const isKnown = (await ctx.sessionPersistence.list()).some((header) => header.id === id);
    throw isKnown ? new Refusal('SESSION_NOT_LIVE', 'The session is not loaded') : new Refusal('SESSION_NOT_FOUND', 'No such session');
  };
  const wish = ({ objective, maxRounds }) => ({
    ...(objective !== undefined && { objective }),
    ...(maxRounds !== undefined && { maxGoalRounds: maxRounds }),
  });

  return {
    goal: async ({ sessionId }) => {
      const goal = goals().get(await live(sessionId));
      return goal ? toGoal(goal) : null;
    },
    createGoal: async ({ sessionId, ...wanted }) => toGoal(goals().create(await live(sessionId), wish(wanted))),
    editGoal: async ({ sessionId, ref, ...wanted }) => toGoal(goals().edit(await live(sessionId), ref, wish(wanted))),
    pauseGoal: async ({ sessionId, ref }) => toGoal(await pause(goals(), await live(sessionId), ref)),
    resumeGoal: async ({ sessionId, ref }) => toGoal(goals().resume(await live(sessionId), ref)),
    clearGoal: async ({ sessionId, ref }) => {
      goals().clear(await live(sessionId), ref);
    },
  };
}

/**
 * Pausing stops the turn in flight too. The reference is checked first: a stale one must stop nothing. The cancel itself pauses the goal
 * and raises its revision, which is what was asked for.
 */
async function pause(goals, agent, ref) {
  const before = goals.get(agent);
  const isCurrent = before?.id === ref.id && before.revision === ref.revision;
  if (isCurrent && before.phase === 'active' && agent.status === 'running') {
    agent.cancel({ kind: 'user' });
    await agent.whenIdle();
    const now = goals.get(agent);
    if (now?.id === ref.id && now.phase === 'paused' && now.revision === ref.revision + 1) return now;
  }
  return goals.pause(agent, ref);
}

export function toGoal({ id, revision, objective, phase, activation, blockedReason, maxGoalRounds, roundsStarted, createdAt, updatedAt }) {
  const reason = blockedReason ? { code: String(blockedReason.code), message: String(blockedReason.message ?? '') } : null;
  return {
    id,
    revision,
    objective,
    phase,
    activation,
    blockedReason: reason,
    maxRounds: maxGoalRounds,
    roundsStarted,
    createdAt,
    updatedAt,
  };
}
