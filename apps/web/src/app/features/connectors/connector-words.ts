import type { AccountStatus, ActionEffect, ConnectorStatus, ProviderState, ScopeRisk } from '#contracts';
import type { WordKey } from '../../core/words.js';

/** The words of states; each state has one. */
export const connectorWords = {
  phase: ({ errorCode, phase }: ConnectorStatus): WordKey => (errorCode === 'timeout' ? 'phase_timeout' : `phase_${phase}`),
  state: (state: ProviderState): WordKey => `state_${state}`,
  account: (status: AccountStatus): WordKey => `account_${status}`,
  risk: (risk: ScopeRisk): WordKey => `scope_${risk}`,
  effect: (effect: ActionEffect): WordKey => `does_${effect}`,
};
