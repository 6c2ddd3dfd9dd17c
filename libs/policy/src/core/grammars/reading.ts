import type { Grammar } from '../grammar/tool.js';

const digest: Grammar = {
  flags: '-b --binary -t --text --tag --untagged -z --zero --ignore-missing --quiet --status --strict -w --warn --debug --base64 --raw',
  options: { '-c --check': ['flag', 'operands.unseen'], '-l --length': 'text', '-a --algorithm': 'text' },
  operands: 'read*',
};

const encode: Grammar = {
  flags: `-d --decode -i --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 --base58`,
  options: { '-w --wrap': 'text' },
  operands: 'read?',
};

const cat: Grammar = {
  flags: '-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v --show-nonprinting',
  operands: 'read*',
};

const head: Grammar = {
  numbers: true,
  flags: '-q --quiet --silent -v --verbose -z --zero-terminated',
  options: { '-c --bytes': 'text', '-n --lines': 'text' },
  operands: 'read*',
};

const tail: Grammar = {
  ...head,
  flags: `${head.flags ?? ''} -F --retry -r`,
  options: {
    ...head.options,
    '-f': 'flag',
    '--follow': 'text?',
    '-s --sleep-interval': 'text',
    '--pid': 'text',
    '--max-unchanged-stats': 'text',
  },
};

const wc: Grammar = {
  flags: '-c --bytes -m --chars -l --lines -w --words -L --max-line-length',
  options: { '--files0-from': 'names', '--total': 'text' },
  operands: 'read*',
};

const sort: Grammar = {
  numbers: true,
  flags: `-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M
    --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V --version-sort -C -c --debug -m --merge -s
    --stable -u --unique -z --zero-terminated`,
  options: {
    '--check': 'text?',
    '--sort': 'text',
    '-k --key': 'text',
    '-t --field-separator': 'text',
    '-S --buffer-size': 'text',
    '--batch-size': 'text',
    '--parallel': 'text',
    '--random-source': 'read',
    '--files0-from': 'names',
    '-o --output': 'side',
    '-T --temporary-directory': 'side',
    '--compress-program': 'program',
  },
  operands: 'read*',
};

const uniq: Grammar = {
  numbers: true,
  flags: '-c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated',
  options: {
    '--all-repeated': 'text?',
    '--group': 'text?',
    '-f --skip-fields': 'text',
    '-s --skip-chars': 'text',
    '-w --check-chars': 'text',
  },
  operands: 'read? side?',
};

const cut: Grammar = {
  flags: '-n --complement -s --only-delimited -z --zero-terminated',
  options: {
    '-b --bytes': 'text',
    '-c --characters': 'text',
    '-d --delimiter': 'text',
    '-f --fields': 'text',
    '--output-delimiter': 'text',
  },
  operands: 'read*',
};

const join: Grammar = {
  flags: '-i --ignore-case --check-order --nocheck-order --header -z --zero-terminated',
  options: { '-a': 'text', '-e': 'text', '-j': 'text', '-o': 'text', '-t': 'text', '-v': 'text', '-1': 'text', '-2': 'text' },
  operands: 'read*',
};

const comm: Grammar = {
  flags: '-1 -2 -3 --check-order --nocheck-order --total -z --zero-terminated',
  options: { '--output-delimiter': 'text' },
  operands: 'read*',
};

const nl: Grammar = {
  flags: '-p --no-renumber',
  options: {
    '-b --body-numbering': 'text',
    '-d --section-delimiter': 'text',
    '-f --footer-numbering': 'text',
    '-h --header-numbering': 'text',
    '-i --line-increment': 'text',
    '-l --join-blank-lines': 'text',
    '-n --number-format': 'text',
    '-s --number-separator': 'text',
    '-v --starting-line-number': 'text',
    '-w --number-width': 'text',
  },
  operands: 'read*',
};

const od: Grammar = {
  flags: '-a -b -c -d -f -i -l -o -s -x -v --output-duplicates --traditional',
  options: {
    '-A --address-radix': 'text',
    '--endian': 'text',
    '-j --skip-bytes': 'text',
    '-N --read-bytes': 'text',
    '-S': 'text',
    '--strings': 'text?',
    '-t --format': 'text',
    '-w --width': 'text?',
  },
  operands: 'read*',
};

const hexdump: Grammar = {
  flags:
    '-b --one-byte-octal -c --one-byte-char -C --canonical -d --two-bytes-decimal -o --two-bytes-octal -x --two-bytes-hex -v --no-squeezing -h -V -X',
  options: { '-L --color': 'text?', '-e --format': 'text', '-f --format-file': 'read', '-n --length': 'text', '-s --skip': 'text' },
  operands: 'read*',
};

const xxd: Grammar = {
  flags: '-a -b -C -d -e -E -h -i -p -ps -postscript -plain -r -revert -u -v -autoskip -bits -capitalize -include -uppercase',
  options: {
    '-c -cols': 'text',
    '-g -groupsize': 'text',
    '-l -len': 'text',
    '-n -name': 'text',
    '-o -offset': 'text',
    '-R': 'text',
    '-s -seek -skip': 'text',
  },
  operands: 'read? side?',
};

const strings: Grammar = {
  numbers: true,
  flags: '-a --all -d --data -f --print-file-name -o -w --include-all-whitespace -h -v -V',
  options: {
    '-n --bytes': 'text',
    '-t --radix': 'text',
    '-T --target': 'text',
    '-e --encoding': 'text',
    '-U --unicode': 'text',
    '-s --output-separator': 'text',
  },
  operands: 'read*',
};

const shuf: Grammar = {
  flags: '-r --repeat -z --zero-terminated',
  options: {
    '-e --echo': 'flag',
    '-i --input-range': 'text',
    '-n --head-count': 'text',
    '-o --output': 'side',
    '--random-source': 'read',
  },
  operands: 'study',
  study: (use) => {
    if (!use.has('-e')) use.paths(use.texts(), 'read');
  },
};

const pr: Grammar = {
  numbers: true,
  flags: `-a --across -c --show-control-chars -d --double-space -F -f --form-feed -J --join-lines -m --merge -r --no-file-warnings
    -t --omit-header -T --omit-pagination -v --show-nonprinting`,
  options: {
    '-D --date-format': 'text',
    '-e --expand-tabs': 'text?',
    '-h --header': 'text',
    '-i --output-tabs': 'text?',
    '-l --length': 'text',
    '-n --number-lines': 'text?',
    '-N --first-line-number': 'text',
    '-o --indent': 'text',
    '-s --separator': 'text?',
    '-S --sep-string': 'text?',
    '-w --width': 'text',
    '-W --page-width': 'text',
    '--pages': 'text',
    '--columns': 'text',
  },
  operands: 'read*',
};

const ptx: Grammar = {
  flags: '-A --auto-reference -G --traditional -R --right-side-refs -f --ignore-case -r --references -t --typeset-mode -T',
  options: {
    '-F --flag-truncation': 'text',
    '-M --macro-name': 'text',
    '-O': 'flag',
    '--format': 'text',
    '-S --sentence-regexp': 'text',
    '-W --word-regexp': 'text',
    '-b --break-file': 'read',
    '-g --gap-size': 'text',
    '-i --ignore-file': 'read',
    '-o --only-file': 'read',
    '-w --width': 'text',
  },
  operands: 'study',
  study: (use) => {
    const texts = use.texts();
    const traditional = use.has('-G', '--traditional');
    texts.forEach((text, at) => use.path(text, traditional && at === 1 ? 'side' : 'read'));
  },
};

const column: Grammar = {
  flags: '-t --table -x --fillrows -e --table-header-repeat -J --json -d --table-noheadings -n -L --keep-empty-lines -V -h',
  options: {
    '-s --separator': 'text',
    '-o --output-separator': 'text',
    '-c --output-width': 'text',
    '-N --table-columns': 'text',
    '-R --table-right': 'text',
    '-T --table-truncate': 'text',
    '-E --table-noextreme': 'text',
    '-r --tree -i --tree-id -p --tree-parent --table-name': 'text',
    '-H --table-hide': 'text',
    '-O --table-order': 'text',
    '-W --table-wrap': 'text',
    '-l --table-columns-limit': 'text',
  },
  operands: 'read*',
};

/** Tools that print the content of files, whole or in part. */
export const READING: Readonly<Record<string, Grammar>> = {
  cat,
  head,
  tail,
  wc,
  sort,
  uniq,
  cut,
  join,
  comm,
  nl,
  od,
  'hexdump hd': hexdump,
  xxd,
  strings,
  shuf,
  pr,
  ptx,
  column,
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum': digest,
  'base64 base32 basenc': encode,
  tac: { flags: '-b --before -r --regex', options: { '-s --separator': 'text' }, operands: 'read*' },
  rev: { flags: '-h -V -0 --zero', operands: 'read*' },
  paste: { flags: '-s --serial -z --zero-terminated', options: { '-d --delimiters': 'text' }, operands: 'read*' },
  tr: { flags: '-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1', operands: 'text text?' },
  fold: { numbers: true, flags: '-b --bytes -s --spaces -c --characters', options: { '-w --width': 'text' }, operands: 'read*' },
  fmt: {
    numbers: true,
    flags: '-c --crown-margin -s --split-only -t --tagged-paragraph -u --uniform-spacing',
    options: { '-p --prefix': 'text', '-w --width': 'text', '-g --goal': 'text' },
    operands: 'read*',
  },
  'expand unexpand': {
    numbers: true,
    flags: '-i --initial -a --all --first-only',
    options: { '-t --tabs': 'text' },
    operands: 'read*',
  },
  sum: { flags: '-r -s --sysv', operands: 'read*' },
  tsort: { operands: 'read?' },
  sync: { flags: '-d --data -f --file-system', operands: 'list*' },
  colrm: { operands: 'text*' },
};
