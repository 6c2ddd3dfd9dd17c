import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { findRepository } from '../git/repository.js';
import { entersModules, riskySettings } from '../git/trust.js';
import { GIT_NETWORK } from './git-network.js';
import { GIT_READING } from './git-reading.js';
import { GIT_REFS } from './git-refs.js';
import { GIT_WORK } from './git-work.js';
import { GIT_WRITING } from './git-writing.js';

const GLOBAL: OptionSpec = ['text', 'git.global-option'];

/** Subcommands that need no repository. */
const WITHOUT_REPOSITORY = new Set(['version', 'init', 'clone']);
/** Subcommands during which hooks would run. */
const WITH_HOOKS = new Set([
  'commit',
  'merge',
  'checkout',
  'switch',
  'rebase',
  'am',
  'push',
  'pull',
  'cherry-pick',
  'revert',
  'reset',
  'worktree',
  'gc',
]);

/** The repository is looked at before any subcommand: what stands in it could run when git starts. */
function studyRepository(use: ToolUse): void {
  const command = use.argv[use.next];
  if (command === undefined || WITHOUT_REPOSITORY.has(command)) return;
  const repository = findRepository(use.context);
  if (repository.kind === 'foreign') return use.fire('git.foreign', repository.what);
  if (repository.kind === 'none') return;
  if (repository.unreadable) use.fire('git.settings', '(a configuration file that cannot be read)');
  for (const key of riskySettings(repository.settings, command, use.argv.slice(use.next + 1))) use.fire('git.settings', key);
  if (entersModules(command)) for (const key of repository.riskyModules()) use.fire('git.settings', key);
  const alias = repository.settings.find(({ key }) => key.toLowerCase() === `alias.${command.toLowerCase()}`);
  if (alias && !KNOWN.has(command)) use.fire('git.alias', `${command} = ${alias.value}`);
  if (repository.hooks.length > 0 && WITH_HOOKS.has(command)) {
    use.analysis.say('git.hooks', `Hooks of this repository are switched off for this run: ${repository.hooks.slice(0, 8).join(', ')}.`);
  }
}

/** Every long option of git's own subcommands has its opposite. */
function withOpposites(commands: Readonly<Record<string, Grammar>>): Readonly<Record<string, Grammar>> {
  return Object.fromEntries(
    Object.entries(commands).map(([names, grammar]) => [
      names,
      { ...grammar, negations: true, ...(grammar.commands ? { commands: withOpposites(grammar.commands) } : {}) },
    ]),
  );
}

const COMMANDS = withOpposites({ ...GIT_READING, ...GIT_WORK, ...GIT_REFS, ...GIT_WRITING, ...GIT_NETWORK });
const KNOWN = new Set(Object.keys(COMMANDS).flatMap((names) => names.split(' ')));

export const GIT: Readonly<Record<string, Grammar>> = {
  git: {
    style: 'posix',
    abbreviations: false,
    about: '-v -h --html-path --man-path --info-path',
    flags: `--no-pager -P --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs
      --noglob-pathspecs --icase-pathspecs`,
    options: {
      '-c': GLOBAL,
      '--config-env': GLOBAL,
      '-C': GLOBAL,
      '--exec-path': ['text?', 'git.global-option'],
      '--git-dir': GLOBAL,
      '--work-tree': GLOBAL,
      '--namespace': GLOBAL,
      '--super-prefix': GLOBAL,
      '--attr-source': GLOBAL,
      '--list-cmds': GLOBAL,
      '--bare': ['flag', 'git.global-option'],
      '-p --paginate': ['flag', 'git.global-option'],
    },
    study: studyRepository,
    commands: COMMANDS,
  },
};
