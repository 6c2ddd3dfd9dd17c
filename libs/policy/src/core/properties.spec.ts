import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { MODES, OUTCOMES, type Decision, type Mode } from '#contracts';
import { FakeLook } from '../../../../test/support/fake-look.js';
import { PROJECT, WORKSPACE } from '../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from './base-policy.js';
import { parseCommand } from './command/parse.js';
import { decideCommand } from './decide.js';

const look = new FakeLook({ ...PROJECT, '/ws/out-link': { leadsTo: '/etc' }, '/ws/up-link': { leadsTo: '..' } });
const where = { cwd: WORKSPACE, root: WORKSPACE };
const RUNS = { numRuns: 10_000, seed: 20_261_130 };

/** Every single command of the table of kinds, as an argv. */
const COMMANDS = readFileSync(new URL('../../../../test/policy/kinds.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^[AD?]{3} /.test(line))
  .flatMap((line) => {
    const parsed = parseCommand(line.slice(4), where, look);
    return parsed.ok && parsed.value.length === 1 ? [parsed.value[0]?.argv ?? []] : [];
  });

function decide(argv: readonly string[], mode: Mode): Decision {
  const stages = [{ join: 'first' as const, argv, redirects: [] }];
  return decideCommand({ ...where, stages, command: null, mode, env: {}, toolPaths: [], sandbox: 'full' }, look, BASE_POLICY);
}

const rank = ({ outcome }: Decision) => OUTCOMES.indexOf(outcome);
const command = fc.constantFrom(...COMMANDS);
const mode = fc.constantFrom(...MODES);
const wrapper = fc.constantFrom<readonly string[]>(
  ['env'],
  ['env', 'CI=1'],
  ['nice'],
  ['nice', '-n', '5'],
  ['timeout', '5'],
  ['timeout', '-s', 'KILL', '--kill-after=3', '5s'],
  ['stdbuf', '-oL'],
  ['time'],
  ['ionice', '-c3'],
  ['xargs', '-n1'],
  ['taskset', '1'],
  ['flock', 'lock'],
  ['prlimit', '--nproc=5'],
  ['busybox'],
  ['find', '.', '-exec'],
  ['setsid'],
);
const word = fc.oneof(
  fc.constantFrom(
    '-r',
    '-R',
    '-L',
    '-o',
    '--output=x',
    '--',
    '-',
    '..',
    '/etc/passwd',
    '.git',
    '.env',
    '~',
    '-exec',
    ';',
    '{}',
    'a=b',
    '-c',
    '-C',
    '--config',
  ),
  fc.string({ maxLength: 12 }),
);

describe('whatever the command', () => {
  it('a wrapper never lowers the verdict', () => {
    fc.assert(
      fc.property(command, fc.array(wrapper, { minLength: 1, maxLength: 3 }), mode, (argv, wrappers, as) => {
        expect(rank(decide([...wrappers.flat(), ...argv], as))).toBeGreaterThanOrEqual(rank(decide(argv, as)));
      }),
      RUNS,
    );
  });

  it('an unknown option never lowers the verdict, and is never allowed', () => {
    const option = fc.constantFrom('--no-such-option', '--no-such-option=value', '--zz');
    fc.assert(
      fc.property(command, option, mode, (argv, unknown, as) => {
        const [tool = '', ...rest] = argv;
        expect(rank(decide([tool, unknown, ...rest], as))).toBeGreaterThanOrEqual(rank(decide(argv, as)));
      }),
      RUNS,
    );
  });

  it('quoting the same words in another way gives the same facts', () => {
    const plain = command.filter((argv) => argv.every((text) => !/[\n\r]/.test(text)) && argv[0] !== 'cd');
    fc.assert(
      fc.property(plain, fc.infiniteStream(fc.nat(3)), (argv, styles) => {
        const line = argv.map((text) => quoted(text, styles.next().value as number)).join(' ');
        const parsed = parseCommand(line, where, look);
        expect(parsed.ok && parsed.value.map((stage) => stage.argv)).toEqual([argv]);
      }),
      RUNS,
    );
  });

  it('no path outside the workspace is ever allowed', () => {
    const readers = fc.constantFrom<readonly string[]>(
      ['cat'],
      ['head', '-n', '3'],
      ['grep', 'x'],
      ['grep', '-f'],
      ['rg', 'x'],
      ['ls', '-la'],
      ['find'],
      ['stat'],
      ['du', '-s'],
      ['wc', '-l'],
      ['sort'],
      ['sed', '-n', '1p'],
      ['awk', '1'],
      ['jq', '.'],
      ['diff', 'README.md'],
      ['cp', 'README.md'],
      ['cp', '-t'],
      ['mv', 'README.md'],
      ['rm', '-rf'],
      ['touch'],
      ['mkdir', '-p'],
      ['tee'],
      ['ln', '-s'],
      ['chmod', '644'],
      ['tar', 'cf', 'x.tar'],
      ['tar', 'tf'],
      ['git', 'log', '--'],
      ['git', 'add'],
      ['git', 'diff'],
      ['node'],
      ['python3'],
      ['bash'],
      ['file'],
      ['tree'],
      ['base64'],
      ['sha256sum'],
      ['readlink', '-f'],
      ['env', '-C'],
      ['timeout', '5', 'cat'],
    );
    const outside = fc
      .tuple(
        fc.constantFrom('/', '../', 'src/../../', 'out-link/', './up-link/', '/ws/../', '/ws2/', 'logs/../../x/../'),
        fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{1,4})?$/),
      )
      .map(([start, rest]) => `${start}${rest}`)
      .filter((text) => !/(^|\/)ws(\/|$)/.test(text.replace(/^\/ws(?=\/\.\.)/, '')));
    fc.assert(
      fc.property(readers, outside, mode, (argv, path, as) => {
        expect(decide([...argv, path], as).outcome).not.toBe('allow');
      }),
      RUNS,
    );
  });

  it('inspect is never more permissive than confirm, nor confirm than trusted', () => {
    const any = fc.oneof(
      command,
      fc.tuple(command, fc.array(word, { maxLength: 4 })).map(([argv, more]) => [...argv, ...more]),
      fc.array(word, { minLength: 1, maxLength: 6 }),
    );
    fc.assert(
      fc.property(any, (argv) => {
        const [inspect = 0, confirm = 0, trusted = 0] = MODES.map((as) => rank(decide(argv, as)));
        expect(inspect).toBeGreaterThanOrEqual(confirm);
        expect(confirm).toBeGreaterThanOrEqual(trusted);
      }),
      RUNS,
    );
  });

  it('more words never lower a denial that no approval can lift', () => {
    fc.assert(
      fc.property(command, fc.array(word, { maxLength: 3 }), (argv, more) => {
        const decision = decide([...argv, ...more], 'trusted');
        expect(decision.reasons).toHaveLength(decision.rules.length);
        expect(decision.outcome === 'deny').toBe(decision.risk === 'blocked');
      }),
      RUNS,
    );
  });
});

function quoted(text: string, style: number): string {
  if (style === 0 && /^[\w./:=@%+,-]+$/.test(text) && !/[=:]~/.test(text)) return text;
  if (style === 1) return `"${text.replaceAll(/[$`"\\]/g, '\\$&')}"`;
  if (style === 2 && text !== '') return Array.from(text, (letter) => (/[\w./@%+,-]/.test(letter) ? letter : `\\${letter}`)).join('');
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
