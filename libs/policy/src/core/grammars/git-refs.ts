import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar } from '../grammar/tool.js';
import { DIFF_FLAGS, DIFF_OPTIONS, LOG_FLAGS, LOG_OPTIONS, MESSAGE, PATHSPEC_FILE } from './git-options.js';
import { judgeStoredAddress } from './git-network.js';
import { judgeFormats, judgePathspecs } from './git-study.js';

const WORK = ['git.work'] as const;
const REFS = ['git.refs'] as const;

const LIST_FILTERS: Readonly<Record<string, OptionSpec>> = {
  '--sort --format': 'text',
  '--color --column --abbrev': 'text?',
  '--contains --no-contains --merged --no-merged --points-at --with --without': 'text?',
};

/** Filters by commit make a list of every use; an order, a format or colours do not: a name behind them is a new ref. */
const LISTING_OPTIONS = ['--contains'];

/** `git branch` lists, unless an operand or an option makes it create, move or delete. */
const branch: Grammar = {
  flags:
    '-q --quiet -v -vv --verbose --show-current --no-color --no-column --no-abbrev -i --ignore-case --omit-empty --no-track --recurse-submodules --create-reflog',
  options: {
    ...LIST_FILTERS,
    '-l --list': 'flag',
    '-a --all': 'flag',
    '-r --remotes': 'flag',
    '-d --delete': ['flag', 'git.refs'],
    '-D': ['flag', 'git.refs'],
    '-m --move': ['flag', 'git.refs'],
    '-M': ['flag', 'git.refs'],
    '-c --copy': ['flag', 'git.work'],
    '-C': ['flag', 'git.refs'],
    '-f --force': ['flag', 'git.refs'],
    '-t --track': ['text?', 'git.work'],
    '-u --set-upstream-to': ['text', 'git.remote'],
    '--set-upstream': ['flag', 'git.remote'],
    '--unset-upstream': ['flag', 'git.remote'],
    '--edit-description': ['flag', 'interactive.tool'],
  },
  operands: 'text*',
  study: (use) => {
    judgeFormats(use);
    const lists = use.has('-l', '-a', '-r', '--show-current', ...LISTING_OPTIONS);
    if (use.operands.length > 0 && !lists) use.fire('git.work');
    if (use.operands.length > 1 && lists && !use.has('-l', ...LISTING_OPTIONS)) use.fire('git.work');
  },
};

const tag: Grammar = {
  numbers: true,
  flags: '--no-color --no-column -i --ignore-case --omit-empty --create-reflog -e --edit --no-sign',
  options: {
    ...LIST_FILTERS,
    '-l --list': 'flag',
    '-n': 'text?',
    '-a --annotate': ['flag', 'git.work'],
    '-m --message': ['message', 'git.work'],
    '-F --file': ['read', 'git.work'],
    '--trailer': ['text', 'git.work'],
    '--cleanup': 'text',
    '-f --force': ['flag', 'git.refs'],
    '-d --delete': ['flag', 'git.refs'],
    '-s --sign': ['flag', 'git.signing'],
    '-u --local-user': ['text', 'git.signing'],
    '-v --verify': ['flag', 'git.program'],
  },
  operands: 'text*',
  study: (use) => {
    judgeFormats(use);
    if (use.operands.length > 0 && !use.has('-l', '-n', ...LISTING_OPTIONS)) use.fire('git.work');
  },
};

const STASH_PUSH: Grammar = {
  flags: '-k --keep-index --no-keep-index -q --quiet -u --include-untracked --no-include-untracked -a --all -S --staged',
  options: { '-m --message': 'message', '-p --patch': ['flag', 'interactive.tool'], ...PATHSPEC_FILE },
  operands: 'study',
  rules: WORK,
  study: (use) => judgePathspecs(use, 'write'),
};

const stash: Grammar = {
  flags: STASH_PUSH.flags ?? '',
  options: STASH_PUSH.options ?? {},
  study: (use) => {
    if (use.next >= use.argv.length) use.fire('git.work');
  },
  commands: {
    list: { flags: `${DIFF_FLAGS} ${LOG_FLAGS}`, options: { ...DIFF_OPTIONS, ...LOG_OPTIONS }, numbers: true, operands: 'text*' },
    show: {
      flags: `${DIFF_FLAGS} --include-untracked --only-untracked`,
      options: { ...DIFF_OPTIONS, '-u --include-untracked': 'flag' },
      operands: 'text*',
    },
    push: STASH_PUSH,
    save: { ...STASH_PUSH, operands: 'message*' },
    'pop apply': { flags: '--index -q --quiet', operands: 'text*', rules: WORK },
    branch: { operands: 'text*', rules: WORK },
    'create store': { flags: '-q --quiet', options: { '-m --message': 'message' }, operands: 'text*', rules: WORK },
    drop: { flags: '-q --quiet', operands: 'text*', rules: REFS },
    clear: { rules: REFS },
  },
};

const worktree: Grammar = {
  commands: {
    list: { flags: '-v --porcelain -z', options: { '--expire': 'text' } },
    add: {
      flags: `-f --force -d --detach --checkout --no-checkout --lock -q --quiet --track --no-track --guess-remote --no-guess-remote --orphan`,
      options: { '-b': 'text', '-B': ['text', 'git.refs'], '--reason': 'text' },
      operands: 'write text?',
      rules: WORK,
    },
    remove: { flags: '-f --force', operands: 'delete*', rules: REFS },
    move: { flags: '-f --force', operands: 'move write', rules: WORK },
    'prune lock unlock repair': {
      flags: '-n --dry-run -v --verbose',
      options: { '--expire --reason': 'text' },
      operands: 'list*',
      rules: WORK,
    },
  },
};

const notes: Grammar = {
  options: { '--ref': 'text' },
  commands: {
    'list show get-ref': { flags: `${DIFF_FLAGS} ${LOG_FLAGS}`, options: LOG_OPTIONS, operands: 'text*' },
    'add append edit copy': {
      flags: '-f --force --allow-empty --stdin --separator --no-separator',
      options: { ...MESSAGE, '-C --reuse-message -c --reedit-message --for-rewrite': 'text' },
      operands: 'text*',
      rules: WORK,
    },
    'remove prune merge': {
      flags: '-n -v --dry-run --verbose --ignore-missing --stdin -q --quiet --commit --abort',
      options: { '-s --strategy': 'text' },
      operands: 'text*',
      rules: REFS,
    },
  },
};

const bisect: Grammar = {
  commands: {
    'log terms': { flags: '--term-good --term-bad --term-old --term-new', operands: 'text*' },
    'start good bad old new skip next replay': {
      flags: '--no-checkout --first-parent',
      options: { '--term-new --term-bad --term-old --term-good': 'text' },
      operands: 'text*',
      rules: WORK,
    },
    reset: { operands: 'text*', rules: WORK },
    run: { style: 'none', inner: 0, rules: ['git.program'] },
    'view visualize': { style: 'none', operands: 'text*', rules: ['git.program'] },
  },
};

const reflog: Grammar = {
  numbers: true,
  flags: `${DIFF_FLAGS} ${LOG_FLAGS}`,
  options: { ...DIFF_OPTIONS, ...LOG_OPTIONS },
  commands: {
    'show list': { numbers: true, flags: `${DIFF_FLAGS} ${LOG_FLAGS}`, options: { ...DIFF_OPTIONS, ...LOG_OPTIONS }, operands: 'text*' },
    exists: { operands: 'text*' },
    'expire delete drop': { style: 'none', operands: 'text*', rules: REFS },
  },
  otherwise: { operands: 'text*' },
};

const remote: Grammar = {
  flags: '-v --verbose',
  commands: {
    'get-url': { flags: '--push --all', operands: 'text*' },
    show: {
      flags: '-n',
      operands: 'text*',
      study: (use) =>
        use.operands.length > 0 && !use.options.some(({ as }) => as === '-n') ? use.fire('network.connect', 'the remote') : undefined,
    },
    'add rename rm remove set-url set-head set-branches': {
      flags: '-f --fetch --tags --no-tags --push --add --delete -a --auto -d --progress --no-progress',
      options: { '-t --track -m --master': 'text', '--mirror': 'text?' },
      operands: 'text*',
      rules: ['git.remote'],
      study: (use) => {
        const verb = use.name.slice(use.name.lastIndexOf(' ') + 1);
        for (const text of verb === 'add' || verb === 'set-url' ? use.texts().slice(1) : []) judgeStoredAddress(use, text);
      },
    },
    'update prune': {
      flags: '-p --prune -n --dry-run',
      operands: 'text*',
      rules: ['git.work'],
      study: (use) => use.fire('network.connect', 'the remotes'),
    },
  },
};

const CONFIG_READS = new Set(['--get', '--get-all', '--get-regexp', '--get-urlmatch', '-l', '--list', '--get-color', '--get-colorbool']);

const CONFIG_WRITES = new Set(['--add', '--replace-all', '--unset', '--unset-all', '--rename-section', '--remove-section', '-e', '--edit']);

const config: Grammar = {
  flags: `--local --worktree --add --replace-all --unset --unset-all --rename-section --remove-section -e --edit --get --get-all --get-regexp
    --get-urlmatch -l --list --get-color --get-colorbool -z --null --name-only --includes --no-includes --show-origin --show-scope --show-names --all --fixed-value
    --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --regexp --append`,
  options: {
    '--type --default --value --url --comment': 'text',
    '-f --file': 'read',
    '--blob': 'text',
    '--global --system': ['flag', 'git.settings-write'],
  },
  operands: 'text*',
  study: (use) => {
    const given = use.options.map(({ as }) => as);
    const [verb = '', second] = use.texts();
    const readVerb = verb === 'get' || verb === 'list';
    const writeVerb = ['set', 'unset', 'rename-section', 'remove-section', 'edit'].includes(verb);
    const reads = given.some((as) => CONFIG_READS.has(as)) || readVerb;
    const writes = given.some((as) => CONFIG_WRITES.has(as)) || writeVerb || (!reads && second !== undefined);
    if (writes) use.fire('git.settings-write');
    if (reads && use.texts().some((text) => /token|password|secret|helper|extraheader/i.test(text)))
      use.fire('path.secret', use.texts().join(' '));
  },
};

const submodule: Grammar = {
  flags: '-q --quiet --cached',
  commands: {
    'status summary': { flags: '--cached --recursive --files', options: { '-n --summary-limit': 'text' }, operands: 'list*' },
    foreach: { style: 'none', operands: 'text*', rules: ['git.program'] },
    'add update init sync deinit absorbgitdirs set-branch set-url': {
      style: 'none',
      operands: 'text*',
      rules: ['git.remote'],
      study: (use) => use.fire('network.connect', 'the remotes of submodules'),
    },
  },
};

/** Subcommands that list or change refs and what belongs to them, by how they are used. */
export const GIT_REFS: Readonly<Record<string, Grammar>> = {
  branch,
  tag,
  stash,
  worktree,
  notes,
  bisect,
  reflog,
  remote,
  config,
  submodule,
};
