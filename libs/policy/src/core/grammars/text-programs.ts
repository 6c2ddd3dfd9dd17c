import type { Grammar, ToolUse } from '../grammar/tool.js';
import { readAwk } from '../languages/awk.js';
import type { ProgramFacts } from '../languages/program-facts.js';
import { readSed } from '../languages/sed.js';
import { resolvePath } from '../paths/resolve.js';

const MAX_PROGRAM_BYTES = 64 * 1024;

/** Program text of a file, or null when it cannot be read here and now. */
function programIn(use: ToolUse, path: string): string | null {
  const { look, cwd } = use.context;
  if (use.path(path, 'read') === null) return null;
  const resolved = resolvePath(look, cwd, path, true);
  return resolved ? look.readText(resolved.real, MAX_PROGRAM_BYTES) : null;
}

function reportFacts(use: ToolUse, facts: ProgramFacts): void {
  if (facts.executes) use.fire('exec.option');
  if (facts.unseen) use.fire('operands.unseen');
  if (!facts.understood) use.fire('language.unread');
  use.paths(facts.reads, 'read');
  use.paths(facts.writes, 'side');
}

/** Program texts from options or the first operand; the remaining operands are returned. */
function programs(use: ToolUse, textOption: string, fileOption: string, judge: (text: string) => void): readonly string[] {
  const files = use.values(fileOption);
  for (const file of files) {
    const text = programIn(use, file);
    if (text === null) use.fire('inline.file');
    else judge(text);
  }
  const texts = use.values(textOption);
  if (texts.length > 0) judge(texts.join('\n'));
  if (files.length > 0 || texts.length > 0) return use.texts();
  const [program] = use.operands;
  if (program === undefined) return [];
  use.message(program.at);
  judge(program.text);
  return use.texts().slice(1);
}

const sed: Grammar = {
  flags: `-n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --posix --debug --sandbox -b --binary`,
  options: {
    '-e --expression': 'code',
    '-f --file': 'text',
    '-i --in-place': 'text?',
    '-l --line-length': 'text',
    '--follow-symlinks': ['flag', 'links.follow'],
  },
  operands: 'study',
  study: (use) => {
    const files = programs(use, '-e', '-f', (text) => reportFacts(use, readSed(text)));
    const inPlace = use.has('-i');
    for (const suffix of use.values('-i')) if (suffix.includes('/')) use.fire('write.unseen', `sed -i${suffix}`);
    use.paths(files, inPlace ? 'write' : 'read');
  },
};

const awk: Grammar = {
  style: 'posix',
  flags: `-b --characters-as-bytes -c --traditional -C --copyright -I --trace -k --csv -M --bignum -n --non-decimal-data -N
    --use-lc-numeric -O --optimize -P --posix -r --re-interval -s --no-optimize -S --sandbox -t --lint-old -V -h -g --gen-pot`,
  options: {
    '-F --field-separator': 'text',
    '-v --assign': 'text',
    '-e --source': 'code',
    '-f --file': 'text',
    '-L --lint': 'text?',
    '-W': ['text', 'language.unread'],
    '-i --include': ['text', 'language.unread'],
    '-l --load': ['text', 'exec.option'],
    '-E --exec': ['text', 'inline.file'],
    '-d --dump-variables': ['text?', 'write.unseen'],
    '-D --debug': ['text?', 'interactive.tool'],
    '-o --pretty-print': ['text?', 'write.unseen'],
    '-p --profile': ['text?', 'write.unseen'],
  },
  operands: 'study',
  study: (use) => {
    const operands = programs(use, '-e', '-f', (text) => reportFacts(use, readAwk(text)));
    use.paths(
      operands.filter((text) => !/^[A-Za-z_]\w*=/.test(text)),
      'read',
    );
  },
};

const JQ_IMPORT = /(^|[;\n])\s*(import|include)\s+"|^\s*module\b/;

function judgeJq(use: ToolUse, program: string): void {
  const dense = program.replaceAll(/#.*$/gm, '').replaceAll(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : ' '));
  if (JQ_IMPORT.test(dense) || JQ_IMPORT.test(program.slice(0, 2_000))) use.fire('language.unread');
}

const jq: Grammar = {
  flags: `-c --compact-output -n --null-input -e --exit-status -s --slurp -r --raw-output -j --join-output -a --ascii-output --raw-output0 -R
    --raw-input -C --color-output -M --monochrome-output -S --sort-keys --tab --unbuffered --stream --stream-errors --seq -h -V
    --build-configuration --ascii`,
  about: '-h -V --build-configuration',
  options: {
    '-f --from-file': 'text',
    '--indent': 'text',
    '-L': ['folder', 'language.unread'],
    '--arg': 'text',
    '--argjson': 'text',
    '--slurpfile': 'text',
    '--rawfile': 'text',
    '--argfile': 'text',
    '--args': 'flag',
    '--jsonargs': 'flag',
  },
  abbreviations: false,
  operands: 'study',
  study: studyJq,
};

/** `--arg name value` takes two words; the second is read as an operand and set aside here. */
function studyJq(use: ToolUse): void {
  const second = new Set<number>();
  for (const { option, at } of use.options) {
    if (!['--arg', '--argjson', '--slurpfile', '--rawfile', '--argfile'].includes(option.name)) continue;
    second.add(at + 1);
    const value = use.argv[at + 1];
    if (value !== undefined && !option.name.startsWith('--argj') && option.name !== '--arg') use.path(value, 'read');
  }
  const operands = use.operands.filter(({ at }) => !second.has(at));
  const fromFile = use.has('-f');
  const program = fromFile ? (use.value('-f') ?? '') : null;
  if (program !== null) {
    const text = programIn(use, program);
    if (text === null) use.fire('inline.file');
    else judgeJq(use, text);
  }
  const [first] = operands;
  if (!fromFile && first) {
    use.message(first.at);
    judgeJq(use, first.text);
  }
  const positional = use.options.find(({ option }) => option.name === '--args' || option.name === '--jsonargs');
  const files = (fromFile ? operands : operands.slice(1)).filter(({ at }) => positional === undefined || at < positional.at);
  for (const { text } of files) use.path(text, 'read');
}

const YQ_FILES = /\b(?:str)?load(?:_\w+)?\s*\(\s*(?:"([^"\\]*)"\s*\))?/g;
const YQ_COMPUTED = /\b(system|eval)\s*\(/;

/** Files that an expression loads: a plain name is a file like any other, a computed one cannot be seen. */
function judgeYq(use: ToolUse, expression: string): void {
  if (YQ_COMPUTED.test(expression)) use.fire('operands.unseen');
  for (const [, name] of expression.matchAll(YQ_FILES)) {
    if (name === undefined) use.fire('operands.unseen');
    else use.path(name, 'read');
  }
}

const yq: Grammar = {
  abbreviations: false,
  flags: `-C --colors -e --exit-status -M --no-colors -N --no-doc -n --null-input -P --prettyPrint -r --unwrapScalar -v --verbose -V -j --tojson
    -0 --nul-output --header-preprocess --csv-auto-parse --yaml-fix-merge-anchor-to-spec -y -Y -x -S -c -a -R
    --yaml-output --yml-output --yaml-roundtrip --yml-roundtrip --indentless-lists --indentless --tab --string-interpolation --security-disable-env-ops --security-disable-file-ops`,
  about: '-V -h',
  options: {
    '-i --inplace --in-place': 'flag',
    '-I --indent': 'text',
    '-o --output-format': 'text',
    '-p --input-format': 'text',
    '-f --front-matter': 'text',
    '--from-file': 'text',
    '-s --split-exp': ['text', 'write.unseen'],
    '--split-exp-file': ['read', 'write.unseen'],
    '--arg': 'text',
    '-w --width': 'text',
    '--yaml-output-grammar-version --yml-out-ver': 'text',
    '--expression': 'code',
    '--xml-attribute-prefix': 'text',
    '--xml-content-name': 'text',
    '--properties-separator': 'text',
    '--csv-separator': 'text',
    '--lua-prefix': 'text',
  },
  operands: 'study',
  study: (use) => {
    const operands = use.operands.filter(({ text }, at) => !(at === 0 && ['eval', 'e', 'eval-all', 'ea'].includes(text)));
    const given = use.values('--expression', '--from-file');
    if (use.has('--from-file')) use.fire('inline.file');
    const [first] = operands;
    const hasExpression = given.length > 0;
    for (const text of hasExpression ? given : first ? [first.text] : []) judgeYq(use, text);
    if (!hasExpression && first && operands.length > 1) use.message(first.at);
    const files = hasExpression || operands.length < 2 ? operands : operands.slice(1);
    for (const { text } of files) use.path(text, use.has('-i') ? 'write' : 'read');
  },
};

/** Tools whose first operand is a program in a language of their own. */
export const TEXT_PROGRAMS: Readonly<Record<string, Grammar>> = {
  'sed gsed': sed,
  'awk gawk mawk nawk original-awk': awk,
  'jq gojq jaq': jq,
  yq,
};
