import type { ErrorCode } from '#contracts';

/** What a host says, in the words that clients know. */
const WORDS: Readonly<Record<string, ErrorCode>> = {
  SESSION_NOT_FOUND: 'SESSION_NOT_FOUND',
  SESSION_NOT_LIVE: 'SESSION_NOT_LIVE',
  WORKSPACE_NOT_FOUND: 'WORKSPACE_NOT_FOUND',
  HOST_CANNOT: 'HOST_CANNOT',
  GOAL_UNAVAILABLE: 'GOAL_UNAVAILABLE',
  GOAL_AGENT_NOT_LIVE: 'SESSION_NOT_LIVE',
  GOAL_NOT_FOUND: 'GOAL_NOT_FOUND',
  GOAL_ALREADY_EXISTS: 'GOAL_ALREADY_EXISTS',
  GOAL_STALE_REVISION: 'REVISION_CONFLICT',
  GOAL_INVALID_OBJECTIVE: 'GOAL_INVALID',
  GOAL_INVALID_MAX_ROUNDS: 'GOAL_INVALID',
  GOAL_INVALID_BLOCK_REASON: 'GOAL_INVALID',
  GOAL_INVALID_EDIT: 'GOAL_INVALID',
  GOAL_INVALID_TRANSITION: 'GOAL_INVALID_TRANSITION',
};

/** A goal's refusal that is not known stays one of the goal; anything else means that the host is not well. */
export function refusalOf(hostCode: string): ErrorCode {
  return WORDS[hostCode] ?? (hostCode.startsWith('GOAL_') ? 'GOAL_HOST_ERROR' : 'HOST_UNAVAILABLE');
}
