export { askMigrations as policyMigrations } from './adapters/kysely-ask.migrations.js';
export { AskKinds } from './asks-kinds.js';
export type { AskHandler } from './asks-kinds.js';
export { Asks } from './asks.js';
export type { AskList, AskQuery, CastVote, NewAsk, Unanswered } from './asks.js';
export { PolicyModule } from './policy.module.js';
