/** Why a run was stopped before it ended by itself; stands in its receipt. */
export const ENDED_BY = ['request_closed', 'caller', 'session_closed', 'session_expired', 'input_ended', 'shutdown', 'owner_died'] as const;
export type EndedBy = (typeof ENDED_BY)[number];
