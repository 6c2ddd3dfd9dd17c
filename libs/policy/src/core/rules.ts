import type { RuleRow } from './policy-document.js';

const read = { level: 'read', risk: 'low' } as const;
const work = { level: 'work', risk: 'medium' } as const;
const grave = { level: 'grave', risk: 'high' } as const;
const never = { level: 'never', risk: 'high' } as const;

/** Every rule that the analysis can name, and how serious it is. */
export const RULES = {
  // what is ordinary
  'read.only': read,
  'write.workspace': work,
  'delete.workspace': work,
  'project.code': work,
  // not understood
  'tool.unknown': grave,
  'subcommand.unknown': grave,
  'option.unknown': grave,
  'operand.unexpected': grave,
  // limits and form
  'limit.stages': never,
  'limit.words': never,
  'limit.word-size': never,
  'limit.total-size': never,
} as const satisfies Record<string, RuleRow>;

export type RuleId = keyof typeof RULES;
