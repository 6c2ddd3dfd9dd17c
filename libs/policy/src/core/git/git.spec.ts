import type { Outcome } from '#contracts';
import { FakeLook, type FakeEntry } from '../../../../../test/support/fake-look.js';
import { PROJECT } from '../../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from '../base-policy.js';
import { parseCommand } from '../command/parse.js';
import { decideCommand } from '../decide.js';
import { readGitConfig } from './config.js';
import { gitEnvironment, gitWrites, hardenGit } from './harden.js';

function decide(command: string, config: string | null, more: Readonly<Record<string, FakeEntry>> = {}, cwd = '/ws') {
  const look = new FakeLook({ ...PROJECT, ...(config === null ? {} : { '/ws/.git/config': config }), ...more });
  const where = { cwd, root: '/ws' };
  const parsed = parseCommand(command, where, look);
  const stages = parsed.ok ? parsed.value : [];
  return decideCommand({ ...where, stages, command, mode: 'trusted', env: {}, toolPaths: [], sandbox: 'full' }, look, BASE_POLICY);
}

describe('the configuration of a repository', () => {
  it('is read without git', () => {
    expect(
      readGitConfig(
        '[core]\n\tbare = false # note\n[filter "My \\"x\\""] clean = "a;b" ; c\n[Alias]\n st = status \\\n -s\n[push]\n\tdefault\n',
      ),
    ).toEqual([
      { key: 'core.bare', value: 'false' },
      { key: 'filter.My "x".clean', value: 'a;b' },
      { key: 'alias.st', value: 'status  -s' },
      { key: 'push.default', value: 'true' },
    ]);
    expect(readGitConfig('nonsense here\n')).toBeNull();
  });

  it.each<[Outcome, string, string]>([
    ['ask', 'git status', '[filter "x"]\n\tclean = touch MARK\n'],
    ['ask', 'git diff', '[filter "x"]\n\tprocess = p\n'],
    ['ask', 'git add .', '[filter "x"]\n\tsmudge = p\n'],
    ['allow', 'git log', '[filter "x"]\n\tclean = touch MARK\n'],
    ['ask', 'git status', '[include]\n\tpath = ../evil\n'],
    ['ask', 'git log', '[includeIf "gitdir:/ws/"]\n\tpath = x\n'],
    ['ask', 'git status', '[core]\n\tworktree = /elsewhere\n'],
    ['allow', 'git status', '[core]\n\tfsmonitor = touch MARK\n\thooksPath = evil\n\tpager = evil\n'],
    ['allow', 'git diff', '[diff]\n\texternal = evil\n[diff "x"]\n\ttextconv = evil\n'],
    ['ask', 'git status -v', '[diff "x"]\n\ttextconv = evil\n'],
    ['ask', 'git stash show -p', '[diff "x"]\n\ttextconv = evil\n'],
    ['ask', 'git merge x', '[merge "x"]\n\tdriver = evil\n'],
    ['ask', 'git st', '[alias]\n\tst = status\n'],
    ['ask', 'git x', '[alias]\n\tx = !id\n'],
    ['ask', 'git log', '[extensions]\n\tpartialClone = origin\n[core]\n\tsshCommand = evil\n'],
    ['ask', 'git archive HEAD', '[tar "x"]\n\tcommand = evil\n'],
    ['ask', 'git help log', '[man]\n\tviewer = x\n[man "x"]\n\tcmd = evil\n'],
    ['ask', 'git status', 'not a configuration\n'],
    ['allow', 'git status', '[user]\n\tname = a\n[branch "main"]\n\tremote = origin\n'],
    ['allow', 'git log', '[alias]\n\tlog = !evil\n'],
    ['ask', 'git log', '[format]\n\tpretty = %H %G?\n[gpg]\n\tprogram = evil\n'],
    ['ask', 'git tag', '[tag]\n\tsort = signature:key\n[gpg "ssh"]\n\tprogram = evil\n'],
    ['allow', 'git log', '[format]\n\tpretty = %H\n[gpg]\n\tprogram = evil\n'],
    ['ask', 'git gc', '[gc]\n\trecentObjectsHook = evil\n'],
    ['ask', 'git log', '[core]\n\talternateRefsCommand = evil\n'],
    ['deny', 'git fetch', '[branch "main"]\n\tremote = ext::evil\n'],
    ['deny', 'git push', '[remote]\n\tpushDefault = /etc/x\n'],
  ])('%s: %s with %j', (wanted, command, config) => {
    expect(decide(command, config).outcome).toBe(wanted);
  });

  it('of submodules counts where git enters them', () => {
    const evil = { '/ws/.git/modules/libs/x/config': '[core]\n\tworktree = ../../../../libs/x\n\tfsmonitor = evil\n' };
    expect(decide('git commit -m x', null, evil).reasons.join()).toContain('core.fsmonitor of the submodule libs/x');
    expect(decide('git submodule status', null, evil).outcome).toBe('ask');
    expect(decide('git log', null, evil).outcome).toBe('allow');
    const plain = {
      '/ws/.git/modules/x/config': '[core]\n\tworktree = ../../../x\n\tfsmonitor = false\n',
      '/ws/.git/modules/x/hooks/a.sample': '',
    };
    expect(decide('git status', null, plain).outcome).toBe('allow');
    const own = {
      '/ws/.gitmodules': '[submodule "y"]\n\tpath = y\n',
      '/ws/y/.git/config': '[core]\n',
      '/ws/y/.git/hooks/post-index-change': '#!/bin/sh\n',
    };
    expect(decide('git status', null, own).reasons.join()).toContain('hooks of the submodule y');
  });

  it('is named in the reason', () => {
    expect(decide('git status', '[filter "x"]\n\tclean = touch MARK\n').reasons.join()).toContain('filter.x.clean');
    expect(decide('git fetch', '[core]\n\tsshCommand = evil\n').reasons.join()).toContain('core.sshcommand');
    expect(decide('git push', '[remote "origin"]\n\turl = ext::evil\n').reasons.join()).toContain('remote.origin.url');
  });

  it('tells which hooks a commit would have run', () => {
    const decision = decide('git commit -m x', null, { '/ws/.git/hooks/pre-commit': '#!/bin/sh\n', '/ws/.git/hooks/x.sample': '' });
    expect(decision.outcome).toBe('allow');
    expect(decision.reasons.join()).toContain('switched off for this run: pre-commit.');
  });

  it('names the host of a remote', () => {
    expect(decide('git fetch', null).stages[0]?.hosts).toEqual(['github.com']);
    expect(decide('git push evil.example:x.git', null).stages[0]?.hosts).toEqual(['evil.example']);
    const config =
      '[remote "origin"]\n\turl = https://a.example/x\n\tpushurl = https://b.example/x\n[branch "main"]\n\tpushRemote = fork\n';
    expect(decide('git fetch', config).stages[0]?.hosts).toEqual(['a.example']);
    expect(decide('git push origin', config).stages[0]?.hosts).toEqual(['b.example']);
    expect(decide('git push', `${config}[remote "fork"]\n\turl = https://c.example/x\n`).stages[0]?.hosts).toEqual(['c.example']);
    expect(decide('git push https://evil.example/x.git', null).rules).toContain('git.unlisted-remote');
  });
});

describe('a repository that is not what it seems', () => {
  it.each<[Readonly<Record<string, FakeEntry>>, string]>([
    [{ '/ws/sub/HEAD': 'x', '/ws/sub/objects': null, '/ws/sub/refs': null }, '/ws/sub'],
    [{ '/ws/sub/.git': 'gitdir: /outside/repo\n' }, '/ws/sub'],
    [{ '/ws/sub/.git': { leadsTo: '/outside/repo' } }, '/ws/sub'],
    [{ '/ws/sub/.git/HEAD': 'x', '/ws/sub/.git/commondir': '/outside\n' }, '/ws/sub'],
    [{ '/ws/sub/.git/HEAD': 'x', '/ws/sub/.git/config': { leadsTo: '/outside/config' } }, '/ws/sub'],
  ])('is refused: %j', (more, cwd) => {
    expect(decide('git status', null, more, cwd).outcome).toBe('deny');
  });

  it('may be a submodule or a linked work tree inside the workspace', () => {
    const more = { '/ws/sub/.git': 'gitdir: ../.git/modules/sub\n', '/ws/.git/modules/sub/config': '[core]\n' };
    expect(decide('git status', null, more, '/ws/sub').outcome).toBe('allow');
    const evil = { ...more, '/ws/.git/modules/sub/config': '[filter "x"]\n\tclean = evil\n' };
    expect(decide('git status', null, evil, '/ws/sub').outcome).toBe('ask');
  });
});

describe('git as it is started', () => {
  it('gets settings and switches that a repository cannot override', () => {
    const argv = hardenGit(['git', '-P', 'diff', '--stat']);
    expect(argv.slice(0, 3)).toEqual(['git', '-c', 'core.fsmonitor=false']);
    expect(argv.slice(-6)).toEqual(['-P', 'diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--stat']);
    expect(argv).toContain('core.hooksPath=/dev/null');
  });

  it('is found behind wrappers, and only as a program', () => {
    expect(hardenGit(['timeout', '5', 'env', 'CI=1', 'git', 'log', '-1']).slice(-4)).toEqual([
      'log',
      '--no-ext-diff',
      '--no-textconv',
      '-1',
    ]);
    expect(hardenGit(['echo', 'git', 'log'])).toEqual(['echo', 'git', 'log']);
    expect(hardenGit(['grep', '-r', 'git', '.'])).toEqual(['grep', '-r', 'git', '.']);
    expect(hardenGit(['find', '.', '-exec', 'git', 'show', '{}', ';'])).toContain('--no-textconv');
  });

  it.each([
    [false, ['git', 'status']],
    [false, ['git', 'log', '-p']],
    [false, ['git', 'branch', '--list']],
    [false, ['npm', 'test']],
    [true, ['git', 'add', '.']],
    [true, ['git', 'commit', '-m', 'x']],
    [true, ['git', 'branch', 'x']],
    [true, ['git', 'fetch']],
    [true, ['git', 'stash']],
    [true, ['nice', 'git', 'switch', 'main']],
  ])('writes inside .git: %s for %j', (wanted, argv) => {
    expect(gitWrites(argv)).toBe(wanted);
  });

  it('carries the same settings in the environment, with the workspace as ceiling', () => {
    const env = gitEnvironment('/home/a/ws');
    expect(env).toMatchObject({
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: '/home/a',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
    });
    expect(Object.keys(env).filter((name) => name.startsWith('GIT_CONFIG_KEY_'))).toHaveLength(Number(env['GIT_CONFIG_COUNT']));
  });
});
