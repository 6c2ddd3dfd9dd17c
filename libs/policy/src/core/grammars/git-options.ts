import type { OptionSpec } from '../grammar/shapes.js';

type Options = Readonly<Record<string, OptionSpec>>;

export const DIFF_FLAGS = `-p -u --patch -s --no-patch -W --function-context --raw --patch-with-raw --patch-with-stat --numstat --shortstat --cumulative
  --check --summary --name-only --name-status --compact-summary --binary --full-index --no-prefix --default-prefix --rename-empty --find-copies-harder
  --no-renames -D --irreversible-delete --minimal -w --ignore-all-space -b --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol
  --ignore-blank-lines --indent-heuristic --no-indent-heuristic --patience --histogram --pickaxe-all --pickaxe-regex -R -a --text --exit-code --quiet -q
  --no-ext-diff --no-textconv --ita-invisible-in-index --ita-visible-in-index -z --no-color --cc -c --combined-all-paths -m --dd --remerge-diff -t -r --follow
  --no-relative --no-color-moved --no-color-moved-ws --no-diff-merges`;

export const DIFF_OPTIONS: Options = {
  '-U --unified': 'text?',
  '-X --dirstat': 'text?',
  '--dirstat-by-file': 'text?',
  '--stat': 'text?',
  '--stat-width --stat-name-width --stat-graph-width --stat-count': 'text',
  '--color': 'text?',
  '--color-moved': 'text?',
  '--color-moved-ws': 'text',
  '--color-words': 'text?',
  '--word-diff': 'text?',
  '--word-diff-regex': 'text',
  '--abbrev': 'text?',
  '--src-prefix --dst-prefix --line-prefix --inter-hunk-context': 'text',
  '--output-indicator-new --output-indicator-old --output-indicator-context --ws-error-highlight': 'text',
  '-B --break-rewrites': 'text?',
  '-M --find-renames': 'text?',
  '-C --find-copies': 'text?',
  '-l': 'text',
  '--diff-algorithm --anchored --find-object --diff-filter --rotate-to --skip-to --diff-merges': 'text',
  '-S': 'text',
  '-G': 'text',
  '-I --ignore-matching-lines': 'text',
  '--relative': 'text?',
  '--ignore-submodules': 'text?',
  '--submodule': 'text?',
  '-O': 'read',
  '--output': 'side',
  '--ext-diff': ['flag', 'git.program'],
  '--textconv': ['flag', 'git.program'],
  '--no-index': ['flag', 'git.no-index'],
};

export const LOG_FLAGS = `--oneline --graph --no-graph --no-decorate --clear-decorations --source --use-mailmap --no-use-mailmap --mailmap --no-mailmap --log-size --all --not --stdin
  --do-walk --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp
  --remove-empty --merges --no-merges --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --ignore-missing --bisect
  --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls
  --full-history --dense --sparse --simplify-merges --date-order --author-date-order --topo-order --reverse --abbrev-commit
  --no-abbrev-commit --no-abbrev --no-expand-tabs --no-notes --show-notes-by-default --standard-notes --no-standard-notes --relative-date --parents --children
  --left-right --reflog --alternate-refs --single-worktree --in-commit-order --count --objects --objects-edge --unpacked --header --timestamp
  --use-bitmap-index --no-commit-header --commit-header --disk-usage --no-walk --indexed-objects --no-object-names --object-names --root --pretty --progress
  --bisect-vars --bisect-all --quiet`;

export const LOG_OPTIONS: Options = {
  '--decorate': 'text?',
  '--decorate-refs --decorate-refs-exclude': 'text',
  '-L': 'text',
  '--branches --tags --remotes': 'text?',
  '--glob --exclude --exclude-hidden': 'text',
  '--no-walk': 'text?',
  '--since --after --until --before --since-as-filter --max-age --min-age': 'text',
  '--author --committer --grep --grep-reflog': 'text',
  '--min-parents --max-parents': 'text',
  '--ancestry-path': 'text?',
  '-n --max-count --skip': 'text',
  '--pretty': 'text?',
  '--format': 'text',
  '--encoding --date': 'text',
  '--expand-tabs': 'text?',
  '--notes --show-notes': 'text?',
  '--show-signature': ['flag', 'git.program'],
  '--show-linear-break': 'text?',
  '--filter': 'text',
  '--missing': 'text',
  '--default': 'text',
};

/** Choosing commits and paths. */
export const PATHSPEC_FILE: Options = { '--pathspec-from-file': 'names', '--pathspec-file-nul': 'flag' };

/** A commit message and who wrote it. */
export const MESSAGE: Options = {
  '-m --message': 'message',
  '-F --file': 'read',
  '--cleanup': 'text',
  '-S --gpg-sign': ['text?', 'git.signing'],
};
