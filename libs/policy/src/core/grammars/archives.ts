import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { judgeFollowingWalk, judgeWalk } from './recursion.js';

const zip: Grammar = {
  numbers: true,
  flags: `-A --adjust-sfx -b1 -c --entry-comments -C --preserve-case -D --no-dir-entries -e --encrypt -f --freshen -F --fix -FF --fixfix -FS
    --filesync -g --grow -h -h2 -i1 -j --junk-paths -J --junk-sfx -k --DOS-names -l --to-crlf -ll --from-crlf -L --license -MM --must-match
    -nw --no-wild -o --latest-time -q --quiet -s- -sd -sf -so -sv -u --update -U --copy-entries -v --verbose -V -w -ws -X --no-extra -z
    --archive-comment -d --delete -ds -dc -db -dd -dg -du -dv -fd -fz -la -RE -S`,
  options: {
    '-r --recurse-paths': 'flag',
    '-R --recurse-patterns': 'flag',
    '-y --symlinks': 'flag',
    '-m --move': ['flag', 'delete.unseen'],
    '-@ --names-stdin': ['flag', 'operands.unseen'],
    '-T --test': ['flag', 'write.unseen'],
    '-TT --unzip-command': 'program',
    '-b --temp-path': 'side',
    '-O --output-file --out': 'side',
    '-lf --logfile-path': 'side',
    '-n --suffixes': 'text',
    '-P --password': 'text',
    '-s --split-size': 'text',
    '-sp': 'flag',
    '-t --from-date': 'text',
    '-tt --before-date': 'text',
    '-i --include': 'text',
    '-x --exclude': 'text',
    '-Z --compression-method': 'text',
  },
  operands: 'study',
  study: (use) => {
    const [archive, ...members] = use.texts();
    if (archive !== undefined) use.path(archive, 'write');
    use.paths(members, 'read');
    if (!use.has('-r', '-R')) return;
    if (use.has('-y')) judgeWalk(use, members);
    else judgeFollowingWalk(use, members);
  },
};

function studyUnzip(use: ToolUse): void {
  const [archive] = use.texts();
  if (archive !== undefined) use.path(archive, 'read');
  const only = use.options.some(({ as }) => ['-l', '-v', '-t', '-p', '-c', '-z', '-Z', '-Z1'].includes(as));
  if (!only) use.fire('write.unseen', 'unzip');
}

const unzip: Grammar = {
  flags: `-Z -Z1 -A -b -c -C -D -DD -f -j -l -L -M -n -N -o -O -p -q -qq -s -t -T -u -U -v -V -W -X -z -a -aa -B -F -K -1 -2 -m -h`,
  options: { '-d': 'folder', '-x': 'flag', '-P': 'text', '-:': ['flag', 'path.escape'], '-^': ['flag', 'path.unclear'], '-I': 'text' },
  operands: 'study',
  study: studyUnzip,
};

const COMPRESS_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  '-c --stdout --to-stdout': 'flag',
  '-d --decompress --uncompress': 'flag',
  '-l --list': 'flag',
  '-t --test': 'flag',
  '-r --recursive': 'flag',
  '-S --suffix': 'suffix',
};

/** With `-c`, `-l` or `-t` it only reads; else each operand is replaced by its packed or unpacked form. */
function studyCompress(use: ToolUse): void {
  // Some of these tools obey the last mode that is named.
  const looks = use.has('-l', '-t') && !use.has('-d', '-z', '--compress');
  const reads = looks || use.has('-c') || use.operands.length === 0;
  use.paths(use.texts(), reads ? 'read' : 'write');
  if (use.has('-r') && !reads) use.fire('write.unseen');
  if (use.has('-r') && reads) judgeWalk(use, use.texts());
}

const gzip: Grammar = {
  numbers: true,
  flags: `-a --ascii -f --force -k --keep -n --no-name -N --name -q --quiet --rsyncable --synchronous -v --verbose --fast --best -s --small
    -z --compress -e --extreme -h -H --long-help -L --license -V --no-sync --single-stream --no-sparse --ignore-check --flush-timeout
    -i --independent -p --no-time -Q --robot --no-adjust --no-warn`,
  about: '-h -V -L',
  options: {
    ...COMPRESS_OPTIONS,
    '-T --threads': 'text',
    '-F --format': 'text',
    '-C --check': 'text',
    '-M --memlimit --memory': 'text',
    '-b --blocksize': 'text',
    '--files': ['text?', 'operands.unseen'],
    '--files0': ['text?', 'operands.unseen'],
  },
  operands: 'study',
  study: studyCompress,
};

const zstd: Grammar = {
  numbers: true,
  flags: `-f --force -k --keep -q --quiet -v --verbose --no-progress --progress --no-check --check -C --ultra --single-thread --rsyncable
    --exclude-compressed --sparse --no-sparse -z --compress -h -H -V --no-dictID --content-size --no-content-size --row-match-finder
    --no-row-match-finder --pass-through --no-pass-through --asyncio --no-asyncio`,
  about: '-h -H -V',
  options: {
    ...COMPRESS_OPTIONS,
    '--rm': ['flag', 'delete.unseen'],
    '-o': 'write',
    '-D': 'read',
    '-T --threads': 'text',
    '-M --memory': 'text',
    '-B --block-size': 'text',
    '--fast': 'text?',
    '--adapt': 'text?',
    '--long': 'text?',
    '--format': 'text',
    '--patch-from': 'read',
    '--stream-size': 'text',
    '--size-hint': 'text',
    '--filelist': 'names',
    '--output-dir-flat': 'folder',
    '--output-dir-mirror': 'folder',
  },
  operands: 'study',
  study: studyCompress,
};

const zcat: Grammar = { numbers: true, flags: `${gzip.flags ?? ''} -c -d -l -t`, operands: 'read*' };

/** Tools that pack and unpack. */
export const ARCHIVES: Readonly<Record<string, Grammar>> = {
  zip,
  unzip,
  zipinfo: { numbers: true, flags: '-1 -2 -s -m -l -v -h -t -T -z -C -M', operands: 'read text*' },
  'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma pigz unpigz': gzip,
  'zstd unzstd zstdmt': zstd,
  'zcat gzcat bzcat xzcat lzcat zstdcat': zcat,
};
