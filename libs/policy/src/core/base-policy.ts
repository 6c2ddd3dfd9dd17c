import type { PolicyDocument } from './policy-document.js';
import { RULES } from './rules.js';

/** The built-in policy. `work` is what a trusted workspace is for; `grave` always needs a person; `never` has no way round. */
export const BASE_POLICY: PolicyDocument = {
  version: 'base-1',
  outcomes: {
    inspect: { read: 'allow', work: 'deny', grave: 'deny', never: 'deny' },
    confirm: { read: 'allow', work: 'ask', grave: 'ask', never: 'deny' },
    trusted: { read: 'allow', work: 'allow', grave: 'ask', never: 'deny' },
  },
  rules: RULES,
  quorum: 1,
  notRequester: false,
};
