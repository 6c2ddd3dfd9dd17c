import type { Grammar, ToolUse } from '../grammar/tool.js';
import { lexicalPath } from '../paths/resolve.js';
import { judgeWalk } from './recursion.js';

const HOST = /^[^/]+:/;

const FLAGS = `--check-device -G --incremental --ignore-failed-read --no-check-device --no-seek -n --seek -S --sparse --exclude-backups
  --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --no-unquote
  --no-verbatim-files-from --null --recursion --unquote --verbatim-files-from --anchored --ignore-case --no-anchored --no-ignore-case
  --no-wildcards --no-wildcards-match-slash --wildcards --wildcards-match-slash --keep-directory-symlink --keep-newer-files -k
  --keep-old-files --no-overwrite-dir --overwrite --overwrite-dir --skip-old-files -W --verify --clamp-mtime --delay-directory-restore -m
  --touch --no-delay-directory-restore --no-same-owner --no-same-permissions --numeric-owner -s --preserve-order --same-order --acls
  --no-acls --no-selinux --no-xattrs --selinux --xattrs --force-local -M --multi-volume -B --read-full-records -i --ignore-zeros
  --old-archive --portability --posix -a --auto-compress -j --bzip2 -J --xz --lzip --lzma --lzop --no-auto-compress --zstd -z --gzip
  --gunzip --ungzip -Z --compress --one-file-system --full-time -l --check-links -R --block-number --show-defaults
  --show-omitted-dirs --show-snapshot-field-ranges --show-transformed-names --utc -v --verbose -w --interactive --confirmation -o
  --restrict --usage --ignore-command-error --no-ignore-command-error --no-quote-chars`;

const tar: Grammar = {
  flags: FLAGS,
  options: {
    '-c --create': 'flag',
    '-x --extract --get': 'flag',
    '-t --list': 'flag',
    '-r --append': 'flag',
    '-u --update': 'flag',
    '-A --catenate --concatenate': 'flag',
    '-d --diff --compare': 'flag',
    '--delete': 'flag',
    '--test-label': 'flag',
    '-f --file': 'text',
    '-O --to-stdout': 'flag',
    '-C --directory': 'folder',
    '-g --listed-incremental': 'side',
    '--level': 'text',
    '--hole-detection': 'text',
    '--sparse-version': 'text',
    '--occurrence': 'text?',
    '--add-file': 'read',
    '--exclude': 'text',
    '--exclude-ignore': 'text',
    '--exclude-ignore-recursive': 'text',
    '--exclude-tag': 'text',
    '--exclude-tag-all': 'text',
    '--exclude-tag-under': 'text',
    '-T --files-from': 'names',
    '-X --exclude-from': 'read',
    '--one-top-level': 'text?',
    '--recursive-unlink': ['flag', 'delete.unseen'],
    '--remove-files': ['flag', 'delete.unseen'],
    '-U --unlink-first': 'flag',
    '--to-command': 'program',
    '--atime-preserve': 'text?',
    '--group': 'text',
    '--group-map': 'read',
    '--owner': 'text',
    '--owner-map': 'read',
    '--same-owner': ['flag', 'privilege.owner'],
    '-p --preserve-permissions --same-permissions': 'flag',
    '--mode': 'text',
    '--mtime': 'text',
    '--sort': 'text',
    '--xattrs-exclude': 'text',
    '--xattrs-include': 'text',
    '-F --info-script --new-volume-script': 'program',
    '-L --tape-length': 'text',
    '--rmt-command': 'program',
    '--rsh-command': 'program',
    '--volno-file': 'side',
    '-b --blocking-factor': 'text',
    '--record-size': 'text',
    '-H --format': 'text',
    '--pax-option': 'text',
    '-V --label': 'text',
    '-I --use-compress-program': 'program',
    '--backup': 'text?',
    '--suffix': 'suffix',
    '-h --dereference': ['flag', 'links.follow'],
    '--hard-dereference': 'flag',
    '-K --starting-file': 'text',
    '-N --newer --after-date': 'text',
    '--newer-mtime': 'text',
    '-P --absolute-names': ['flag', 'path.escape'],
    '--strip-components': 'text',
    '--transform --xform': ['text', 'path.unclear'],
    '--checkpoint': 'text?',
    '--checkpoint-action': ['text', 'exec.option'],
    '--index-file': 'side',
    '--quote-chars': 'text',
    '--quoting-style': 'text',
    '--totals': 'text?',
    '--warning': 'text',
  },
  operands: 'study',
  study: studyTar,
};

function studyTar(use: ToolUse): void {
  const creates = use.has('-c');
  const changes = use.has('-r', '-u', '-A', '--delete');
  for (const archive of use.values('-f')) {
    if (HOST.test(archive)) use.fire('network.remote-shell', `tar -f ${archive}`);
    else use.path(archive, creates || changes ? 'write' : 'read');
  }
  if (use.has('-x') && !use.has('-O')) {
    use.path(use.value('--one-top-level') ?? '.', 'folder');
    return use.fire('write.unseen', 'tar -x');
  }
  if (creates || use.has('-r', '-u', '-d', '-A')) return judgeMembers(use);
  if (!use.has('-t', '--test-label', '--delete', '-x')) use.fire('operand.unexpected', use.argv.slice(1).join(' '));
}

/** Members count from the folder that the nearest `-C` before them names; each is judged from all of them. */
function judgeMembers(use: ToolUse): void {
  let from = use.context.cwd;
  const folders = [from];
  for (const folder of use.values('-C')) {
    from = lexicalPath(from, folder);
    folders.push(from);
  }
  for (const text of use.texts()) for (const folder of folders) use.path(text, 'read', folder);
  for (const folder of folders) judgeWalk(use, use.texts(), folder);
}

/**
 * The first word may be a bundle without a dash (`tar cf out.tar src`): its letters take their values, in order, from
 * the words behind it. Such an argv is read in the usual form.
 */
export function withoutBundle(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word, index) => index > 0 && !word.startsWith('--'));
  const bundle = argv[at];
  if (at < 0 || bundle === undefined || bundle.startsWith('-') || !/^[A-Za-z]+$/.test(bundle)) return argv;
  const values = argv.slice(at + 1);
  const options = Array.from(bundle).flatMap((letter) =>
    'fCgTXFLbHVIKN'.includes(letter) ? [`-${letter}`, values.shift() ?? ''] : [`-${letter}`],
  );
  return [...argv.slice(0, at), ...options, ...values];
}

export const TAR: Readonly<Record<string, Grammar>> = {
  'tar gtar bsdtar': {
    style: 'none',
    operands: 'study',
    study: (use) => {
      use.reread(tar, withoutBundle(use.argv));
    },
  },
};
