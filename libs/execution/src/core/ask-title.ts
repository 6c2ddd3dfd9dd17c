import type { Decision, Effect } from '#contracts';

/** Strongest first: the title names the effect that a person must weigh most. */
const TITLES: readonly (readonly [Effect, string])[] = [
  ['privilege', 'Use higher privileges'],
  ['network', 'Use the network'],
  ['execute_inline', 'Run inline code'],
  ['execute_project_code', 'Run project code'],
  ['delete', 'Delete files'],
  ['write', 'Write files'],
  ['process', 'Act on other processes'],
  ['environment', 'Change the environment'],
  ['read', 'Read files'],
];

/** Title of an ask, made of the analysis alone; no word of it comes from the caller. */
export function askTitle({ stages }: Pick<Decision, 'stages'>): string {
  if (stages.some(({ understood }) => !understood)) return 'Run a command that is not fully understood';
  const effects = new Set(stages.flatMap((stage) => stage.effects));
  return TITLES.find(([effect]) => effects.has(effect))?.[1] ?? 'Run a command';
}
