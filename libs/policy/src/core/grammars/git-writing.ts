import type { Grammar } from '../grammar/tool.js';
import { DIFF_FLAGS, DIFF_OPTIONS, LOG_FLAGS, LOG_OPTIONS, PATHSPEC_FILE } from './git-options.js';
import { judgePathspecs } from './git-study.js';

const WORK = ['git.work'] as const;

const apply: Grammar = {
  flags: `--numstat --stat --summary --check --index -3 --3way --cached -R --reverse --no-add --allow-binary-replacement --binary --reject -z --inaccurate-eof
    --ignore-space-change --ignore-whitespace --recount -v --verbose -q --quiet --unidiff-zero --allow-overlap --allow-empty -N --intent-to-add --ours --theirs --union --apply`,
  options: {
    '-p': 'text',
    '-C': 'text',
    '--whitespace --exclude --include': 'text',
    '--directory': 'list',
    '--build-fake-ancestor': 'side',
    '--unsafe-paths': ['flag', 'path.escape'],
  },
  operands: 'read*',
  study: (use) => {
    const only = use.has('--stat', '--numstat', '--summary', '--check') && !use.has('--apply');
    if (!only) use.fire('write.unseen', 'git apply');
  },
};

const plumbing: Grammar = { style: 'none', operands: 'text*', rules: ['git.refs'] };

/** The other subcommands that write, and those that nobody needs for ordinary work. */
export const GIT_WRITING: Readonly<Record<string, Grammar>> = {
  apply,
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
    flags: '--stdin --no-filters --literally',
    options: {
      '--stdin-paths': ['flag', 'operands.unseen'],
      '-w': ['flag', 'git.work'],
      '-t --path': 'text',
    },
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
      '--start-number --suffix --subject-prefix --in-reply-to --to --cc --add-header --signature --base --cover-from-description --filename-max-length -v --reroll-count':
        'text',
      '--from --rfc --attach --inline --interdiff --range-diff --creation-factor': 'text?',
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
  'gc prune repack pack-refs pack-objects prune-packed multi-pack-index commit-graph update-index update-server-info read-tree write-tree commit-tree mktag mktree merge-file merge-index merge-one-file unpack-objects unpack-file index-pack fast-import checkout-index restore-mtime refs':
    { style: 'none', operands: 'text*', rules: ['git.refs'] },
  rerere: {
    commands: {
      'status remaining diff': { flags: '-u', operands: 'text*' },
      'clear forget gc': { operands: 'text*', rules: ['git.refs'] },
    },
    study: (use) => {
      if (use.next >= use.argv.length) use.fire('git.work');
    },
  },
  'sparse-checkout': {
    commands: { list: {}, 'init set add reapply disable check-rules': { style: 'none', operands: 'text*', rules: ['git.refs'] } },
  },
  'interpret-trailers': {
    flags: '--parse --only-trailers --only-input --unfold --no-divider --trim-empty --no-trim-empty',
    options: { '--trailer --where --if-exists --if-missing': 'text', '--in-place': ['flag', 'write.side'] },
    operands: 'read*',
    study: (use) => {
      if (use.has('--in-place')) use.paths(use.texts(), 'side');
    },
  },
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
  'send-email imap-send': { style: 'none', operands: 'text*', rules: ['network.upload'] },
  'svn p4 cvsimport cvsexportcommit cvsserver archimport quiltimport request-pull bugreport diagnose fast-export lfs annex crypt secret flow subtree':
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
