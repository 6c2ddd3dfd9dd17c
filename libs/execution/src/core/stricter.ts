import { OUTCOMES, RISKS, type Decision } from '#contracts';
import { BASE_POLICY } from '#policy/core';

/**
 * What a person or policy agreed to at plan time against what policy says now. Names every way in which now is
 * stricter or the command would touch something else; empty means the old agreement still holds.
 */
export function stricterNow(then: Decision, now: Decision): readonly string[] {
  const changes: string[] = [];
  if (OUTCOMES.indexOf(now.outcome) > OUTCOMES.indexOf(then.outcome)) changes.push('decision');
  if (RISKS.indexOf(now.risk) > RISKS.indexOf(then.risk)) changes.push('risk');
  if (now.outcome === 'ask' && now.quorum > then.quorum) changes.push('quorum');
  if (now.outcome === 'ask' && now.notRequester && !then.notRequester) changes.push('not_requester');
  if (now.outcome === 'ask' && wanted(now).some((one) => !wanted(then).includes(one))) changes.push('deciders');
  if (touched(now) !== touched(then)) changes.push('touches');
  const known = new Set(findings(then));
  if (findings(now).some((finding) => !known.has(finding))) changes.push('findings');
  return changes;
}

/** Who must be content with it, as comparable texts. */
function wanted({ terms }: Decision): readonly string[] {
  return terms?.deciders.map((one) => JSON.stringify(one)) ?? [];
}

/** What the analysis found against the command, such as a setting of the repository that was not there before. */
function findings({ rules, reasons }: Decision): readonly string[] {
  return rules.flatMap((rule, index) => {
    const level = BASE_POLICY.rules[rule]?.level ?? 'read';
    return level === 'read' ? [] : [`${rule} ${reasons[index] ?? ''}`];
  });
}

/** The notes are left out: that a new file exists by now is no change of what the command may touch. */
function touched({ stages }: Decision): string {
  const rows = stages.flatMap(({ touches }) => touches.map(({ kind, target, role }) => JSON.stringify([kind, role, target])));
  return [...new Set(rows)].sort().join('\n');
}
