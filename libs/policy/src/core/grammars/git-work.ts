import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { MESSAGE, PATHSPEC_FILE } from './git-options.js';
import { isWholeTree, judgePathspec, judgePathspecs, judgeRevision } from './git-study.js';

const WORK = ['git.work'] as const;
const REFS = ['git.refs'] as const;

/** Commits or paths that are written to the work tree. */
function studyCheckout(use: ToolUse): void {
  for (const { text, at } of use.operands) {
    if (isWholeTree(text) && use.name !== 'git reset') use.fire('git.discard', `${use.name} ${text}`);
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
  flags: `-q --quiet --progress --no-progress --ours --theirs -2 -3 -m --merge --ignore-unmerged
    --ignore-skip-worktree-bits --overlay --no-overlay --no-recurse-submodules`,
  options: {
    '-S --staged': 'flag',
    '-W --worktree': 'flag',
    '-s --source': 'text',
    '--conflict': 'text',
    '-p --patch': ['flag', 'interactive.tool'],
    '--recurse-submodules': ['text?', 'git.settings'],
    ...PATHSPEC_FILE,
  },
  operands: 'study',
  rules: WORK,
  study: (use) => {
    const onlyIndex = use.has('-S') && !use.has('-W');
    for (const text of use.texts()) if (isWholeTree(text) && !onlyIndex) use.fire('git.discard', `git restore ${text}`);
    judgePathspecs(use, 'write');
  },
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

/** Subcommands that change the work tree, the index or the current branch. */
export const GIT_WORK: Readonly<Record<string, Grammar>> = {
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
};
