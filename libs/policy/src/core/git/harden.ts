import { Analysis } from '../analysis.js';
import { readGitCommand } from '../grammars/git-words.js';
import { NOTHING } from '../path-look.js';
import { decideArgv } from '../stage.js';

/** Settings that win over whatever a repository says: no hook, no monitor, no signing, no pager, no other repository. */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'tag.forceSignAnnotated=false',
  'push.gpgSign=false',
  'merge.verifySignatures=false',
  'safe.bareRepository=explicit',
  'safe.directory=*',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  'maintenance.auto=false',
  'gc.auto=0',
  'gc.autoDetach=false',
  'fetch.recurseSubmodules=false',
];

const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv'];
const NO_SUBMODULES = ['--ignore-submodules=dirty'];

/** Options behind a subcommand that keep it from starting what a repository names. */
const BY_COMMAND: Readonly<Record<string, readonly string[]>> = {
  diff: [...NO_PROGRAMS, ...NO_SUBMODULES],
  'diff-files': [...NO_PROGRAMS, ...NO_SUBMODULES],
  'diff-index': [...NO_PROGRAMS, ...NO_SUBMODULES],
  'diff-tree': NO_PROGRAMS,
  log: NO_PROGRAMS,
  show: NO_PROGRAMS,
  whatchanged: NO_PROGRAMS,
  'format-patch': NO_PROGRAMS,
  blame: ['--no-textconv'],
  annotate: ['--no-textconv'],
  grep: ['--no-textconv'],
  status: NO_SUBMODULES,
};

/**
 * Variables for every run: they carry the same settings to a git that another program starts, and no repository above the
 * workspace is found.
 */
export function gitEnvironment(root: string): Readonly<Record<string, string>> {
  const parent = root.slice(0, root.lastIndexOf('/')) || '/';
  return {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_NO_LAZY_FETCH: '1',
    GIT_CEILING_DIRECTORIES: parent,
    GIT_CONFIG_COUNT: String(SETTINGS.length),
    ...Object.fromEntries(
      SETTINGS.flatMap((setting, at) => {
        const [key = '', value = ''] = setting.split('=');
        return [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ];
      }),
    ),
  };
}

/**
 * The argv with which git is really started: settings that a repository cannot override, and for showing subcommands
 * the options that keep it from starting other programs. Finds git behind wrappers too; leaves any other argv alone.
 */
export function hardenGit(argv: readonly string[]): readonly string[] {
  const hardened = [...argv];
  for (const at of [...gitPositions(argv)].sort((one, other) => other - one)) {
    const { commandAt } = readGitCommand(argv.slice(at));
    if (commandAt !== null) hardened.splice(at + commandAt + 1, 0, ...(BY_COMMAND[argv[at + commandAt] ?? ''] ?? []));
    hardened.splice(at + 1, 0, ...SETTINGS.flatMap((setting) => ['-c', setting]), '--no-pager');
  }
  return hardened;
}

/** Rules that fire when a use of git writes inside `.git`. */
const WRITES = new Set(['git.work', 'git.refs', 'git.discard', 'git.remote']);

/** Whether an analysed git subcommand, also behind wrappers, has to write inside `.git`. */
export function gitWrites(argv: readonly string[]): boolean {
  const { findings } = readWords(argv);
  return findings.some(({ rule }) => WRITES.has(rule));
}

/** Where in the argv git itself stands as a program. */
function gitPositions(argv: readonly string[]): ReadonlySet<number> {
  return readWords(argv).positionsOf('git');
}

/** Words alone: what is on disk plays no part in where git stands. */
function readWords(argv: readonly string[]): Analysis {
  const analysis = new Analysis(argv);
  decideArgv(
    argv,
    {
      look: NOTHING,
      root: '/',
      cwd: '/',
      dataDir: null,
      toolPaths: [],
      sandbox: 'full',
      depth: 0,
      offset: 0,
      line: { words: argv, messages: new Set() },
    },
    analysis,
  );
  return analysis;
}
