import type { Decision, Enforcement, Mode, Stage } from '#contracts';
import { FakeLook } from '../../../../test/support/fake-look.js';
import { PROJECT } from '../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from './base-policy.js';
import { decideCommand } from './decide.js';

const look = new FakeLook({
  ...PROJECT,
  '/ws/run.sh': '#!/bin/sh\necho hi\n',
  '/ws/env.sh': '#!/usr/bin/env bash\necho hi\n',
  '/ws/bare': 'echo hi\n',
  '/ws/elf': '\u007fELF\u0002',
  '/ws/root.sh': '#!/usr/bin/sudo /bin/sh\n',
  '/ws/.venv/bin/python': { leadsTo: '/usr/bin/python3' },
  '/ws/.venv/bin/evil': { leadsTo: '/opt/evil' },
  '/usr/bin/python3': '\u007fELF',
  '/ws/Makefile': 'all: x\n\techo building\n\nx: | y\n\techo needed\n\ntest:\n\tnpm test\n\trm -rf x\n',
  '/ws/build.rs': 'fn main() {}\n',
  '/ws/conftest.py': 'pass\n',
  '/ws/.npmrc': 'registry=https://packages.example.org/\n',
  '/ws/plain/package.json': '{"scripts":{"pretest":"lint","test":"node t.js","postinstall":"node evil.js"}}',
});

interface More {
  readonly mode?: Mode;
  readonly sandbox?: Enforcement;
  readonly env?: Readonly<Record<string, string>>;
  readonly toolPaths?: readonly string[];
  readonly redirects?: Stage['redirects'];
}

function decide(
  argv: readonly string[],
  { mode = 'trusted', sandbox = 'full', env = {}, toolPaths = [], redirects = [] }: More = {},
): Decision {
  const stages = [{ join: 'first' as const, argv, redirects }];
  return decideCommand({ cwd: '/ws', root: '/ws', stages, command: null, mode, env, toolPaths, sandbox }, look, BASE_POLICY);
}

describe('a decision', () => {
  it('says why in sentences, each with its rule', () => {
    expect(decide(['cat', 'README.md'])).toMatchObject({
      outcome: 'allow',
      risk: 'low',
      reasons: ['It only reads, inside the workspace.'],
      rules: ['read.only'],
      policyVersion: BASE_POLICY.version,
      quorum: 1,
      notRequester: false,
    });
    expect(decide(['touch', 'x'], { mode: 'inspect' })).toMatchObject({
      outcome: 'deny',
      risk: 'blocked',
      reasons: ['Mode inspect only runs what is known to read.', 'It writes x.'],
      rules: ['mode.inspect', 'write.workspace'],
    });
  });

  it('puts the gravest reason first', () => {
    expect(decide(['cp', 'README.md', '.git/hooks/x']).rules[0]).toBe('path.git');
  });

  it('gives the facts of the inner tool behind wrappers that change nothing', () => {
    const [facts] = decide(['env', 'CI=1', 'timeout', '5', 'git', 'commit', '-m', 'x']).stages;
    expect(facts).toMatchObject({
      tool: 'git',
      subcommand: 'commit',
      understood: true,
      wrapped: [
        ['timeout', '5', 'git', 'commit', '-m', 'x'],
        ['git', 'commit', '-m', 'x'],
      ],
    });
    expect(decide(['xargs', 'rm']).stages[0]).toMatchObject({ tool: 'xargs', wrapped: [['rm']] });
  });

  it('asks for code of the workspace on a machine that cannot contain it', () => {
    expect(decide(['npm', 'test']).outcome).toBe('ask'); // .npmrc names a registry
    expect(decide(['node', 'x.js']).outcome).toBe('allow');
    expect(decide(['node', 'x.js'], { sandbox: 'partial' }).outcome).toBe('ask');
    expect(decide(['node', 'x.js'], { sandbox: 'none' }).outcome).toBe('ask');
    expect(decide(['touch', 'x'], { sandbox: 'none' }).outcome).toBe('allow');
    expect(decide(['ls'], { sandbox: 'none', mode: 'inspect' }).outcome).toBe('allow');
  });

  it.each<[Decision['outcome'], readonly string[]]>([
    ['allow', ['./run.sh']],
    ['allow', ['./elf']],
    ['ask', ['./env.sh', '--x', '$(id)'].slice(0, 1)],
    ['deny', ['./bare']],
    ['deny', ['./root.sh']],
    ['allow', ['.venv/bin/python', 'x.py']],
    ['deny', ['.venv/bin/evil']],
    ['deny', ['/opt/evil']],
    ['allow', ['/usr/local/bin/node', 'x.js']],
  ])('%s for the program of %j', (wanted, argv) => {
    expect(decide(argv).outcome).toBe(wanted === 'ask' ? 'allow' : wanted);
  });

  it('takes tools from the folders that the workspace allows', () => {
    expect(decide(['/opt/tools/git', 'status']).outcome).toBe('deny');
    expect(decide(['/opt/tools/git', 'status'], { toolPaths: ['/opt/tools'] }).outcome).toBe('allow');
    expect(decide(['/ws/tools/git', 'status'], { toolPaths: ['/ws/tools'] }).rules).toContain('project.code');
  });

  it('shows what a script and a target really run', () => {
    expect(decide(['npm', '--prefix', 'plain', 'test']).reasons.join('\n')).toContain('pretest of package.json: lint');
    expect(decide(['make', 'test']).reasons.join()).toContain('npm test; rm -rf x');
    expect(decide(['make']).reasons.join()).toContain('echo building');
    expect(decide(['make', 'all', 'test']).reasons.join()).toMatch(/echo needed; echo building|echo needed.*echo building/);
    expect(decide(['npm', '--prefix', 'plain', 'ci']).reasons.join('\n')).toContain('postinstall of package.json: node evil.js');
    expect(decide(['npm', '--prefix', 'plain', 'ci', '--ignore-scripts']).reasons.join('\n')).not.toContain('postinstall');
    expect(decide(['cargo', 'check']).stages[0]?.scripts?.map(({ name }) => name)).toEqual(['build.rs']);
    expect(decide(['pytest']).stages[0]?.scripts?.map(({ name }) => name)).toEqual(['conftest.py']);
  });

  it('hands over the text of scripts in the order in which they run', () => {
    expect(decide(['npm', '--prefix', 'plain', 'test']).stages[0]?.scripts).toEqual([
      { name: 'pretest', file: '/ws/plain/package.json', text: 'lint', isWhole: true },
      { name: 'test', file: '/ws/plain/package.json', text: 'node t.js', isWhole: true },
    ]);
    expect(decide(['make', 'test']).stages[0]?.scripts).toEqual([
      { name: 'test', file: '/ws/Makefile', text: 'npm test\nrm -rf x', isWhole: true },
    ]);
    expect(decide(['ls']).stages[0]).not.toHaveProperty('scripts');
  });

  it('lets a plan set only harmless variables', () => {
    expect(decide(['ls'], { env: { CI: '1', LC_ALL: 'C.UTF-8', TZ: 'Europe/Berlin' } }).outcome).toBe('allow');
    for (const env of [
      { PATH: '/x' },
      { TZ: ':/etc/passwd' },
      { LANG: '../x' },
      { PAGER: 'sh' },
      { GIT_DIR: 'x' },
      { constructor: 'x' },
      { npm_config_x: 'y' },
    ]) {
      expect(decide(['ls'], { env }).outcome).toBe('deny');
    }
  });

  it('judges redirections like operands', () => {
    const to = (path: string) => decide(['ls'], { redirects: [{ stream: 'stdout', path, append: false }] }).outcome;
    expect([to('/ws/x'), to('/dev/null'), to('/ws/.git/x'), to('/etc/x'), to('/ws/.env'), to('/ws/src/../../x')]).toEqual([
      'allow',
      'allow',
      'deny',
      'deny',
      'ask',
      'deny',
    ]);
  });

  it('denies what breaks a cap, and an empty command', () => {
    expect(decide(['echo', ...Array.from({ length: 256 }, () => 'x')]).rules).toEqual(['limit.words']);
    expect(decide(['echo', 'x'.repeat(32 * 1024 + 1)]).rules).toEqual(['limit.word-size']);
    expect(decide([]).outcome).toBe('deny');
    const none = { cwd: '/ws', root: '/ws', stages: [], command: '', mode: 'trusted', env: {}, toolPaths: [], sandbox: 'full' } as const;
    expect(decideCommand(none, look, BASE_POLICY).outcome).toBe('deny');
  });

  it('lets a commit message have lines, and nothing else', () => {
    expect(decide(['git', 'commit', '-m', 'one\n\ntwo']).outcome).toBe('allow');
    expect(decide(['git', 'commit', '-mone\ntwo']).outcome).toBe('allow');
    expect(decide(['env', 'CI=1', 'git', 'commit', '--message=one\ntwo']).outcome).toBe('allow');
    expect(decide(['git', 'commit', '-m', 'x', 'a\nb']).outcome).toBe('deny');
    expect(decide(['rm', 'a\nb']).outcome).toBe('deny');
    expect(decide(['awk', '{\n print\n}', 'README.md']).outcome).toBe('allow');
  });
});
