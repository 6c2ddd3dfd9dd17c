import type { Grammar, ToolUse } from '../grammar/tool.js';

const SIGNAL = /^-(\d{1,2}|[A-Z][A-Z0-9+]*|SIG[A-Z0-9+]+)$/;

/** A first word such as `-9` or `-TERM` is a signal; every later word is a process or a group. */
function studyKill(use: ToolUse): void {
  const texts = use.texts();
  if (texts[0] === '-l' || texts[0] === '-L' || texts[0] === '--list' || texts[0] === '--table') return;
  use.fire('process.signal');
  let at = 0;
  if (['-s', '--signal', '-n', '-q', '--queue'].includes(texts[0] ?? '')) at = 2;
  else if (/^--(signal|queue)=/.test(texts[0] ?? '') || SIGNAL.test(texts[0] ?? '')) at = 1;
  for (const text of texts.slice(at)) {
    if (text === '--') continue;
    if (/^(-1|-?0+|0*1)$/.test(text)) use.fire('process.signal-all', `kill ${text}`);
    else if (!/^-?\d+$/.test(text)) use.fire('operand.unexpected', text);
  }
}

/** Options whose value is the next word, in both forms. */
const VALUE_FOLLOWS =
  /^(-[a-zA-Z]*[CGgOopqstUu]|--(Group|User|group|user|pid|ppid|sid|tty|format|sort|cols|columns|rows|lines|width|quick-pid))$/;

/** In the BSD form `e` shows environments; in the usual form only a chosen column does. */
function studyPs(use: ToolUse): void {
  const texts = use.texts();
  texts.forEach((text, at) => {
    const isValue = VALUE_FOLLOWS.test(texts[at - 1] ?? '');
    if (!isValue && /^[a-zA-Z]*e[a-zA-Z]*$/.test(text)) use.fire('process.environment', `ps ${text}`);
    if (/^-[a-zA-Z]*E/.test(text) || /(^|,|=)(environ|envv?)\b/i.test(text)) use.fire('process.environment', `ps ${text}`);
  });
}

const pgrep: Grammar = {
  numbers: true,
  flags: `-a --list-full -c --count -f --full -i --ignore-case -l --list-name -n --newest -o --oldest -v --inverse -w --lightweight -x --exact -e
    --echo -A --ignore-ancestors -H --require-handler`,
  options: {
    '-d --delimiter': 'text',
    '-F --pidfile': 'read',
    '-g --pgroup': 'text',
    '-G --group': 'text',
    '-P --parent': 'text',
    '-s --session': 'text',
    '-t --terminal': 'text',
    '-u --euid': 'text',
    '-U --uid': 'text',
    '-O --older': 'text',
    '-r --runstates': 'text',
    '--ns': 'text',
    '--nslist': 'text',
    '--signal': 'text',
    '--cgroup': 'text',
  },
  operands: 'text*',
};

const pkill: Grammar = { style: 'none', operands: 'text*', rules: ['process.signal'] };

/** Processes of the machine. */
export const PROCESSES: Readonly<Record<string, Grammar>> = {
  ps: { style: 'none', operands: 'study', study: studyPs },
  kill: { style: 'none', operands: 'study', study: studyKill },
  pgrep,
  'pkill killall skill snice renice fuser': pkill,
  pidof: { flags: '-s -c -q -w -x -z', options: { '-o': 'text', '-S': 'text' }, operands: 'text*' },
  top: {
    flags: '-b -c -H -i -s -S -h -v -1 -E -e',
    options: { '-n': 'text', '-d': 'text', '-o': 'text', '-p': 'text', '-u': 'text', '-U': 'text', '-w': 'text?' },
    study: (use) => {
      if (!use.options.some(({ as }) => as === '-b')) use.fire('interactive.tool', 'top without -b');
    },
  },
};
