import { FakeLook } from '../../../../../test/support/fake-look.js';
import { PROJECT } from '../../../../../test/support/policy-workspace.js';
import { parseCommand } from './parse.js';

const look = new FakeLook({
  ...PROJECT,
  '/ws/b.md': '',
  '/ws/.hidden.md': '',
  '/ws/src/b.ts': '',
  '/ws/-rf': '',
  '/ws/out': { leadsTo: '/etc' },
});
const where = { cwd: '/ws', root: '/ws' };

function read(text: string): unknown {
  const parsed = parseCommand(text, where, look);
  if (!parsed.ok) return parsed.code;
  return parsed.value.map(({ join, argv, redirects, stderrToStdout }) => [
    join,
    argv.join('␣'),
    ...redirects.map(({ stream, path, append }) => `${stream}${append ? '>>' : '>'}${path}`),
    ...(stderrToStdout ? ['2>&1'] : []),
  ]);
}

describe('reading a command line', () => {
  it.each<[string, unknown]>([
    [
      'rg TODO src | head -20',
      [
        ['first', 'rg␣TODO␣src'],
        ['pipe', 'head␣-20'],
      ],
    ],
    [
      'a && b || c; d',
      [
        ['first', 'a'],
        ['and', 'b'],
        ['or', 'c'],
        ['then', 'd'],
      ],
    ],
    [
      'a | b && c | d',
      [
        ['first', 'a'],
        ['pipe', 'b'],
        ['and', 'c'],
        ['pipe', 'd'],
      ],
    ],
    [`x 'a b' "c d" e\\ f 'it'\\''s' ""`, [['first', "x␣a b␣c d␣e f␣it's␣"]]],
    ['cmd > out.txt', [['first', 'cmd', 'stdout>/ws/out.txt']]],
    ['cmd >> sub/out.txt < in.txt 2> err', [['first', 'cmd', 'stdout>>/ws/sub/out.txt', 'stdin>/ws/in.txt', 'stderr>/ws/err']]],
    ['cmd > f 2>&1', [['first', 'cmd', 'both>/ws/f']]],
    ['cmd > src/../f', [['first', 'cmd', 'stdout>/ws/f']]],
    ['cmd > out/x', [['first', 'cmd', 'stdout>/etc/x']]],
    ['cmd > /dev/stdout', [['first', 'cmd', 'stdout>/dev/stdout']]],
    ['cmd &> f', [['first', 'cmd', 'both>/ws/f']]],
    [
      'cmd 2>&1 | grep x',
      [
        ['first', 'cmd', '2>&1'],
        ['pipe', 'grep␣x'],
      ],
    ],
    [
      'cmd |& grep x',
      [
        ['first', 'cmd', '2>&1'],
        ['pipe', 'grep␣x'],
      ],
    ],
    ['cat *.md', [['first', 'cat␣README.md␣b.md']]],
    ['cat "*.md" \\*.md', [['first', 'cat␣*.md␣*.md']]],
    ['ls .h*', [['first', 'ls␣.hidden.md']]],
    ['ls src/*.ts', [['first', 'ls␣src/app.ts␣src/b.ts']]],
    ['ls */', [['first', 'ls␣certs/␣logs/␣out/␣src/␣tests/']]],
    ['ls [Rb]*', [['first', 'ls␣README.md␣b.md']]],
    ['ls *.none', [['first', 'ls␣*.none']]],
    ['rm *f', [['first', 'rm␣-rf']]],
    ['A=1 B="x y" cmd', [['first', 'env␣A=1␣B=x y␣cmd']]],
    [
      'cd src && ls && cat app.ts',
      [
        ['first', 'env␣--chdir=/ws/src␣ls'],
        ['and', 'env␣--chdir=/ws/src␣cat␣app.ts'],
      ],
    ],
    ['cd src && ls > x', [['first', 'env␣--chdir=/ws/src␣ls', 'stdout>/ws/src/x']]],
    ['cd . && ls', [['first', 'ls']]],
    ['ls \\\n -la', [['first', 'ls␣-la']]],
    ['git commit -m "one\n\ntwo"', [['first', 'git␣commit␣-m␣one\n\ntwo']]],
    ['ls # and a note', [['first', 'ls']]],
    ['a;', [['first', 'a']]],
    ['ls\n', [['first', 'ls']]],
  ])('%j', (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  it.each([
    '',
    '   ',
    'ls\nrm x',
    'ls &',
    'ls & pwd',
    'ls `id`',
    'ls $(id)',
    'ls $HOME',
    'ls "$HOME"',
    "ls $'a'",
    'ls $"a"',
    'cat <(id)',
    'cat <<< x',
    'cat <<E\nx\nE',
    'ls {a,b}',
    'ls ~',
    'ls ~root',
    'ls a=~',
    'ls a:~/x',
    '(ls)',
    '{ ls; }',
    'if a; then b; fi',
    'for x in a; do b; done',
    'while a; do b; done',
    'f() { ls; }',
    '[[ a ]]',
    '((1))',
    '! ls',
    'time ls',
    'coproc ls',
    'A=1',
    'A=(1 2) ls',
    'A+=1 ls',
    '> x',
    'ls 3> x',
    'ls <> x',
    'ls >&2',
    'ls 2>&1 > x',
    'ls > a > b',
    'ls > *.md',
    'ls /etc/*',
    'ls ../*',
    'ls out/*',
    'ls +(a)',
    '* x',
    'cd src',
    'cd src; ls',
    'cd src || ls',
    'cd .. && ls',
    'cd out && ls',
    'cd none && ls',
    'cd && ls',
    'cd - && ls',
    'ls && cd src && ls',
    'ls ( x',
    'ls ) x',
    'ls |',
    "ls 'a",
    'ls "a',
    '#!/bin/sh',
    'ls\rrm x',
    'ls \u202e',
    'ls \u200b',
    'ls \u0000',
    'ls \ud800',
  ])('refuses %j', (text) => {
    expect(read(text)).toBe('COMMAND_INVALID');
  });

  it('fails closed on every cap', () => {
    expect(read(Array.from({ length: 17 }, () => 'true').join(' && '))).toBe('COMMAND_LIMIT');
    expect(read(Array.from({ length: 16 }, () => 'true').join(' && '))).toHaveLength(16);
    expect(read(`echo ${'x '.repeat(256)}`)).toBe('COMMAND_LIMIT');
    expect(read(`echo ${'x'.repeat(32 * 1024 + 1)}`)).toBe('COMMAND_LIMIT');
    expect(read(`echo ${`${'x'.repeat(30_000)} `.repeat(5)}`)).toBe('COMMAND_LIMIT');
  });

  it('names the rule of a refusal', () => {
    const parsed = parseCommand('ls $(id)', where, look);
    expect(parsed).toMatchObject({
      ok: false,
      details: { rule: 'command.syntax' },
      message: 'The command is not understood: it uses a command substitution.',
    });
  });
});
