import type { StageFacts } from '#contracts';

/** Settings that stop a repository from running programs of its own. They win over the repository's configuration. */
const GIT_SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['safe.directory', '*'], // in a user namespace the workspace may seem to belong to somebody else
];

/** No configuration from outside the repository, no prompt, no pager. In the environment, so that it also reaches git behind a wrapper. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${String(index)}`, key],
      [`GIT_CONFIG_VALUE_${String(index)}`, value],
    ]),
  ),
};

/** Subcommands that would run a configured diff program; the switches stand directly behind them. */
const SHOWS_DIFFS: ReadonlySet<string> = new Set(['diff', 'log', 'show', 'blame']);

/** The words as they are spawned: what a repository could run is switched off where only a switch can do it. */
export function hardened(argv: readonly string[], { tool, subcommand }: Pick<StageFacts, 'tool' | 'subcommand'>): readonly string[] {
  if (tool !== 'git' || subcommand === null || !SHOWS_DIFFS.has(subcommand)) return argv;
  const place = argv.indexOf(subcommand, 1) + 1;
  if (place === 0) return argv;
  return [...argv.slice(0, place), '--no-ext-diff', '--no-textconv', ...argv.slice(place)];
}
