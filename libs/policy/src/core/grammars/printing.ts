import type { Grammar } from '../grammar/tool.js';

const words: Grammar = { style: 'none', operands: 'text*' };

/** `date` prints unless a word sets the clock. */
const date: Grammar = {
  flags: '--debug -R --rfc-email -u --utc --universal -j -n',
  options: {
    '-d --date': 'text',
    '-f --file': 'read',
    '-I --iso-8601': 'text?',
    '--rfc-3339': 'text',
    '--resolution': 'flag',
    '-r --reference': 'list',
    '-s --set': ['text', 'system.change'],
  },
  operands: 'study',
  study: (use) => {
    for (const text of use.texts()) if (!text.startsWith('+')) use.fire('system.change', `date ${text}`);
  },
};

const hostname: Grammar = {
  flags: `-a --alias -A --all-fqdns -d --domain -f --fqdn --long -i --ip-address -I --all-ip-addresses -s --short -y --yp --nis`,
  options: { '-b --boot': ['flag', 'system.change'], '-F --file': ['read', 'system.change'] },
  operands: 'study',
  study: (use) => {
    if (use.operands.length > 0) use.fire('system.change', 'hostname');
  },
};

/** A page by name; a name with a slash is a file. */
const man: Grammar = {
  flags:
    '-a --all -f --whatis -k --apropos -K --global-apropos -w --where --path --location -W -i --ignore-case -I --match-case -d --debug -7 --ascii -u --update --regex --wildcard --names-only -D --default -c --catman',
  options: {
    '-P --pager': 'program',
    '-H --html': ['text?', 'exec.option'],
    '-X --gxditview': ['text?', 'exec.option'],
    '-t --troff': ['flag', 'exec.option'],
    '-T --troff-device': ['text?', 'exec.option'],
    '-p --preprocessor': ['text', 'exec.option'],
    '-C --config-file': ['text', 'exec.option'],
    '-M --manpath': 'folder',
    '-l --local-file': 'flag',
    '-s -S --sections': 'text',
    '-e --extension': 'text',
    '-L --locale': 'text',
    '-m --systems': 'text',
    '-E --encoding': 'text',
    '-R --recode': 'text',
    '-r --prompt': 'text',
    '--warnings': 'text?',
    '--no-hyphenation --no-justification': 'flag',
    '--nh --nj': 'flag',
  },
  operands: 'study',
  study: (use) => {
    for (const text of use.texts()) if (text.includes('/') || use.has('-l')) use.path(text, 'read');
  },
};

/** Tools that only print: text, numbers, facts about the machine. */
export const PRINTING: Readonly<Record<string, Grammar>> = {
  'echo printf true false yes seq expr factor sleep usleep': words,
  date,
  hostname,
  man,
  'whatis apropos': { operands: 'text*' },
  numfmt: {
    flags: '--debug --grouping -z --zero-terminated',
    options: {
      '-d --delimiter': 'text',
      '--field': 'text',
      '--format': 'text',
      '--from': 'text',
      '--from-unit': 'text',
      '--header': 'text?',
      '--invalid': 'text',
      '--padding': 'text',
      '--round': 'text',
      '--suffix': 'text',
      '--to': 'text',
      '--to-unit': 'text',
    },
    operands: 'text*',
  },
  uname: {
    flags: `-a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m --machine -p --processor -i
      --hardware-platform -o --operating-system`,
  },
  'whoami logname arch tty users': { flags: '-s --silent --quiet' },
  id: { flags: '-a -Z --context -g --group -G --groups -n --name -r --real -u --user -z --zero', operands: 'text*' },
  groups: { operands: 'text*' },
  'who w': {
    flags: `-a --all -b --boot -d --dead -H --heading --ips -l --login --lookup -m -p --process -q --count -r --runlevel -s --short -t
      --time -T -w --mesg -u --users --message --writable -h -f -i -o`,
    operands: 'study',
    study: (use) => {
      // One word is a file; two, such as `am i`, are only words.
      if (use.operands.length === 1) use.paths(use.texts(), 'read');
    },
  },
  uptime: { flags: '-p --pretty -s --since' },
  nproc: { flags: '--all', options: { '--ignore': 'text' } },
  free: {
    flags: `-b --bytes --kilo --mega --giga --kibi --mebi --gibi -k -m -g -h --human --si -l --lohi -t --total -w --wide -v -a -f -n -S`,
    options: { '-s --seconds': 'text', '-c --count': 'text' },
    operands: 'text*',
  },
  cal: { flags: '-1 -3 -s -m -j -y -n -Y -w', operands: 'text*' },
  lscpu: { flags: '-a --all -b --online -c --offline -e --extended -J --json -x --hex -y --physical -B --bytes', operands: 'text*' },
  locale: { flags: '-a --all-locales -m --charmaps -v --verbose -k -c', operands: 'text*' },
  getconf: { flags: '-a', options: { '-v': 'text' }, operands: 'text list?' },
  printenv: { flags: '-0 --null', operands: 'text*' },
  'sw_vers lsb_release': { flags: '-a --all -i -d -r -c -s --short -v', operands: 'text*' },
  bc: {
    flags: '-h -i --interactive -l --mathlib -q --quiet -s --standard -w --warn -v',
    options: { '-e --expression': 'text', '-f --file': 'read' },
    operands: 'read*',
  },
};
