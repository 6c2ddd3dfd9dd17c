import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { lexicalPath } from '../paths/resolve.js';
import { isGenerated } from './generated.js';
import { isMode, setsPrivilege } from './modes.js';
import { isFolder, judgeTree, transferOf } from './transfer.js';

const BACKUP: Readonly<Record<string, OptionSpec>> = {
  '--backup': 'text?',
  '-S --suffix': 'suffix',
  '-t --target-directory': 'folder',
  '-T --no-target-directory': 'flag',
  '--context': 'text?',
};

const cp: Grammar = {
  flags: `--attributes-only -b --copy-contents -d -f --force -i --interactive -l --link -n --no-clobber -P --no-dereference -p
    --preserve-context --parents --remove-destination -s --symbolic-link --strip-trailing-slashes -v --verbose -x --one-file-system -Z
    --debug`,
  options: {
    ...BACKUP,
    '-r -R --recursive': 'flag',
    '-a --archive': 'flag',
    '-H': ['flag', 'links.follow'],
    '-L --dereference': ['flag', 'links.follow'],
    '-u': 'flag',
    '--update': 'text?',
    '--preserve': 'text?',
    '--no-preserve': 'text',
    '--reflink': 'text?',
    '--sparse': 'text',
  },
  operands: 'study',
  study: (use) => {
    const { sources, targets } = transferOf(use);
    use.paths(sources, 'read');
    use.paths(targets, 'write');
    if (use.has('-r', '-a')) for (const source of sources) judgeTree(use, source);
  },
};

const mv: Grammar = {
  flags: '-b -f --force -i --interactive -n --no-clobber --no-copy --exchange --strip-trailing-slashes -v --verbose -Z --debug',
  options: { ...BACKUP, '-u': 'flag', '--update': 'text?' },
  operands: 'study',
  study: (use) => {
    const { sources, targets } = transferOf(use);
    use.paths(sources, 'move');
    use.paths(targets, 'write');
    for (const source of sources) judgeTree(use, source);
  },
};

/** A symbolic link may hold any text, so its target counts from the folder that the link stands in. */
function studyLink(use: ToolUse): void {
  const { sources, targets } = transferOf(use);
  const links = targets.length > 0 ? targets : sources.map((source) => source.replace(/\/+$/, '').replace(/^.*\//, ''));
  use.paths(links, 'write');
  sources.forEach((source, at) => {
    const link = links[at] ?? links[0] ?? '.';
    const relative = use.has('-s') && !use.has('-r') && !source.startsWith('/') && !source.startsWith('~');
    use.path(relative ? lexicalPath(lexicalPath(use.context.cwd, `${link}/..`), source) : source, 'read');
  });
}

const ln: Grammar = {
  flags: '-b -d -F --directory -f --force -i --interactive -n --no-dereference -P --physical -v --verbose',
  options: { ...BACKUP, '-s --symbolic': 'flag', '-r --relative': 'flag', '-L --logical': ['flag', 'links.follow'] },
  operands: 'study',
  study: studyLink,
};

function studyInstall(use: ToolUse): void {
  for (const mode of use.values('-m')) if (setsPrivilege(mode)) use.fire('privilege.mode', mode);
  if (use.has('-d')) return use.paths(use.texts(), 'write');
  const { sources, targets } = transferOf(use);
  use.paths(sources, 'read');
  use.paths(targets, 'write');
}

const install: Grammar = {
  flags: '-b -c -C --compare -D -p --preserve-timestamps -v --verbose --preserve-context -Z --debug',
  options: {
    ...BACKUP,
    '-d --directory': 'flag',
    '-m --mode': 'text',
    '-g --group': ['text', 'privilege.owner'],
    '-o --owner': ['text', 'privilege.owner'],
    '-s --strip': ['flag', 'exec.option'],
    '--strip-program': 'program',
  },
  operands: 'study',
  study: studyInstall,
};

const rm: Grammar = {
  flags: '-f --force -i -I --one-file-system -d --dir -v --verbose',
  options: {
    '-r -R --recursive': 'flag',
    '--interactive': 'text?',
    '--preserve-root': 'text?',
    '--no-preserve-root': ['flag', 'path.root'],
  },
  operands: 'delete*',
  study: (use) => {
    if (!use.has('-r')) return;
    for (const text of use.texts()) if (!isGenerated(use, text)) use.fire('delete.tree', text);
  },
};

function studyMkdir(use: ToolUse): void {
  for (const mode of use.values('-m')) if (setsPrivilege(mode)) use.fire('privilege.mode', mode);
}

const mkdir: Grammar = {
  flags: '-p --parents -v --verbose -Z',
  options: { '-m --mode': 'text', '--context': 'text?' },
  operands: 'write*',
  study: studyMkdir,
};

function studyChmod(use: ToolUse): void {
  const texts = use.texts();
  // `chmod -x file`: a mode that looks like an option.
  const dashed = use.options.find(({ as }) => /^-[rwxXst]$/.test(as));
  const byReference = use.has('--reference');
  if (byReference) use.fire('path.unclear', 'chmod --reference');
  const mode = dashed || byReference ? null : (texts[0] ?? null);
  if (mode !== null && !isMode(mode)) use.fire('operand.unexpected', mode);
  if (mode !== null && setsPrivilege(mode)) use.fire('privilege.mode', `chmod ${mode}`);
  const paths = mode === null ? texts : texts.slice(1);
  use.paths(paths, 'write');
  if (use.has('-R')) for (const path of paths) if (isFolder(use, path)) judgeTree(use, path);
}

const chmod: Grammar = {
  flags: '-c --changes -f --silent --quiet -v --verbose --no-preserve-root --preserve-root -r -w -x -X -s -t -h --no-dereference',
  options: {
    '-R --recursive': 'flag',
    '--reference': 'list',
    '-H': ['flag', 'links.follow'],
    '-L': ['flag', 'links.follow'],
    '-P': 'flag',
    '--dereference': 'flag',
  },
  operands: 'study',
  study: studyChmod,
};

const DD_TEXT = new Set(['bs', 'cbs', 'conv', 'count', 'ibs', 'iflag', 'obs', 'oflag', 'seek', 'skip', 'status', 'iseek', 'oseek']);

function studyDd(use: ToolUse): void {
  for (const text of use.texts()) {
    const [key = '', ...rest] = text.split('=');
    const value = rest.join('=');
    if (key === 'if') use.path(value, 'read');
    else if (key === 'of') use.path(value, 'write');
    else if (!DD_TEXT.has(key)) use.fire('operand.unexpected', text);
  }
}

/** Writes files whose names begin with a prefix; the first of them stands for all. */
function studyPieces(use: ToolUse): void {
  const [source, prefix] = use.texts();
  if (source !== undefined) use.path(source, 'read');
  use.path(`${use.value('-f') ?? prefix ?? 'x'}aa`, 'write');
}

const split: Grammar = {
  numbers: true,
  flags: '-d -x -e --elide-empty-files -u --unbuffered --verbose',
  options: {
    '-a --suffix-length': 'text',
    '--additional-suffix': 'suffix',
    '-b --bytes': 'text',
    '-C --line-bytes': 'text',
    '--numeric-suffixes': 'text?',
    '--hex-suffixes': 'text?',
    '-l --lines': 'text',
    '-n --number': 'text',
    '-t --separator': 'text',
    '--filter': 'program',
  },
  operands: 'study',
  study: studyPieces,
};

const csplit: Grammar = {
  flags: '-k --keep-files --suppress-matched -s --quiet --silent -z --elide-empty-files -q',
  options: { '-b --suffix-format': 'suffix', '-f --prefix': 'text', '-n --digits': 'text' },
  operands: 'study',
  study: (use) => {
    const [source] = use.texts();
    if (source !== undefined) use.path(source, 'read');
    use.path(`${use.value('-f') ?? 'xx'}00`, 'write');
  },
};

const mktemp: Grammar = {
  flags: '-d --directory -u --dry-run -q --quiet -t',
  options: { '--suffix': 'text', '-p': 'folder', '--tmpdir': 'folder?' },
  operands: 'study',
  study: (use) => {
    const [template] = use.texts();
    if (template === undefined || use.has('-p', '--tmpdir')) use.fire('write.workspace', 'a temporary file');
    else use.path(template, 'write');
  },
};

/** Tools that make, change, move and remove files. */
export const WRITING: Readonly<Record<string, Grammar>> = {
  'cp gcp': cp,
  mv,
  ln,
  install,
  rm,
  mkdir,
  chmod,
  split,
  csplit,
  mktemp,
  dd: { style: 'none', operands: 'study', study: studyDd },
  rmdir: { flags: '--ignore-fail-on-non-empty -p --parents -v --verbose', operands: 'delete*' },
  unlink: { operands: 'delete' },
  link: { operands: 'read write' },
  touch: {
    flags: '-a -c --no-create -f -h --no-dereference -m',
    options: { '-d --date': 'text', '-r --reference': 'list', '-t': 'text', '--time': 'text' },
    operands: 'write*',
  },
  truncate: {
    flags: '-c --no-create -o --io-blocks',
    options: { '-r --reference': 'list', '-s --size': 'text' },
    operands: 'write*',
  },
  tee: { flags: '-a --append -i --ignore-interrupts -p', options: { '--output-error': 'text?' }, operands: 'write*' },
  shred: {
    flags: '-f --force -u -v --verbose -x --exact -z --zero',
    options: { '-n --iterations': 'text', '--random-source': 'read', '-s --size': 'text', '--remove': 'text?' },
    operands: 'delete*',
  },
  mkfifo: { options: { '-m --mode': 'text', '-Z': 'flag', '--context': 'text?' }, operands: 'write*', study: studyMkdir },
};
