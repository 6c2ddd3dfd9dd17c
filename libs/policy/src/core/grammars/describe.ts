import { MODES, type Outcome } from '#contracts';
import { BASE_POLICY } from '../base-policy.js';
import { decideCommand } from '../decide.js';
import { compile } from '../grammar/compile.js';
import type { Option, ValueKind } from '../grammar/shapes.js';
import type { Grammar } from '../grammar/tool.js';
import { NOTHING } from '../path-look.js';
import { stricter, type Level } from '../policy-document.js';
import { RULES, type RuleId } from '../rules.js';
import { FAMILIES } from './index.js';

const WORDS: Readonly<Record<Outcome, string>> = { allow: 'runs', ask: 'asks', deny: 'denied' };

/** The rule that a value of this kind fires when its path is an ordinary one. */
const KIND_RULES: Readonly<Partial<Record<ValueKind, RuleId>>> = {
  write: 'write.workspace',
  side: 'write.side',
  delete: 'delete.workspace',
  move: 'move.workspace',
  execute: 'project.code',
  program: 'exec.option',
  names: 'operands.unseen',
  url: 'network.connect',
};

/** Words of a plain use where one file name would not be one. */
const PLAIN_USE: Readonly<Record<string, string>> = {
  test: '-f file',
  rg: 'pattern src',
  grep: 'pattern file',
  find: '. -name x',
  fd: 'pattern',
  sed: '-n 1,5p file',
  awk: '{print} file',
  jq: '.a file.json',
  yq: '.a file.yaml',
  date: '',
  hostname: '',
  cp: 'a b',
  mv: 'a b',
  ln: '-s a b',
  install: 'a b',
  chmod: '644 file',
  dd: 'if=a of=b',
  tar: '-cf a.tar src',
  zip: 'a.zip file',
  diff: 'a b',
  rsync: 'a/ b/',
  man: 'ls',
  env: 'ls',
  xargs: 'ls',
  timeout: '5 ls',
  nice: 'ls',
  stdbuf: '-oL ls',
  time: 'ls',
  ionice: 'ls',
  taskset: '1 ls',
  chrt: '5 ls',
  prlimit: 'ls',
  setarch: 'x86_64 ls',
  flock: 'lock ls',
  busybox: 'ls',
  catchsegv: 'ls',
  sh: 'script.sh',
  fish: 'script.fish',
  kill: '1234',
  ps: 'aux',
  top: '-b -n 1',
  gh: 'pr list',
  aws: 's3 ls',
  openssl: 'version',
  deno: 'run main.ts',
  bun: 'run main.ts',
  poetry: 'run pytest',
  perl: 'script.pl',
  helm: 'list',
  mvn: 'test',
  gcc: '-o a a.c',
  pytest: 'tests',
  'git show': 'HEAD',
  'git push': 'origin main',
  'git fetch': 'origin',
  'git pull': '',
  'git ls-remote': 'origin',
  'git clone': 'https://example.com/a.git',
  'git branch': '',
  'git tag': '',
  'git config': '--get user.name',
  'git reset': 'file',
  'git clean': '-f',
  'git checkout': 'main',
  'git symbolic-ref': 'HEAD',
  'git bisect run': 'ls',
  'npm run': 'build',
  'npm exec': 'tsc',
  'npm config': 'list',
  'npm pkg': 'get name',
  'npm init': '',
  npx: 'tsc',
  pnpx: 'tsc',
  'uv run': 'pytest',
  'kubectl get': 'pods',
  curl: 'https://example.com',
  wget: 'https://example.com',
};

/** The grammars as a page for people: one row a tool or subcommand, with what each mode says to one plain use of it. */
export function describeTools(): string {
  const sections = Object.entries(FAMILIES).map(([title, tools]) => {
    const rows = Object.entries(tools).flatMap(([names, grammar]) => rowsOf('', names, grammar));
    return `## ${title}\n\n| tool | plain use | inspect | confirm | trusted | what changes the verdict |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# What policy knows about each tool

This page is written from the grammars in \`libs/policy/src/core/grammars\` and compared with them by a test. Each row shows
one plain use and what each mode answers to it in an empty workspace, then the options that make the answer stricter.
An option that is not in a grammar is never understood: it is denied in \`inspect\` and asks elsewhere, as an unknown tool
does. Where a path leads counts on top: outside the workspace is denied, secrets and files that other tools obey later ask.
`;

function rowsOf(parent: string, names: string, grammar: Grammar): readonly string[] {
  const all = names.trim().split(/\s+/);
  const name = `${parent} ${all[0] ?? ''}`.trim();
  const label = `${parent} ${all.map((word) => word.replaceAll('|', '\\|')).join(', ')}`.trim();
  const below = [
    ...Object.entries(grammar.commands ?? {}).flatMap(([sub, inner]) => rowsOf(name, sub, inner)),
    ...(grammar.otherwise ? rowsOf(name, 'something-else', grammar.otherwise) : []),
  ];
  if (below.length === 0) return [row(label, plainUse(name, grammar), grammar)];
  const own = optionsOf(grammar);
  return own === '' ? below : [`| ${label} |  |  |  |  | ${own} |`, ...below];
}

function row(label: string, argv: readonly string[], grammar: Grammar): string {
  const stages = [{ join: 'first' as const, argv, redirects: [] }];
  const answers = MODES.map((mode) => {
    const question = { cwd: '/w', root: '/w', stages, command: null, mode, env: {}, toolPaths: [], sandbox: 'full' as const };
    return WORDS[decideCommand(question, NOTHING, BASE_POLICY).outcome];
  });
  return `| ${label} | \`${argv.join(' ').replaceAll('|', '\\|')}\` | ${answers.join(' | ')} | ${optionsOf(grammar)} |`;
}

function plainUse(name: string, grammar: Grammar): readonly string[] {
  const words = PLAIN_USE[name]?.split(' ').filter((word) => word !== '');
  const slots = compile(grammar).slots;
  const operands = slots?.filter(({ many }) => many !== '?').map(({ kind }) => (kind === 'text' ? 'x' : 'file')) ?? ['file'];
  return [...name.split(' '), ...(words ?? (grammar.rules?.some((rule) => RULES[rule].level === 'never') ? [] : operands))];
}

/** Own options that fire a rule of a stricter kind than reading, by what they lead to. */
function optionsOf(grammar: Grammar): string {
  const groups = new Map<Level, string[]>();
  const own = new Set([...Object.keys(grammar.options ?? {}).flatMap((names) => names.split(/\s+/))]);
  for (const [spelling, option] of compile(grammar).options) {
    const level = optionLevel(option);
    if (level === 'read' || !own.has(spelling)) continue;
    groups.set(level, [...(groups.get(level) ?? []), `\`${spelling}\``]);
  }
  const text = (level: Level, word: string) => (groups.has(level) ? [`${word}: ${(groups.get(level) ?? []).join(' ')}`] : []);
  return [...text('work', 'writes or runs code'), ...text('grave', 'asks'), ...text('never', 'denied')].join('; ');
}

function optionLevel({ rules, value }: Option): Level {
  const rule = value === null ? undefined : KIND_RULES[value];
  return [...rules, ...(rule === undefined ? [] : [rule])].map((name) => RULES[name].level).reduce<Level>(stricter, 'read');
}
