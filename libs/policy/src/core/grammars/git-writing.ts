import type { ToolUse } from '../grammar/tool-use.js';
import type { Grammar, OptionSpec } from '../grammar/types.js';
import { DIFF_FLAGS, DIFF_OPTIONS, LOG_FLAGS, LOG_OPTIONS, MESSAGE, PATHSPEC_FILE } from './git-options.js';
import { judgeFormats, judgePathspec, judgePathspecs, judgeRevision } from './git-study.js';

const WORK = ['git.work'] as const;
const REFS = ['git.refs'] as const;

/** Commits or paths that are written to the work tree. */
function studyCheckout(use: ToolUse): void {
  for (const { text, at } of use.operands) {
    if (use.dashes !== null && at > use.dashes) judgePathspec(use, text, 'write');
    else judgeRevision(use, text);
  }
}

const SWITCHING: Readonly<Record<string, OptionSpec>> = {
  '-b --create-branch': 'text',
  '-B': ['text', 'git.refs'],
  '--orphan': 'text',
  '-t --track': 'text?',
  '-f --force': ['flag', 'git.discard'],
  '--conflict': 'text',
  '--recurse-submodules': ['text?', 'git.settings'],
  ...PATHSPEC_FILE,
};

const SWITCH_FLAGS = `-q --quiet --progress --no-progress -l -d --detach --guess --no-guess -m --merge --ignore-other-worktrees --overwrite-ignore
  --no-overwrite-ignore --no-track --no-recurse-submodules --ours --theirs -2 -3 --overlay --no-overlay --ignore-skip-worktree-bits`;

const checkout: Grammar = {
  flags: SWITCH_FLAGS,
  options: { ...SWITCHING, '-p --patch': ['flag', 'interactive.tool'] },
  operands: 'study',
  rules: WORK,
  study: studyCheckout,
};

const switchTo: Grammar = {
  flags: SWITCH_FLAGS,
  options: {
    ...SWITCHING,
    '-c --create': 'text',
    '-C --force-create': ['text', 'git.refs'],
    '--discard-changes': ['flag', 'git.discard'],
  },
  operands: 'text*',
  rules: WORK,
};

const restore: Grammar = {
  flags: `-W --worktree -S --staged -q --quiet --progress --no-progress --ours --theirs -2 -3 -m --merge --ignore-unmerged
    --ignore-skip-worktree-bits --overlay --no-overlay --no-recurse-submodules`,
  options: {
    '-s --source': 'text',
    '--conflict': 'text',
    '-p --patch': ['flag', 'interactive.tool'],
    '--recurse-submodules': ['text?', 'git.settings'],
    ...PATHSPEC_FILE,
  },
  operands: 'study',
  rules: WORK,
  study: (use) => judgePathspecs(use, 'write'),
};

const add: Grammar = {
  flags: `-n --dry-run -v --verbose -f --force -u --update -A --all --no-all --no-ignore-removal --ignore-removal -N --intent-to-add --refresh
    --ignore-errors --ignore-missing --sparse --renormalize --no-warn-embedded-repo`,
  options: {
    '--chmod': 'text',
    '-i --interactive': ['flag', 'interactive.tool'],
    '-p --patch': ['flag', 'interactive.tool'],
    '-e --edit': ['flag', 'interactive.tool'],
    ...PATHSPEC_FILE,
  },
  operands: 'study',
  rules: WORK,
  study: (use) => judgePathspecs(use, 'read'),
};

const commit: Grammar = {
  flags: `-a --all -s --signoff --no-signoff -q --quiet -v --verbose --status --no-status --amend --no-edit -n --no-verify --verify --allow-empty
    --allow-empty-message --no-post-rewrite --post-rewrite -i --include -o --only --dry-run --short --branch --ahead-behind --no-ahead-behind --long -z --null
    --reset-author --no-gpg-sign -e --edit --porcelain`,
  options: {
    ...MESSAGE,
    '--author --date --fixup --squash': 'text',
    '-C --reuse-message': 'text',
    '-c --reedit-message': 'text',
    '-t --template': 'read',
    '--trailer': 'text',
    '-u --untracked-files': 'text?',
    '-p --patch': ['flag', 'interactive.tool'],
    '--interactive': ['flag', 'interactive.tool'],
    ...PATHSPEC_FILE,
  },
  operands: 'study',
  rules: WORK,
  study: (use) => judgePathspecs(use, 'read'),
};

const MERGE_FLAGS = `--commit --no-commit -e --edit --no-edit --ff --no-ff --ff-only --stat -n --no-stat --log --no-log --squash --no-squash -q --quiet -v --verbose
  --progress --no-progress --allow-unrelated-histories --no-verify --verify --continue --quit --signoff --no-signoff --rerere-autoupdate
  --no-rerere-autoupdate --overwrite-ignore --no-overwrite-ignore --autostash --no-autostash --summary --no-summary --skip
  --allow-empty --allow-empty-message --keep-redundant-commits --no-gpg-sign -x --reference --no-verify-signatures`;

const merge: Grammar = {
  numbers: true,
  flags: MERGE_FLAGS,
  options: {
    ...MESSAGE,
    '-s --strategy': 'text',
    '-X --strategy-option': 'text',
    '--into-name --mainline': 'text',
    '--verify-signatures': ['flag', 'git.program'],
    '--abort': ['flag', 'git.discard'],
    '--empty': 'text',
  },
  operands: 'text*',
  rules: WORK,
};

const pick: Grammar = {
  numbers: true,
  flags: `${MERGE_FLAGS} -s`,
  options: {
    '-m --mainline': 'text',
    '--strategy -X --strategy-option --cleanup --empty': 'text',
    '-S --gpg-sign': ['text?', 'git.signing'],
    '--abort': ['flag', 'git.discard'],
    '-n --no-commit': 'flag',
  },
  operands: 'text*',
  rules: WORK,
};

const rebase: Grammar = {
  numbers: true,
  flags: `${MERGE_FLAGS} --keep-base --apply -m --merge --keep-empty --no-keep-empty --reapply-cherry-picks --no-reapply-cherry-picks -f --force-rebase
    --fork-point --no-fork-point --ignore-whitespace --committer-date-is-author-date --reset-author-date --ignore-date --autosquash --no-autosquash
    --reschedule-failed-exec --no-reschedule-failed-exec --update-refs --no-update-refs --root --show-current-patch --no-rebase-merges`,
  options: {
    '--onto --whitespace --empty -s --strategy -X --strategy-option -C': 'text',
    '-r --rebase-merges': 'text?',
    '-S --gpg-sign': ['text?', 'git.signing'],
    '-x --exec': ['text', 'git.program'],
    '-i --interactive': ['flag', 'git.refs'],
    '--edit-todo': ['flag', 'interactive.tool'],
    '--abort': ['flag', 'git.discard'],
    '--quit': 'flag',
  },
  operands: 'text*',
  rules: REFS,
};

const reset: Grammar = {
  flags: '-q --quiet --mixed --soft -N --intent-to-add --refresh --no-refresh',
  options: {
    '--hard': ['flag', 'git.discard'],
    '--merge': ['flag', 'git.discard'],
    '--keep': 'flag',
    '-p --patch': ['flag', 'interactive.tool'],
    '--recurse-submodules': ['text?', 'git.settings'],
    ...PATHSPEC_FILE,
  },
  operands: 'study',
  rules: WORK,
  study: studyCheckout,
};

const clean: Grammar = {
  flags: '-q --quiet -f --force -d -x -X',
  options: { '-n --dry-run': 'flag', '-i --interactive': ['flag', 'interactive.tool'], '-e --exclude': 'text' },
  operands: 'study',
  study: (use) => {
    const dry = use.has('-n');
    if (!dry) use.fire('git.discard');
    judgePathspecs(use, dry ? 'list' : 'delete');
  },
};

const LIST_FILTERS: Readonly<Record<string, OptionSpec>> = {
  '--sort --format': 'text',
  '--color --column --abbrev': 'text?',
  '--contains --no-contains --merged --no-merged --points-at --with --without': 'text?',
};

const LISTING_OPTIONS = ['--contains', '--sort', '--format', '--color'];

/** `git branch` lists, unless an operand or an option makes it create, move or delete. */
const branch: Grammar = {
  flags:
    '-q --quiet -v -vv --verbose -a --all -r --remotes --show-current --no-color --no-column --no-abbrev -i --ignore-case --omit-empty --no-track --recurse-submodules --create-reflog',
  options: {
    ...LIST_FILTERS,
    '-l --list': 'flag',
    '-d --delete': ['flag', 'git.refs'],
    '-D': ['flag', 'git.refs'],
    '-m --move': ['flag', 'git.refs'],
    '-M': ['flag', 'git.refs'],
    '-c --copy': ['flag', 'git.work'],
    '-C': ['flag', 'git.refs'],
    '-f --force': ['flag', 'git.refs'],
    '-t --track': ['text?', 'git.work'],
    '-u --set-upstream-to --set-upstream': ['text', 'git.remote'],
    '--unset-upstream': ['flag', 'git.remote'],
    '--edit-description': ['flag', 'interactive.tool'],
  },
  operands: 'text*',
  study: (use) => {
    judgeFormats(use);
    const lists =
      use.has('-l', ...LISTING_OPTIONS) ||
      use.options.some(({ as }) => ['-a', '-r', '-vv', '--all', '--remotes', '--show-current'].includes(as));
    if (use.operands.length > 0 && !lists) use.fire('git.work');
    // Behind a filter that takes its commit from the next word, one operand is that commit.
    if (use.operands.length > 1 && lists && !use.has('-l')) use.fire('git.work');
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

const apply: Grammar = {
  flags: `--numstat --stat --summary --check --index -3 --3way --cached -R --reverse --no-add --allow-binary-replacement --binary --reject -z --inaccurate-eof
    --ignore-space-change --ignore-whitespace --recount -v --verbose -q --quiet --unidiff-zero --allow-overlap --allow-empty -N --intent-to-add --ours --theirs --union --apply`,
  options: {
    '-p': 'text',
    '-C': 'text',
    '--whitespace --exclude --include --directory': 'text',
    '--build-fake-ancestor': 'side',
    '--unsafe-paths': ['flag', 'path.unclear'],
  },
  operands: 'read*',
  study: (use) => {
    const only =
      use.options.some(({ as }) => ['--stat', '--numstat', '--summary', '--check'].includes(as)) &&
      !use.options.some(({ as }) => as === '--apply');
    if (!only) use.fire('write.unseen', 'git apply');
  },
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

const plumbing: Grammar = { style: 'none', operands: 'text*', rules: ['git.refs'] };
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

/** Subcommands that change the repository or the work tree, and those that do both, by how they are used. */
export const GIT_WRITING: Readonly<Record<string, Grammar>> = {
  'add stage': add,
  commit,
  checkout,
  switch: switchTo,
  restore,
  reset,
  clean,
  merge,
  'cherry-pick revert': pick,
  rebase,
  branch,
  tag,
  stash,
  worktree,
  notes,
  bisect,
  reflog,
  apply,
  remote,
  config,
  submodule,
  rm: {
    flags: '-f --force -n --dry-run -r --cached --ignore-unmatch --sparse -q --quiet',
    options: PATHSPEC_FILE,
    operands: 'study',
    rules: WORK,
    study: (use) => judgePathspecs(use, 'delete'),
  },
  mv: { flags: '-f --force -k -n --dry-run -v --verbose --sparse', operands: 'move* write', rules: WORK },
  init: {
    flags: '-q --quiet --bare',
    options: {
      '--initial-branch -b --object-format --ref-format': 'text',
      '--shared': ['text?', 'git.settings-write'],
      '--template': ['read', 'git.program'],
      '--separate-git-dir': ['write', 'git.foreign'],
    },
    operands: 'write?',
    rules: WORK,
  },
  'symbolic-ref': {
    flags: '-q --quiet --short --recurse --no-recurse',
    options: { '-d --delete': ['flag', 'git.refs'], '-m': 'text' },
    operands: 'text*',
    study: (use) => {
      if (use.operands.length > 1) use.fire('git.refs');
    },
  },
  'hash-object': {
    flags: '--stdin --stdin-paths --no-filters --literally',
    options: { '-w': ['flag', 'git.work'], '-t --path': 'text' },
    operands: 'read*',
  },
  'format-patch': {
    numbers: true,
    flags: `${DIFF_FLAGS} ${LOG_FLAGS} -k --keep-subject -n --numbered -N --no-numbered -s --signoff --no-attach --thread --no-thread --no-to --no-cc --zero-commit --always --no-signature
      --numbered-files --full-index --no-base --ignore-if-in-upstream --force-in-body-from --no-force-in-body-from --cover-letter --no-cover-letter --progress`,
    options: {
      ...DIFF_OPTIONS,
      ...LOG_OPTIONS,
      '--stdout': 'flag',
      '-o --output-directory': 'write',
      '--start-number --suffix --subject-prefix --in-reply-to --to --cc --from --add-header --signature --base --cover-from-description --filename-max-length -v --reroll-count':
        'text',
      '--rfc --attach --inline --interdiff --range-diff --creation-factor': 'text?',
      '--signature-file --description-file': 'read',
    },
    operands: 'text*',
    study: (use) => {
      if (!use.has('--stdout')) use.fire('write.workspace', 'patch files');
    },
  },
  am: {
    flags: `-s --signoff -k --keep --keep-non-patch --no-keep-cr --keep-cr -c --scissors --no-scissors -q --quiet -u --utf8 --no-utf8 -3 --3way --no-3way --ignore-space-change
      --ignore-whitespace --reject --continue --resolved -r --skip --quit --retry --allow-empty --committer-date-is-author-date --ignore-date -n --no-verify -m --message-id`,
    options: {
      '--whitespace -C -p --directory --exclude --include --patch-format --empty --quoted-cr': 'text',
      '--abort': ['flag', 'git.discard'],
      '-i --interactive': ['flag', 'interactive.tool'],
      '-S --gpg-sign': ['text?', 'git.signing'],
      '--show-current-patch': 'text?',
    },
    operands: 'read*',
    rules: ['git.work', 'write.unseen'],
  },
  'gc prune repack pack-refs pack-objects prune-packed multi-pack-index commit-graph rerere sparse-checkout update-index update-server-info read-tree write-tree commit-tree mktag mktree merge-file merge-index merge-one-file unpack-objects unpack-file index-pack fast-import checkout-index interpret-trailers restore-mtime refs':
    { style: 'none', operands: 'text*', rules: ['git.refs'] },
  'update-ref replace filter-repo reflog-delete': plumbing,
  'filter-branch difftool mergetool instaweb gui gitk citool web--browse daemon http-backend shell': {
    style: 'none',
    operands: 'text*',
    rules: ['git.program'],
  },
  maintenance: {
    commands: {
      run: { flags: '--auto --no-auto --quiet --no-quiet', options: { '--schedule --task': 'text' }, rules: WORK },
      'start stop register unregister': { style: 'none', operands: 'text*', rules: ['persistence.tool'] },
    },
  },
  'credential credential-cache credential-store credential-osxkeychain credential-libsecret': {
    style: 'none',
    operands: 'text*',
    rules: ['network.credential'],
  },
  'send-email imap-send svn p4 cvsimport cvsexportcommit cvsserver archimport quiltimport request-pull bugreport diagnose fast-export lfs annex crypt secret flow subtree':
    { style: 'none', operands: 'text*', rules: ['subcommand.unknown', 'network.connect'] },
  'upload-pack receive-pack upload-archive fetch-pack send-pack http-fetch http-push remote-http remote-https remote-ext remote-fd sh-i18n sh-setup submodule--helper rebase--helper fsmonitor--daemon':
    { style: 'none', operands: 'text*', rules: ['git.internal'] },
  bundle: {
    commands: {
      'verify list-heads': { flags: '-q --quiet', operands: 'read text*' },
      create: {
        flags: `${LOG_FLAGS} --all-progress --all-progress-implied`,
        options: { ...LOG_OPTIONS, '--version': 'text' },
        operands: 'side text*',
      },
      unbundle: { flags: '--progress', operands: 'read text*', rules: WORK },
    },
  },
};
