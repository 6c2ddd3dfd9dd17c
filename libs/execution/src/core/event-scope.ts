import type { EventScope, Plan } from '#contracts';

/** Whose event it is that something happens to a plan, and where. */
export function scopeOf({ owner, sessionId, workspaceId }: Pick<Plan, 'owner' | 'sessionId' | 'workspaceId'>): EventScope {
  return { owner, sessionId, workspaceId };
}
