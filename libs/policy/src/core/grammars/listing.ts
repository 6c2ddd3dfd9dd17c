import type { Grammar, ToolUse } from '../grammar/tool.js';

const ls: Grammar = {
  flags: `-a --all -A --almost-all --author -b --escape -B --ignore-backups -c -C -d --directory -D --dired -f --file-type
    --full-time -g --group-directories-first -G --no-group -h --human-readable --si -i --inode -k --kibibytes -l -m -n
    --numeric-uid-gid -N --literal -o -p -q --hide-control-chars --show-control-chars -Q --quote-name -r --reverse -R --recursive
    -s --size -S -t -u -U -v -x -X -Z --context --zero -1`,
  options: {
    '-H --dereference-command-line': ['flag', 'links.follow'],
    '--dereference-command-line-symlink-to-dir': ['flag', 'links.follow'],
    '-L --dereference': ['flag', 'links.follow'],
    '--block-size': 'text',
    '--color --colour': 'text?',
    '-F': 'flag',
    '--classify': 'text?',
    '--format': 'text',
    '--hide': 'text',
    '--hyperlink': 'text?',
    '--indicator-style': 'text',
    '-I --ignore': 'text',
    '--quoting-style': 'text',
    '--sort': 'text',
    '--time': 'text',
    '--time-style': 'text',
    '-T --tabsize': 'text',
    '-w --width': 'text',
  },
  operands: 'list*',
};

const stat: Grammar = {
  flags: '-L --dereference -f --file-system -t --terse',
  options: { '-c --format': 'text', '--printf': 'text', '--cached': 'text' },
  operands: 'list*',
};

const du: Grammar = {
  flags: `-0 --null -a --all --apparent-size -b --bytes -c --total -h --human-readable --inodes -k -l --count-links -m -P
    --no-dereference -S --separate-dirs --si -s --summarize -x --one-file-system`,
  options: {
    '-D --dereference-args': ['flag', 'links.follow'],
    '-H': ['flag', 'links.follow'],
    '-L --dereference': ['flag', 'links.follow'],
    '-B --block-size': 'text',
    '-d --max-depth': 'text',
    '--exclude': 'text',
    '-X --exclude-from': 'read',
    '--files0-from': 'names',
    '-t --threshold': 'text',
    '--time': 'text?',
    '--time-style': 'text',
  },
  operands: 'list*',
};

const df: Grammar = {
  flags: '-a --all -h --human-readable -H --si -i --inodes -k -l --local --no-sync -P --portability --total -T --print-type -v',
  options: { '-B --block-size': 'text', '--output': 'text?', '-t --type': 'text', '-x --exclude-type': 'text', '--sync': 'flag' },
  operands: 'list*',
};

const file: Grammar = {
  flags: `-b --brief -c --checking-printout -i --mime --mime-type --mime-encoding --apple --extension -k --keep-going -l --list -h
    --no-dereference -L --dereference -n --no-buffer -N --no-pad -0 --print0 -p --preserve-date -r --raw -v -d --debug -E`,
  options: {
    '-e --exclude --exclude-quiet': 'text',
    '-F --separator': 'text',
    '-f --files-from': 'names',
    '-m --magic-file': 'read',
    '-P --parameter': 'text',
    '-C --compile': ['flag', 'write.unseen'],
    '-S --no-sandbox': ['flag', 'option.unknown'],
    '-s --special-files': 'flag',
    '-z --uncompress': ['flag', 'option.unknown'],
    '-Z --uncompress-noreport': ['flag', 'option.unknown'],
  },
  operands: 'read*',
};

const tree: Grammar = {
  flags: `-a -d -f -x -p -s -h -u -g -D -F -q -N -r -t -c -U -v -C -n -S -A -Q -i -J -X --noreport --prune --dirsfirst --filesfirst
    --du --si --inodes --device --gitignore --matchdirs --ignore-case --nolinks --metafirst --opt-toggle`,
  options: {
    '-l': ['flag', 'links.follow'],
    '-L': 'text',
    '-P': 'text',
    '-I': 'text',
    '-H': 'text',
    '-T': 'text',
    '-o': 'side',
    '-R': ['flag', 'write.unseen'],
    '--sort': 'text?',
    '--charset': 'text',
    '--filelimit': 'text',
    '--timefmt': 'text',
    '--gitfile': 'read',
    '--infofile': 'read',
    '--hintro': 'read',
    '--houtro': 'read',
    '--fromfile': 'flag',
    '--fromtabfile': 'flag',
    '--info': 'flag',
  },
  operands: 'study',
  study: (use) => {
    use.paths(use.texts(), use.has('--fromfile', '--fromtabfile') ? 'read' : 'list');
  },
};

const readlink: Grammar = {
  flags:
    '-f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -n --no-newline -q --quiet -s --silent -v --verbose -z --zero',
  operands: 'list*',
};

const realpath: Grammar = {
  flags: `-e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet -s --strip --no-symlinks -z --zero`,
  options: { '--relative-to': 'list', '--relative-base': 'list' },
  operands: 'list*',
};

const UNARY_ON_PATHS = new Set(Array.from('abcdefghkprsuwxLOGSN', (letter) => `-${letter}`));
const BINARY_ON_PATHS = new Set(['-nt', '-ot', '-ef']);

/** Words behind or around an operator on files are paths; all else is text. */
function studyTest(use: ToolUse): void {
  const texts = use.texts();
  texts.forEach((text, at) => {
    const before = texts[at - 1] ?? '';
    const isPath = UNARY_ON_PATHS.has(before) || BINARY_ON_PATHS.has(before) || BINARY_ON_PATHS.has(texts[at + 1] ?? '');
    if (isPath && text !== ']') use.path(text, 'list');
  });
}

const test: Grammar = { style: 'none', operands: 'study', study: studyTest };

/** Tools that show names, dates and kinds of files. */
export const LISTING: Readonly<Record<string, Grammar>> = {
  'ls dir vdir': ls,
  stat,
  du,
  df,
  file,
  tree,
  readlink,
  realpath,
  'test [': test,
  basename: { style: 'posix', flags: '-a --multiple -z --zero', options: { '-s --suffix': 'text' }, operands: 'text*' },
  dirname: { style: 'posix', flags: '-z --zero', operands: 'text*' },
  pathchk: { flags: '-p -P --portability', operands: 'list*' },
  'which whereis': {
    flags: '-a -s -b -m -u -l --all --skip-alias --skip-dot --skip-tilde --skip-functions --show-dot --show-tilde --tty-only',
    operands: 'text*',
  },
  pwd: { flags: '-L --logical -P --physical' },
};
