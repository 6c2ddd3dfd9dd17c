import { MODES, type Outcome } from '#contracts';
import { BASE_POLICY } from '../base-policy.js';
import { LEVELS, type Level } from '../policy-document.js';
import { RULES } from '../rules.js';

const MEANS: Readonly<Record<Exclude<Level, 'read'>, string>> = {
  work: 'what a trusted workspace is for',
  grave: 'what always needs a person',
  never: 'what has no way round',
};

/** The built-in policy as a document in the same language: what none of its rules matches only reads, and runs. */
export function baseDocument(): string {
  const lines = [
    '# The built-in policy, written as a document. It always applies; a document of the team refines it.',
    '# What none of these rules matches only reads, and runs by itself.',
    `name: Built-in policy ${BASE_POLICY.version}`,
    'rules:',
  ];
  for (const level of LEVELS) {
    if (level === 'read') continue;
    for (const [outcome, modes] of outcomesOf(level)) lines.push(...ruleText(level, outcome, modes));
  }
  return `${lines.join('\n')}\n`;
}

function outcomesOf(level: Level): readonly (readonly [Outcome, readonly string[]])[] {
  const strict = MODES.filter((mode) => BASE_POLICY.outcomes[mode][level] !== 'allow');
  return [...Map.groupBy(strict, (mode) => BASE_POLICY.outcomes[mode][level])];
}

function ruleText(level: Exclude<Level, 'read'>, outcome: Outcome, modes: readonly string[]): readonly string[] {
  const findings = Object.entries(RULES)
    .filter(([, row]) => row.level === level)
    .map(([name]) => `        - ${name}`);
  return [
    `  - name: ${level}-${outcome}`,
    '    match:',
    ...(modes.length === MODES.length ? [] : [`      mode: [${modes.join(', ')}]`]),
    '      finding:',
    ...findings,
    `    outcome: ${outcome}`,
    `    reason: The built-in policy counts this among ${MEANS[level]}.`,
  ];
}
