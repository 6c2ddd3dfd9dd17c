import type { Grammar, ToolUse } from '../grammar/tool.js';
import { judgeFollowingWalk, judgeWalk } from './recursion.js';

function studyDiff(use: ToolUse): void {
  const texts = use.texts();
  use.paths(texts, 'read');
  if (!use.has('-r')) return;
  if (use.has('--no-dereference')) judgeWalk(use, texts);
  else judgeFollowingWalk(use, texts);
}

const diff: Grammar = {
  numbers: true,
  flags: `--normal -q --brief -s --report-identical-files -c -u -e --ed -f -n --rcs -y --side-by-side --left-column
    --suppress-common-lines -p --show-c-function -t --expand-tabs -T --initial-tab --suppress-blank-empty -N --new-file -P
    --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -i --ignore-case -E --ignore-tab-expansion -Z
    --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -a --text --strip-trailing-cr -d
    --minimal --speed-large-files -H -v`,
  about: '-v',
  options: {
    '-C': 'text',
    '-U': 'text',
    '--context': 'text?',
    '--unified': 'text?',
    '-W --width': 'text',
    '-F --show-function-line': 'text',
    '-L --label': 'text',
    '--tabsize': 'text',
    '-l --paginate': ['flag', 'exec.option'],
    '-r --recursive': 'flag',
    '--no-dereference': 'flag',
    '-x --exclude': 'text',
    '-X --exclude-from': 'read',
    '-S --starting-file': 'text',
    '--from-file': 'read',
    '--to-file': 'read',
    '-I --ignore-matching-lines': 'text',
    '-D --ifdef': 'text',
    '--old-group-format': 'text',
    '--new-group-format': 'text',
    '--unchanged-group-format': 'text',
    '--changed-group-format': 'text',
    '--line-format': 'text',
    '--old-line-format': 'text',
    '--new-line-format': 'text',
    '--unchanged-line-format': 'text',
    '--horizon-lines': 'text',
    '--color': 'text?',
    '--palette': 'text',
  },
  operands: 'study',
  study: studyDiff,
};

const sdiff: Grammar = {
  flags: `-i --ignore-case -E --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change -W --ignore-all-space -B
    --ignore-blank-lines --strip-trailing-cr -a --text -l --left-column -s --suppress-common-lines -t --expand-tabs -d --minimal -H
    --speed-large-files -v`,
  about: '-v',
  options: {
    '-o --output': ['side', 'interactive.tool'],
    '-I --ignore-matching-lines': 'text',
    '-w --width': 'text',
    '--tabsize': 'text',
    '--diff-program': 'program',
  },
  operands: 'read read',
};

const diff3: Grammar = {
  flags: `-A --show-all -e --ed -E --show-overlap -3 --easy-only -x --overlap-only -X -i -m --merge -a --text --strip-trailing-cr -T --initial-tab -v`,
  about: '-v',
  options: { '-L --label': 'text', '--diff-program': 'program' },
  operands: 'read read read',
};

const cmp: Grammar = {
  flags: '-b --print-bytes -l --verbose -s --quiet --silent -v',
  options: { '-i --ignore-initial': 'text', '-n --bytes': 'text' },
  operands: 'read read? text? text?',
};

const patch: Grammar = {
  flags: `-b --backup --backup-if-mismatch --no-backup-if-mismatch -c --context -E --remove-empty-files -f --force -l --ignore-whitespace
    -n --normal -N --forward -R --reverse -s --quiet --silent -t --batch -T --set-time -u --unified -v --verbose -Z --set-utc --dry-run
    --posix --binary`,
  about: '-v',
  options: {
    '-p --strip': 'text',
    '-F --fuzz': 'text',
    '-i --input': 'read',
    '-o --output': 'write',
    '-r --reject-file': 'write',
    '-d --directory': 'folder',
    '-D --ifdef': 'text',
    '-B --prefix': 'write',
    '-Y --basename-prefix': 'suffix',
    '-z --suffix': 'suffix',
    '-V --version-control': 'text',
    '-g --get': ['text', 'exec.option'],
    '-e --ed': ['flag', 'exec.option'],
    '--merge': 'text?',
    '--quoting-style': 'text',
    '--reject-format': 'text',
    '--read-only': 'text',
    '--follow-symlinks': ['flag', 'links.follow'],
  },
  operands: 'write? read?',
  rules: ['write.unseen'],
};

/** Tools that compare files and apply differences. */
export const COMPARING: Readonly<Record<string, Grammar>> = {
  'diff colordiff': diff,
  diff3,
  sdiff,
  cmp,
  patch,
};
