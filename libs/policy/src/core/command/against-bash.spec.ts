import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '#contracts';
import { DiskLook } from '../../adapters/disk-look.js';
import { parseCommand } from './parse.js';

const STRINGS = 20_000;

/** A small generator with a fixed seed, so that every run tries the same strings. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (((Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0) % below) + below) % below;
  };
}

// Commands that end well begin with t, those that fail with f; none of them exists.
const COMMANDS = ['t1', 't2', 'f1', "t'3'", 't"4"', 't\\5'];
const PIECES = [
  ...[
    'a',
    'b1',
    '-x',
    '--y=z',
    'a.c',
    'd/e',
    '1',
    'A1=v',
    'x=1',
    '%',
    '^',
    ',',
    ':',
    '@',
    '+',
    '-',
    '..',
    '.',
    '{}',
    '{a',
    'b}',
    '{a,b}',
    '!',
    '=',
  ],
  ...[
    "'q r'",
    '"q r"',
    "'",
    '"',
    '\\',
    '\\ ',
    '\\\\',
    "\\'",
    '\\"',
    "''",
    '""',
    "'a\"b'",
    '"a\'b"',
    "$'x'",
    '"\\$"',
    '"\\a"',
    "'\\n'",
    '"a\\\nb"',
  ],
  ...['*', '?', '[ab]', '*.c', 'a*', '"*"', '\\*', '[!a]*', '.*', 'd/*', '*/'],
  ...['$', '$x', '$(t1)', '`t1`', '${x}', '$((1))', '~', '~/x', 'a~', '<(t1)', '#', '#c', 'a#b'],
  ...['é', '日本', '\t', '\\\n', ' ', '  '],
];
const JOINS = [' | ', ' && ', ' || ', '; ', ';', '|', '&&', '||', ' & ', '\n', ' |& ', ' ;; ', ' ( ', ' ) '];
const REDIRECTS = [
  ' > o1',
  ' >o2',
  ' >> o1',
  ' 2> o2',
  ' 2>&1',
  ' < i1',
  ' &> o1',
  ' >| o2',
  ' 3> o1',
  ' <> i1',
  ' >& o2',
  ' > "o1"',
  ' 2>>o1',
  ' <<< x',
  ' 1>&2',
];

function aString(pick: (below: number) => number): string {
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T; // never empty
  const commands = Array.from({ length: 1 + pick(3) }, () => {
    const words = Array.from({ length: pick(4) }, () => ` ${Array.from({ length: 1 + pick(3) }, () => one(PIECES)).join('')}`).join('');
    const redirects = Array.from({ length: pick(4) === 0 ? 1 + pick(2) : 0 }, () => one(REDIRECTS)).join('');
    return `${pick(8) === 0 ? 'A1=w ' : ''}${one(COMMANDS)}${words}${redirects}`;
  });
  return commands.reduce((line, next) => `${line}${one(JOINS)}${next}`);
}

/** What bash would have run, in its own words: one line a command, with where its streams lead. */
const HARNESS = String.raw`
command_not_found_handle() {
  local at out=- err=- in=-
  for at in o1 o2; do
    [[ -e $at && /proc/$BASHPID/fd/1 -ef $at ]] && out=$at
    [[ -e $at && /proc/$BASHPID/fd/2 -ef $at ]] && err=$at
  done
  [[ /proc/$BASHPID/fd/0 -ef i1 ]] && in=i1
  printf -v at '%s\x1f' "$in" "$out" "$err" "$A1" "$@"
  printf '%s\x1e' "$at" >&9
  [[ $1 == t* ]]
}
PATH=/nonexistent
shopt -u globskipdots 2>/dev/null || :
shopt -s globskipdots 2>/dev/null || :
while IFS= read -r -d '' line; do
  printf '\x1d' >&9
  ( A1=; eval "$line" ) 2>/dev/null </dev/null
done
`;

type Ran = readonly string[];

/** The commands that our own reading would run, given how each ends, in the same form. */
function expected(stages: readonly Stage[], folder: string): readonly Ran[] {
  const ran: Ran[] = [];
  let succeeded = true;
  let skipping = false;
  stages.forEach((stage, index) => {
    const { join: how, argv, redirects } = stage;
    if (how === 'and') skipping = !succeeded;
    else if (how === 'or') skipping = succeeded;
    else if (how === 'then' || how === 'first') skipping = false;
    if (skipping) return;
    const [value, words] = argv[0] === 'env' ? [argv[1]?.replace(/^A1=/, '') ?? '', argv.slice(2)] : ['', argv];
    const name = (path: string) => path.slice(folder.length + 1);
    const of = (stream: 'stdin' | 'stdout' | 'stderr') =>
      redirects.find((redirect) => redirect.stream === stream || (stream !== 'stdin' && redirect.stream === 'both'))?.path;
    const out = of('stdout');
    const err = of('stderr');
    const piped = stages[index + 1]?.join === 'pipe';
    const joined = stage.stderrToStdout === true && !piped && out !== undefined ? out : err;
    ran.push([name(of('stdin') ?? `${folder}/-`), name(out ?? `${folder}/-`), name(joined ?? `${folder}/-`), value, ...words]);
    if (!piped) succeeded = words[0]?.startsWith('t') === true;
  });
  return ran;
}

const sorted = (rows: readonly Ran[]) => rows.map((row) => row.join('\u001f')).sort();

describe('our reading of a line against that of bash', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'against-bash-')));
    for (const name of ['i1', 'a.c', 'ab', 'b1', '.h']) writeFileSync(join(folder, name), '');
    for (const name of ['o1', 'o2']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'd'));
    writeFileSync(join(folder, 'd/e'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`is the same for each of ${STRINGS} strings that we accept`, () => {
    const pick = numbers(20_261_130);
    const look = new DiskLook();
    const accepted: { readonly text: string; readonly stages: readonly Stage[] }[] = [];
    for (let count = 0; count < STRINGS; count += 1) {
      const text = aString(pick);
      const parsed = parseCommand(text, { cwd: folder, root: folder }, look);
      if (parsed.ok) accepted.push({ text, stages: parsed.value });
    }
    expect(accepted.length).toBeGreaterThan(STRINGS / 10);

    const log = join(folder, '..', `${folder.split('/').at(-1) ?? ''}.log`);
    const bash = spawnSync('bash', ['--norc', '--noprofile', '-c', `exec 9>'${log}'; ${HARNESS}`], {
      cwd: folder,
      input: accepted.map(({ text }) => `${text}\0`).join(''),
      env: { LC_ALL: 'C', HOME: folder },
      maxBuffer: 1 << 26,
    });
    expect(bash.status).toBe(0);
    const runs = readFileSync(log, 'utf8').split('\u001d').slice(1);
    rmSync(log);
    expect(runs).toHaveLength(accepted.length);
    const differing = accepted.flatMap(({ text, stages }, index) => {
      const theirs = (runs[index] ?? '')
        .split('\u001e')
        .slice(0, -1)
        .map((row) => row.split('\u001f').slice(0, -1));
      const ours = expected(stages, folder);
      return JSON.stringify(sorted(ours)) === JSON.stringify(sorted(theirs)) ? [] : [{ text, ours, theirs }];
    });
    expect(differing.slice(0, 5)).toEqual([]);
  });
});
