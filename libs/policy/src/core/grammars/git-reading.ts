import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar } from '../grammar/tool.js';
import { DIFF_FLAGS, DIFF_OPTIONS, LOG_FLAGS, LOG_OPTIONS } from './git-options.js';
import { judgeFormats, judgePathspecs, studyRevisions } from './git-study.js';

const REVISIONS: Pick<Grammar, 'operands' | 'study'> = { operands: 'study', study: (use) => studyRevisions(use) };

const diff: Grammar = {
  numbers: true,
  flags: `${DIFF_FLAGS} --cached --staged --merge-base --base --ours --theirs -0 -1 -2 -3 --root --no-commit-id --always --stdin --pretty --oneline -v`,
  options: DIFF_OPTIONS,
  ...REVISIONS,
};

const log: Grammar = {
  numbers: true,
  flags: `${DIFF_FLAGS} ${LOG_FLAGS}`,
  options: { ...DIFF_OPTIONS, ...LOG_OPTIONS },
  ...REVISIONS,
};

const status: Grammar = {
  flags: `-s --short -b --branch --show-stash --ahead-behind --no-ahead-behind --long -v -vv --verbose -z --null --renames --no-renames`,
  options: {
    '--porcelain': 'text?',
    '-u --untracked-files': 'text?',
    '--ignored': 'text?',
    '--ignore-submodules': 'text?',
    '--column': 'text?',
    '-M --find-renames': 'text?',
    '--no-column': 'flag',
  },
  operands: 'study',
  study: (use) => {
    judgeFormats(use);
    judgePathspecs(use, 'list');
  },
};

const blame: Grammar = {
  numbers: true,
  flags: `-b --root --show-stats --progress --no-progress --score-debug -f --show-name -n --show-number -p --porcelain --line-porcelain -c -t -l -s -e
    --show-email -w --color-lines --color-by-age --minimal --first-parent --incremental --reverse --no-progress -h --no-textconv --no-ext-diff`,
  options: {
    '-L': 'text',
    '-M': 'text?',
    '-C': 'text?',
    '--abbrev': 'text?',
    '--since --date --encoding --ignore-rev': 'text',
    '--ignore-revs-file': 'read',
    '--contents': 'read',
    '-S': 'read',
    '--textconv --ext-diff': ['flag', 'git.program'],
  },
  ...REVISIONS,
};

const grep: Grammar = {
  numbers: true,
  flags: `--cached --untracked --no-exclude-standard --exclude-standard -v --invert-match -i --ignore-case -w --word-regexp -a --text -I -r --recursive
    --no-recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P --perl-regexp -n --line-number --column -h -H --full-name -l
    --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --no-color --break --heading -p
    --show-function -W --function-context --and --or --not ( ) --all-match -q --quiet --no-textconv --no-line-number`,
  options: {
    '-e': 'text',
    '-f': 'read',
    '--color': 'text?',
    '-A --after-context -B --before-context -C --context -m --max-count --max-depth --threads': 'text',
    '--no-index': ['flag', 'git.no-index'],
    '-O --open-files-in-pager': ['text?', 'git.program'],
    '--textconv': ['flag', 'git.program'],
    '--recurse-submodules': ['flag', 'git.settings'],
    '--parent-basename': 'text',
  },
  operands: 'study',
  study: (use) => {
    const patternGiven = use.has('-e', '-f');
    studyRevisions(use, patternGiven ? use.operands : use.operands.slice(1));
  },
};

const lsFiles: Grammar = {
  flags: `-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage --directory --no-empty-directory -u --unmerged -k --killed
    --resolve-undo -z --deduplicate --exclude-standard --error-unmatch --full-name -t -v -f --eol --sparse --debug`,
  options: {
    '-x --exclude': 'text',
    '-X --exclude-from': 'read',
    '--exclude-per-directory': 'text',
    '--with-tree': 'text',
    '--abbrev': 'text?',
    '--format': 'text',
    '--recurse-submodules': ['flag', 'git.settings'],
  },
  operands: 'study',
  study: (use) => judgePathspecs(use, 'list'),
};

const catFile: Grammar = {
  flags: `-e -p -t -s --allow-unknown-type --use-mailmap --mailmap --batch-all-objects --buffer --follow-symlinks --unordered -z -Z`,
  options: {
    '--batch --batch-check --batch-command': ['text?', 'operands.unseen'],
    '--path --filter': 'text',
    '--textconv --filters': ['flag', 'git.program'],
  },
  ...REVISIONS,
};

const revParse: Grammar = {
  abbreviations: false,
  flags: `--keep-dashdash --stop-at-non-option --stuck-long --sq-quote --revs-only --no-revs --flags --no-flags --verify -q --quiet --sq --symbolic
    --symbolic-full-name --all --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix
    --show-toplevel --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --shared-index-path --not --local-env-vars`,
  options: {
    '--default --prefix --path-format --since --after --until --before --disambiguate --glob --exclude --git-path': 'text',
    '--short --abbrev-ref --branches --tags --remotes --show-object-format --exclude-hidden': 'text?',
  },
  ...REVISIONS,
};

const REF_FILTERS: Readonly<Record<string, OptionSpec>> = {
  '--sort --format --exclude': 'text',
  '--color': 'text?',
  '--points-at --contains --no-contains --merged --no-merged --with --without': 'text?',
  '--count': 'text',
  '--column': 'text?',
  '--abbrev': 'text?',
};

const forEachRef: Grammar = {
  flags: '-s --shell -p --perl --python --tcl --ignore-case --omit-empty --stdin --include-root-refs',
  options: REF_FILTERS,
  operands: 'text*',
  study: judgeFormats,
};

const archive: Grammar = {
  numbers: true,
  flags: '-l --list -v --verbose --worktree-attributes',
  options: {
    '--format --prefix --mtime --add-virtual-file': 'text',
    '--add-file': 'read',
    '-o --output': 'side',
    '--remote': ['text', 'network.connect'],
    '--exec': ['text', 'git.program'],
  },
  ...REVISIONS,
};

const describe: Grammar = {
  flags: '--contains --debug --all --tags --long --first-parent --exact-match --always',
  options: { '--abbrev --dirty --broken': 'text?', '--candidates --match --exclude': 'text' },
  operands: 'text*',
};

/** Subcommands that only read. */
export const GIT_READING: Readonly<Record<string, Grammar>> = {
  status,
  diff,
  'diff-files diff-index diff-tree range-diff': {
    ...diff,
    options: { ...DIFF_OPTIONS, '--creation-factor': 'text', '--notes': 'text?' },
    flags: `${diff.flags ?? ''} --left-only --right-only --no-dual-color --dual-color`,
  },
  'log show whatchanged': log,
  'rev-list': log,
  shortlog: {
    ...log,
    flags: `${LOG_FLAGS} -n --numbered -s --summary -e --email -c --committer`,
    options: { ...LOG_OPTIONS, '--group': 'text', '-w': 'text?', '-n --numbered': 'flag', '--committer': 'text?' },
  },
  'blame annotate': blame,
  grep,
  'ls-files': lsFiles,
  'ls-tree': {
    flags: '-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree',
    options: { '--abbrev': 'text?', '--format': 'text' },
    ...REVISIONS,
  },
  'cat-file': catFile,
  'rev-parse': revParse,
  'for-each-ref': forEachRef,
  'show-ref': {
    flags: '--head --heads --branches --tags -d --dereference --verify -q --quiet --exists',
    options: { '-s --hash --abbrev --exclude-existing': 'text?' },
    operands: 'text*',
  },
  'show-branch': {
    numbers: true,
    flags: `-r --remotes -a --all --current --topo-order --date-order --sparse --list --merge-base --independent --no-name --sha1-name --topics`,
    options: { '--more --color -g --reflog': 'text?' },
    operands: 'text*',
  },
  describe,
  'name-rev': {
    flags: '--tags --name-only --all --undefined --always --annotate-stdin --stdin',
    options: { '--refs --exclude': 'text' },
    operands: 'text*',
  },
  'merge-base': { flags: '-a --all --octopus --independent --is-ancestor --fork-point', operands: 'text*' },
  'cherry patch-id': { flags: '-v --verbose --stable --unstable --verbatim', options: { '--abbrev': 'text?' }, operands: 'text*' },
  'count-objects verify-pack': { flags: '-v --verbose -H --human-readable -s --stat-only', operands: 'list*' },
  'check-ignore check-attr check-mailmap check-ref-format': {
    flags:
      '-q --quiet -v --verbose --stdin -z -n --non-matching --no-index -a --all --cached --branch --allow-onelevel --no-allow-onelevel --normalize --refspec-pattern',
    options: { '--source': 'text' },
    operands: 'text*',
  },
  'var version': { flags: '-l --build-options', operands: 'text*' },
  help: {
    flags:
      '-a --all -g --guides -i --info -m --man -c --config --verbose --no-verbose --external-commands --no-external-commands --aliases --no-aliases --user-interfaces --developer-interfaces',
    options: { '-w --web': ['flag', 'git.program'] },
    operands: 'text*',
  },
  'column stripspace': {
    flags: '-s --strip-comments -c --comment-lines',
    options: { '--mode': 'text?', '--command --raw-mode --width --indent --nl --padding': 'text' },
  },
  fsck: {
    flags: `--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict --verbose -v
      --progress --no-progress --name-objects`,
    options: { '--lost-found': ['flag', 'git.work'] },
    operands: 'text*',
  },
  archive,
  'merge-tree': {
    flags: '--write-tree --trivial-merge --messages --no-messages -z --name-only --allow-unrelated-histories --stdin --quiet',
    options: { '--merge-base': 'text', '-X --strategy-option': 'text' },
    operands: 'text*',
  },
  'verify-commit verify-tag': { style: 'none', operands: 'text*', rules: ['git.program'] },
};
