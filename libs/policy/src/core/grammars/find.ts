import type { Grammar, ToolUse } from '../grammar/tool.js';
import type { PathUse } from '../paths/judge.js';

const TESTS = new Set(
  `-daystart -depth -d -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -empty -executable -false
   -nogroup -nouser -readable -true -writable -print -print0 -ls -prune -quit -a -and -o -or -not ! ( ) , -E -X -x -s
   -help --help -version --version`.split(/\s+/),
);
const WITH_TEXT = new Set(
  `-amin -atime -cmin -ctime -mmin -mtime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -name
   -path -perm -regex -size -type -uid -used -user -wholename -xtype -context -maxdepth -mindepth -regextype -printf -Bmin -Btime
   -depth-limit -flags -D`.split(/\s+/),
);
const WITH_PATH: Readonly<Record<string, PathUse>> = {
  '-anewer': 'list',
  '-cnewer': 'list',
  '-newer': 'list',
  '-samefile': 'list',
  '-fprint': 'side',
  '-fprint0': 'side',
  '-fls': 'side',
  '-files0-from': 'read',
};
const NEWER = /^-newer[aBcm][aBcmt]$/;
const FOLLOWS = new Set(['-L', '-H', '-follow']);
const ENDS = new Set([';', '+']);

/** An expression is read word by word; what stands before it are the places to walk. */
function studyFind(use: ToolUse): void {
  const texts = use.texts();
  let walking = true;
  let at = 0;
  while (at < texts.length) {
    const word = texts[at] ?? '';
    if (walking && !isExpression(word)) {
      use.path(word, 'list');
      at += 1;
      continue;
    }
    walking &&= FOLLOWS.has(word) || word === '-P' || word === '-D' || /^-O\d/.test(word) || word === '--';
    at = readTerm(use, texts, at, word);
  }
  use.analysis.effect('read');
}

function isExpression(word: string): boolean {
  return (word.startsWith('-') && word.length > 1) || word === '(' || word === ')' || word === '!' || word === ',';
}

/** Reads one predicate and gives the position of the next. */
function readTerm(use: ToolUse, texts: readonly string[], at: number, word: string): number {
  const argument = texts[at + 1];
  if (FOLLOWS.has(word)) use.fire('links.follow', `find ${word}`);
  else if (word === '-exec' || word === '-execdir' || word === '-ok' || word === '-okdir') return readExec(use, texts, at, word);
  else if (word === '-delete') use.fire('delete.unseen', 'find -delete');
  else if (word === '-fprintf') {
    if (argument !== undefined) use.path(argument, 'side');
    return at + 3;
  } else if (Object.hasOwn(WITH_PATH, word)) {
    if (word === '-files0-from') use.fire('operands.unseen', `find ${word}`);
    if (argument !== undefined) use.path(argument, WITH_PATH[word] ?? 'side');
    return at + 2;
  } else if (NEWER.test(word)) {
    if (argument !== undefined && !word.endsWith('t')) use.path(argument, 'list');
    return at + 2;
  } else if (WITH_TEXT.has(word)) return at + 2;
  else if (!TESTS.has(word) && word !== '-P' && word !== '--' && !/^-O\d$/.test(word)) {
    use.fire(isExpression(word) ? 'option.unknown' : 'operand.unexpected', `find ${word}`);
    if (!isExpression(word)) use.path(word, 'list');
  }
  return at + 1;
}

function readExec(use: ToolUse, texts: readonly string[], at: number, word: string): number {
  const end = texts.findIndex((text, index) => index > at && ENDS.has(text) && (text === ';' || texts[index - 1] === '{}'));
  const stop = end < 0 ? texts.length : end;
  use.fire(word === '-exec' ? 'exec.wrapped' : 'exec.elsewhere', `find ${word}`);
  use.inner(at + 2, stop + 1);
  return stop + 1;
}

const fd: Grammar = {
  abbreviations: false,
  flags: `-H --hidden --no-hidden -I --no-ignore --no-ignore-vcs --no-ignore-parent --ignore -u --unrestricted -s --case-sensitive -i
    --ignore-case -g --glob --regex -F --fixed-strings -a --absolute-path -l --list-details -p --full-path -0 --print0 --prune -1
    -q --quiet --show-errors --one-file-system -V --no-follow --relative-path --no-require-git --strip-cwd-prefix`,
  about: '-V -h',
  options: {
    '-L --follow': ['flag', 'links.follow'],
    '-d --max-depth': 'text',
    '--min-depth': 'text',
    '--exact-depth': 'text',
    '-E --exclude': 'text',
    '-t --type': 'text',
    '-e --extension': 'text',
    '-S --size': 'text',
    '--changed-within --newer': 'text',
    '--changed-before --older': 'text',
    '-o --owner': 'text',
    '-c --color': 'text',
    '-j --threads': 'text',
    '--max-results': 'text',
    '--and': 'text',
    '--path-separator': 'text',
    '--batch-size': 'text',
    '--format': 'text',
    '--ignore-file': 'read',
    '--search-path': 'list',
    '--base-directory -C': 'folder',
    '-x --exec': ['text', 'exec.wrapped'],
    '-X --exec-batch': ['text', 'exec.wrapped'],
  },
  lastOptions: '-x -X',
  operands: 'study',
  study: (use) => {
    const exec = use.options.find(({ option }) => option.name === '-x' || option.name === '-X');
    const before = use.operands.filter(({ at }) => exec === undefined || at < exec.at);
    for (const { text } of before.slice(1)) use.path(text, 'list');
    if (exec) use.inner(exec.at);
  },
};

/** Tools that look for files. */
export const FINDING: Readonly<Record<string, Grammar>> = {
  'find gfind': { style: 'none', operands: 'study', study: studyFind },
  'fd fdfind': fd,
};
