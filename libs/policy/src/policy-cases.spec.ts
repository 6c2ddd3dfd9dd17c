import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODES, OUTCOMES, type Mode, type Outcome } from '#contracts';
import { DiskLook } from './adapters/disk-look.js';
import { checkLines } from './core/index.js';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly argv?: readonly string[];
  readonly command?: string;
  readonly requested_env?: Readonly<Record<string, string>>;
  readonly setup?: string;
  readonly cwd: string;
  readonly expected_by_mode: Readonly<Record<Mode, Outcome>>;
}

const { cases } = JSON.parse(readFileSync(new URL('../../../test/policy/policy-cases.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

/** What each `setup` of the file means, without starting a program. */
const SETUPS: Readonly<Record<string, (ws: string, outside: string) => void>> = {
  'ln -s / link': (ws) => symlinkSync('/', join(ws, 'link')),
  'ln /outside/file hl': (ws, outside) => linkSync(join(outside, 'file'), join(ws, 'hl')),
  'echo script-shell=./c.sh > .npmrc': (ws) => writeFileSync(join(ws, '.npmrc'), 'script-shell=./c.sh\n'),
  "git config filter.x.clean 'touch MARK'; .gitattributes: * filter=x": (ws) => {
    writeFileSync(join(ws, '.git/config'), '[core]\n\tbare = false\n[filter "x"]\n\tclean = touch MARK\n');
    writeFileSync(join(ws, '.gitattributes'), '* filter=x\n');
  },
  'bare repo committed at sub/ with core.fsmonitor': (ws) => repository(join(ws, 'sub'), '[core]\n\tbare = true\n\tfsmonitor = id\n'),
};

function repository(folder: string, config: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), config);
}

let base: string;
let ws: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-cases-')));
  ws = join(base, 'ws');
  for (const folder of ['src', 'logs']) mkdirSync(join(ws, folder), { recursive: true });
  for (const name of ['README.md', 'src/app.ts', 'my file.txt', 'logs/app.log']) writeFileSync(join(ws, name), 'text\n');
  writeFileSync(join(ws, 'package.json'), '{"scripts":{"lint":"eslint .","test":"jest","build":"tsc"}}');
  repository(join(ws, '.git'), '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/a/b.git\n');
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside/file'), 'secret\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function decided({ id, argv, command, requested_env, cwd }: Case, mode: Mode): Outcome | undefined {
  const line = { id, mode, workspace: ws, cwd: cwd.replace('{ws}', ws), argv, command, env: requested_env };
  return checkLines(JSON.stringify(line), new DiskLook())[0]?.outcome;
}

describe('the cases that others know', () => {
  it.each(cases.map((row): [string, Case] => [row.id, row]))('%s', (_id, row) => {
    if (row.setup !== undefined) SETUPS[row.setup]?.(ws, join(base, 'outside'));
    const got = Object.fromEntries(MODES.map((mode) => [mode, decided(row, mode)]));
    for (const mode of MODES) {
      expect(OUTCOMES.indexOf(got[mode] ?? 'allow')).toBeGreaterThanOrEqual(OUTCOMES.indexOf(row.expected_by_mode[mode]));
    }
    expect(got).toEqual(row.expected_by_mode);
  });

  it('knows every setup', () => {
    expect(cases.flatMap(({ setup }) => setup ?? []).filter((setup) => !(setup in SETUPS))).toEqual([]);
  });
});
