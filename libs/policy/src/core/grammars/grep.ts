import type { Grammar, ToolUse } from '../grammar/tool.js';
import { ignoredNames } from './generated.js';
import { judgeWalk } from './recursion.js';

function studyGrep(use: ToolUse): void {
  const patternGiven = use.has('-e', '-f');
  const paths = patternGiven ? use.texts() : use.texts().slice(1);
  use.paths(paths, 'read');
  if (use.has('-r') || use.value('-d') === 'recurse') judgeWalk(use, paths);
}

const grep: Grammar = {
  numbers: true,
  flags: `-E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i -y --ignore-case --no-ignore-case -w --word-regexp
    -x --line-regexp -z --null-data -s --no-messages -v --invert-match -V -b --byte-offset -n --line-number --line-buffered -H
    --with-filename -h --no-filename -o --only-matching -q --quiet --silent -a --text -I -L --files-without-match -l --files-with-matches
    -c --count -T --initial-tab -Z --null --no-group-separator -U --binary -u --unix-byte-offsets`,
  options: {
    '-r --recursive': 'flag',
    '-R --dereference-recursive': ['flag', 'links.follow'],
    '-e --regexp': 'text',
    '-f --file': 'read',
    '-m --max-count': 'text',
    '-A --after-context': 'text',
    '-B --before-context': 'text',
    '-C --context': 'text',
    '-d --directories': 'text',
    '-D --devices': 'text',
    '--binary-files': 'text',
    '--label': 'text',
    '--include': 'text',
    '--exclude': 'text',
    '--exclude-from': 'read',
    '--exclude-dir': 'text',
    '--group-separator': 'text',
    '--color --colour': 'text?',
  },
  operands: 'study',
  study: studyGrep,
};

function studyRg(use: ToolUse): void {
  const listsOnly = use.has('--files', '--type-list');
  const patternGiven = listsOnly || use.has('-e', '-f');
  const paths = patternGiven ? use.texts() : use.texts().slice(1);
  use.paths(paths, listsOnly ? 'list' : 'read');
  if (!listsOnly) walkAsRg(use, paths);
}

/** Hidden names and what `.gitignore` names are left out, unless an option says otherwise. */
function walkAsRg(use: ToolUse, paths: readonly string[]): void {
  const unrestricted = use.options.filter(({ option }) => option.name === '-u').length;
  const hidden = unrestricted > 1 || use.has('-.');
  const all = unrestricted > 0 || use.has('--no-ignore', '--no-ignore-vcs');
  const ignored = all ? () => false : ignoredNames(use);
  judgeWalk(use, paths, use.context.cwd, (_, name) => (!hidden && name.startsWith('.')) || ignored(name));
}

const rg: Grammar = {
  abbreviations: false,
  flags: `-s --case-sensitive -i --ignore-case -S --smart-case --no-ignore-case -F --fixed-strings --no-fixed-strings -w --word-regexp -x
    --line-regexp -v --invert-match --no-invert-match -P --pcre2 --no-pcre2 --auto-hybrid-regex --no-auto-hybrid-regex -U --multiline
    --no-multiline --multiline-dotall --no-multiline-dotall --crlf --no-crlf --null-data --no-unicode --unicode --pcre2-unicode
    --no-pcre2-unicode --binary --no-binary -a --text --no-text --no-hidden --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude
    --ignore-exclude --no-ignore-files --ignore-files --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages
    --no-ignore-parent --ignore-parent --ignore-vcs --ignore-file-case-insensitive --no-ignore-file-case-insensitive
    --one-file-system --no-one-file-system --no-require-git --require-git --glob-case-insensitive --no-glob-case-insensitive --no-follow
    --block-buffered --no-block-buffered -b --byte-offset --no-byte-offset --column --no-column --heading --no-heading -h --include-zero
    --no-include-zero --line-buffered --no-line-buffered -n --line-number -N --no-line-number --max-columns-preview
    --no-max-columns-preview -0 --null -o --only-matching --passthru --passthrough -p --pretty -q --quiet --trim --no-trim --vimgrep -H
    --with-filename -I --no-filename -c --count --count-matches -l --files-with-matches --files-without-match --json --no-json --debug
    --trace --messages --no-messages --stats --no-stats --no-config --pcre2-version -V --stop-on-nonmatch --no-context-separator
    --no-pre --mmap --no-mmap --no-encoding --sort-files --no-sort-files --line-regexp`,
  about: '-V',
  options: {
    '--files': 'flag',
    '--type-list': 'flag',
    '-. --hidden': 'flag',
    '--no-ignore': 'flag',
    '--no-ignore-vcs': 'flag',
    '-u --unrestricted': 'flag',
    '-L --follow': ['flag', 'links.follow'],
    '-e --regexp': 'text',
    '-f --file': 'read',
    '-g --glob': 'text',
    '--iglob': 'text',
    '-t --type': 'text',
    '-T --type-not': 'text',
    '--type-add': 'text',
    '--type-clear': 'text',
    '-A --after-context': 'text',
    '-B --before-context': 'text',
    '-C --context': 'text',
    '-m --max-count': 'text',
    '-d --max-depth --maxdepth': 'text',
    '--max-filesize': 'text',
    '-M --max-columns': 'text',
    '-r --replace': 'text',
    '-j --threads': 'text',
    '-E --encoding': 'text',
    '--engine': 'text',
    '--color': 'text',
    '--colors': 'text',
    '--context-separator': 'text',
    '--field-context-separator': 'text',
    '--field-match-separator': 'text',
    '--path-separator': 'text',
    '--sort': 'text',
    '--sortr': 'text',
    '--dfa-size-limit': 'text',
    '--regex-size-limit': 'text',
    '--hyperlink-format': 'text',
    '--generate': 'text',
    '--ignore-file': 'read',
    '--pre': 'program',
    '--pre-glob': 'text',
    '--hostname-bin': 'program',
    '-z --search-zip': 'flag',
    '--no-search-zip': 'flag',
  },
  operands: 'study',
  study: studyRg,
};

/** Tools that look for text. */
export const SEARCH: Readonly<Record<string, Grammar>> = {
  'grep egrep fgrep zgrep': grep,
  'rg ripgrep': rg,
};
