import type { Decision, StageFacts } from '#contracts';
import { RULES, type RuleId } from '../rules.js';

/**
 * What an `allow` of a team's document may lower from ask to allow: work inside the workspace that the analysis has
 * seen in full. Everything else stays an ask, whatever a document says: inline code, unknown tools, words that were not
 * understood, protected and secret paths, deleting what is not named, settings, privileges, other processes, downloads.
 */
export const LOWERABLE: ReadonlySet<string> = new Set<RuleId>([
  'write.workspace',
  'write.side',
  'move.workspace',
  'delete.workspace',
  'project.code',
  'project.script',
  'project.build-file',
  'git.work',
  'network.connect',
]);

/** May be lowered only by a rule that names the hosts. */
export const NEEDS_HOST: ReadonlySet<string> = new Set<RuleId>(['network.connect']);

/** May be lowered only by a rule that names the paths: the tool itself is one that reads. */
export const NEEDS_PATH: ReadonlySet<string> = new Set<RuleId>(['write.side']);

const LOWERABLE_EFFECTS: ReadonlySet<string> = new Set(['read', 'write', 'delete', 'execute_project_code', 'network']);

/** The findings of a stage that keep it from running by itself. */
export function weighty(findings: readonly string[]): readonly string[] {
  return findings.filter((finding) => !Object.hasOwn(RULES, finding) || RULES[finding as RuleId].level !== 'read'); // known by the line itself
}

/** Whether the ask of this decision may be lowered at all. The mode `inspect` never asks, so there it may not. */
export function mayBeLowered({ base, stages }: Pick<Decision, 'base' | 'stages'>): boolean {
  if (base?.outcome !== 'ask' || base.findings.length !== stages.length || stages.length === 0) return false;
  return stages.every((stage, index) => isLowerable(stage, base.findings[index] ?? []));
}

function isLowerable({ understood, effects, commands }: StageFacts, findings: readonly string[]): boolean {
  if (!understood || commands === undefined) return false;
  return weighty(findings).every((finding) => LOWERABLE.has(finding)) && effects.every((effect) => LOWERABLE_EFFECTS.has(effect));
}
