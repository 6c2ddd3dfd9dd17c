import { parseCommand } from '../command/parse.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { judgeEnv } from '../env.js';
import { judgeShellText } from './shells.js';
import { lexicalPath } from '../paths/resolve.js';
import { TAKES_CODE } from './interpreters.js';

const ASSIGNMENT = /^([^=]+)=([\s\S]*)$/;

/** Variables through which a run is kept in its place. */
const OURS = /^(GIT_|LD_|XDG_|HOME$|PATH$|TMPDIR$|TERM$|PAGER$)/;

/** Sets variables, then runs what follows; alone it prints the environment. */
function studyEnv(use: ToolUse): void {
  for (const name of use.values('-u')) if (OURS.test(name)) use.fire('env.not-allowed', name);
  if (use.texts()[0] === '-') use.fire('env.cleared', 'env -');
  const split = use.values('-S');
  const words = [...split.flatMap((text) => splitWords(use, text)), ...use.texts()];
  const first = words.findIndex((word) => !ASSIGNMENT.test(word) && word !== '-');
  for (const word of first < 0 ? words : words.slice(0, first)) {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    if (name !== '') judgeEnv(use.analysis, name, value);
  }
  let cwd = use.context.cwd;
  for (const folder of use.values('-C')) cwd = use.path(folder, 'folder', cwd) ?? lexicalPath(cwd, folder);
  if (first < 0) return use.analysis.effect('environment');
  if (split.length > 0) return use.innerWords(words.slice(first), { cwd });
  use.inner(use.operands[first]?.at ?? use.argv.length, use.argv.length, { cwd });
}

/** `-S` splits its text like a small shell; only plain words are followed. */
function splitWords(use: ToolUse, text: string): readonly string[] {
  const { context } = use;
  if (/["']/.test(text) && !/[\\$#;&|<>`*?[]/.test(text)) {
    const parsed = parseCommand(text, context, context.look);
    if (parsed.ok && parsed.value.length === 1) return parsed.value[0]?.argv ?? [];
  }
  if (/["'\\$#]/.test(text)) use.fire('language.unread', `env -S ${text}`);
  return text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '');
}

const env: Grammar = {
  style: 'posix',
  transparent: true,
  flags: '-0 --null -v --debug --list-signal-handling',
  options: {
    '-i --ignore-environment': ['flag', 'env.cleared'],
    '-u --unset': 'text',
    '-C --chdir': 'text',
    '-S --split-string': 'code',
    '-a --argv0': ['text', 'option.unknown'],
    '-P': ['text', 'option.unknown'],
    '--block-signal': ['text?', 'option.unknown'],
    '--default-signal': 'text?',
    '--ignore-signal': ['text?', 'option.unknown'],
  },
  operands: 'study',
  study: studyEnv,
};

function studyXargs(use: ToolUse): void {
  use.fire('operands.unseen', 'xargs');
  const [command] = use.operands;
  if (!command) return;
  use.inner(command.at);
  const name = command.text.replace(/^.*\//, '');
  if (TAKES_CODE.has(name)) use.analysis.takesCode(`xargs ${name}`);
}

const xargs: Grammar = {
  style: 'posix',
  flags: '-0 --null -p --interactive -r --no-run-if-empty -t --verbose -x --exit --show-limits -o --open-tty',
  options: {
    '-a --arg-file': 'names',
    '-d --delimiter': 'text',
    '-E': 'text',
    '-e --eof': 'text?',
    '-I': 'text',
    '-i --replace': 'text?',
    '-J': 'text',
    '-L': 'text',
    '-l --max-lines': 'text?',
    '-n --max-args': 'text',
    '-P --max-procs': 'text',
    '-R': 'text',
    '-S': 'text',
    '--process-slot-var': ['text', 'env.not-allowed'],
    '-s --max-chars': 'text',
  },
  operands: 'study',
  study: studyXargs,
};

/** `setarch` names an architecture first; a word that is none is the command itself. */
function skipArchitecture(use: ToolUse): void {
  const at = use.next + 1;
  if (use.argv.length > at) use.inner(at);
}

/** A lock, then a command; behind `-c` it is text for a shell. */
function studyFlock(use: ToolUse): void {
  const [lock, command] = use.operands;
  if (lock) use.path(lock.text, 'write');
  const text = command?.text === '-c' || command?.text === '--command' ? use.argv[command.at + 1] : use.value('-c');
  if (text !== undefined && text !== null) {
    use.fire('inline.code', 'flock -c');
    use.message(command ? command.at + 1 : 0);
    return judgeShellText(use, text);
  }
  if (command) use.inner(command.at);
  else if (!/^\d+$/.test(lock?.text ?? '')) use.fire('wrapper.empty');
}

/** Tools that run another command. */
export const WRAPPERS: Readonly<Record<string, Grammar>> = {
  'env genv': env,
  xargs,
  nice: { style: 'posix', transparent: true, numbers: true, options: { '-n --adjustment': 'text' }, inner: 0 },
  'timeout gtimeout': {
    style: 'posix',
    transparent: true,
    flags: '--preserve-status --foreground -v --verbose -f -p',
    options: { '-k --kill-after': 'text', '-s --signal': 'text' },
    operands: 'text',
    inner: 1,
  },
  stdbuf: { style: 'posix', transparent: true, options: { '-i --input': 'text', '-o --output': 'text', '-e --error': 'text' }, inner: 0 },
  'time gtime': {
    style: 'posix',
    transparent: true,
    flags: '-a --append -p --portability -v --verbose -q --quiet -l -h',
    options: { '-f --format': 'text', '-o --output': 'side' },
    inner: 0,
  },
  ionice: {
    style: 'posix',
    transparent: true,
    flags: '-t --ignore',
    options: { '-c --class': 'text', '-n --classdata': 'text' },
    inner: 0,
  },
  taskset: {
    style: 'posix',
    flags: '-c --cpu-list -a --all-tasks',
    options: { '-p --pid': ['flag', 'process.signal'] },
    operands: 'text',
    inner: 1,
  },
  chrt: {
    style: 'posix',
    flags: '-b --batch -f --fifo -i --idle -o --other -r --rr -R -v -a -m',
    options: { '-p --pid': ['flag', 'process.signal'], '-T': 'text', '-P': 'text', '-D': 'text' },
    operands: 'text',
    inner: 1,
  },
  prlimit: {
    style: 'posix',
    options: {
      '-p --pid': ['text', 'process.signal'],
      '-o --output': 'text',
      '-c --core': 'text?',
      '-d --data': 'text?',
      '-f --fsize': 'text?',
      '-m --rss': 'text?',
      '-n --nofile': 'text?',
      '-s --stack': 'text?',
      '-t --cpu': 'text?',
      '-u --nproc': 'text?',
      '-v --as': 'text?',
      '-l --memlock': 'text?',
    },
    inner: 0,
  },
  'setarch linux32 linux64': { style: 'posix', flags: '-v -B -F -I -L -R -S -T -X -Z -3', inner: 0, study: skipArchitecture },
  flock: {
    style: 'posix',
    flags: '-s --shared -x -e --exclusive -u --unlock -n --nb --nonblock -o --close -F --no-fork --verbose',
    options: { '-w --wait --timeout': 'text', '-E --conflict-exit-code': 'text', '-c --command': ['code', 'inline.code'] },
    operands: 'study',
    study: studyFlock,
  },
  'busybox toybox': { style: 'none', inner: 0 },
  'catchsegv unbuffer chronic': { style: 'posix', flags: '-p', inner: 0 },
};
