import type { Effect, StageFacts, Touch } from '#contracts';
import type { WordKey } from '../../core/words.js';

const ORDER: readonly (readonly [readonly Effect[], WordKey])[] = [
  [['write'], 'verb_write'],
  [['delete'], 'verb_delete'],
  [['execute_project_code', 'execute_inline'], 'verb_run'],
  [['network'], 'verb_connect'],
  [['privilege'], 'verb_privilege'],
  [['environment'], 'verb_environment'],
  [['process'], 'verb_process'],
];

/** The verbs that a signature allows, in a fixed order; reading alone is `verb_read`. Pure. */
export function verbsOf(facts: readonly StageFacts[]): readonly WordKey[] {
  const effects = new Set(facts.flatMap((stage) => stage.effects));
  const verbs = ORDER.filter(([of]) => of.some((effect) => effects.has(effect))).map(([, word]) => word);
  return verbs.length > 0 ? verbs : ['verb_read'];
}

/** What the second step names one by one: every touch that changes, runs or leaves. */
export function namedTouches(facts: readonly StageFacts[]): readonly Touch[] {
  const named = facts.flatMap((stage) => stage.touches).filter((touch) => touch.role !== 'read' && touch.role !== 'cwd');
  return [...new Map(named.map((touch) => [`${touch.role} ${touch.target}`, touch])).values()];
}
