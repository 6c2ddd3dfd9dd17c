import { readAwk } from './awk.js';
import { readSed } from './sed.js';

const harmless = { reads: [], writes: [], executes: false, unseen: false, understood: true };

describe('reading sed', () => {
  it.each([
    '$=',
    '1!G;h;$!d',
    ':a;N;$!ba;s/\n/,/g',
    's/[^]]*/x/',
    's/[\\/]/x/',
    's|a/b|c|2gI',
    '/x/i\\ text; e date',
    '1~2d;2,+3p;0,/x/p',
    '\\%x%,\\,y,I{s/a/b/;p}',
    'y/abc/xyz/;l 5;q3',
    's/a/b/w /dev/stdout',
    '# e date\np',
    'a\\\nline\\\ne date',
  ])('finds nothing but changing text in %j', (script) => {
    expect(readSed(script)).toEqual(harmless);
  });

  it.each(['e', 'e id', '1e id', '$!{e id\n}', 's/a/b/e', 's/a/b/gep', 's,a,b,Ie', '/x/e id', 'p;e id', '}e id', '\\,x,e id'])(
    'sees that %j runs something',
    (script) => {
      expect(readSed(script).executes).toBe(true);
    },
  );

  it('names what is read and written', () => {
    expect(readSed('w out\nr in\ns/a/b/w third\nR in2\nW out2')).toMatchObject({ reads: ['in', 'in2'], writes: ['out', 'third', 'out2'] });
  });

  it.each([':l e id', 'b l w F', 't x W F', 's/[/]/x/', 's/[]/]/x/', 's/a', 'k', '/x', 'p p', 'v 4 w F', 'w'])(
    'admits that %j is not understood',
    (script) => {
      expect(readSed(script).understood).toBe(false);
    },
  );
});

describe('reading awk', () => {
  it.each([
    '{print $1, $NF}',
    '$3 > 5 {sum += $1} END {print sum/NR}',
    '{print ($1 > $2)}',
    '{printf "%s > %s | %s\\n", $1, $2, "x"}',
    '!seen[$0]++',
    '{ if (/a"b/) print; else /"/ }',
    '{ x = $1 / $2 / 3 # | system\n print x }',
    '{getline; getline line; print}',
    '{print "x" > "/dev/stderr"}',
    'a || b && c {print 0x1F, 1e3, .5}',
  ])('finds nothing but reading its input in %j', (program) => {
    expect(readAwk(program)).toEqual(harmless);
  });

  it.each([
    'BEGIN{system("id")}',
    '{system ("id")}',
    '{print | "sh"}',
    '{"date" | getline d}',
    'BEGIN{cmd |& getline}',
    '{ if (0) ; else /"/ && system("id") } # "',
    '{ if (1) /"/; system("id") } # "',
    '{ while (1) /"/ || system("id") } # "',
    'NR==1system("id")',
    '$1system("id")',
    '{ exit /"/ system("id") "',
  ])('sees that %j may run something', (program) => {
    expect(readAwk(program).executes).toBe(true);
  });

  it('names files, and admits what it cannot see', () => {
    expect(readAwk('{print > "out"; getline x < "in"}')).toMatchObject({ reads: ['in'], writes: ['out'], unseen: false });
    for (const program of ['{print > $1}', '{print > "a" $2}', '{getline x < $1}', 'BEGIN{ARGV[1]="x"}'])
      expect(readAwk(program).unseen).toBe(true);
    for (const program of ['@include "x"', '{print "\\057etc" > "x"}', '/[/]/']) expect(readAwk(program).understood).toBe(false);
  });
});
