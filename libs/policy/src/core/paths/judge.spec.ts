import { OUTCOMES, type Decision, type Mode } from '#contracts';
import { FakeLook, type FakeEntry } from '../../../../../test/support/fake-look.js';
import { PROJECT } from '../../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from '../base-policy.js';
import { decideCommand } from '../decide.js';

const MORE: Readonly<Record<string, FakeEntry>> = {
  ...PROJECT,
  '/ws/link': { leadsTo: '/' },
  '/ws/inner': { leadsTo: 'src/app.ts' },
  '/ws/to-env': { leadsTo: '.env' },
  '/ws/.env': 'A=1\n',
  '/ws/loop': { leadsTo: 'loop2' },
  '/ws/loop2': { leadsTo: 'loop' },
  '/ws/dangling': { leadsTo: '/outside/new' },
  '/ws/hard': { text: 'x', links: 2 },
  '/ws/to-git': { leadsTo: '.git' },
  '/ws/data/key': 'k',
  '/ws/tree/a/out': { leadsTo: '/etc' },
  '/ws/plain/a.txt': 'x',
  '/ws/keys/id_rsa': 'k',
  '/ws/nested/.git/HEAD': 'ref: x',
  '/real/ws2/a': 'x',
  '/alias': { leadsTo: '/real' },
};
const look = new FakeLook(MORE);

function decide(argv: readonly string[], more: { mode?: Mode; cwd?: string; root?: string; dataDir?: string } = {}): Decision {
  const { mode = 'trusted', cwd = '/ws', root = '/ws', dataDir } = more;
  const stages = [{ join: 'first' as const, argv, redirects: [] }];
  const question = { cwd, root, stages, command: null, mode, env: {}, toolPaths: [], sandbox: 'full' as const };
  return decideCommand({ ...question, ...(dataDir === undefined ? {} : { dataDir }) }, look, BASE_POLICY);
}

const outcome = (...argv: string[]) => decide(argv).outcome;

describe('path operands', () => {
  it.each([
    ['allow', ['cat', 'README.md']],
    ['allow', ['cat', './src/../README.md']],
    ['allow', ['cat', '/ws/README.md']],
    ['allow', ['cat', 'inner']],
    ['allow', ['cat', 'does-not-exist']],
    ['allow', ['cat', '/dev/null']],
    ['deny', ['cat', 'link/etc/passwd']],
    ['deny', ['cat', 'link/../etc/passwd']],
    ['deny', ['cat', 'link']],
    ['deny', ['cat', 'loop']],
    ['deny', ['touch', 'dangling']],
    ['deny', ['cat', 'none/../../etc/passwd']],
    ['deny', ['cat', '/ws2/x']],
    ['deny', ['cat', '/wsx']],
    ['ask', ['cat', 'to-env']],
    ['ask', ['cat', 'hard']],
    ['deny', ['touch', 'to-git/hooks/x']],
    ['deny', ['touch', '.GIT/hooks/x']],
    ['deny', ['touch', '.git /x']],
    ['deny', ['touch', '.git::$INDEX_ALLOCATION/x']],
    ['deny', ['touch', 'git~1/x']],
    ['deny', ['touch', 'deep/er/.git/x']],
    ['allow', ['rm', 'link']],
    ['allow', ['rm', 'dangling']],
    ['deny', ['rm', '-r', 'link/']],
    ['ask', ['rm', '-rf', 'nested']],
    ['ask', ['mv', 'nested', 'other']],
    ['deny', ['cp', '-r', 'nested/.git', '.']],
    ['deny', ['mv', 'plain', '.git']],
    ['ask', ['cp', '-r', 'keys', 'copy']],
    ['ask', ['grep', '-r', 'x', 'keys']],
    ['ask', ['grep', '-r', 'x', '.']],
    ['allow', ['grep', '-r', 'x', 'plain']],
    ['ask', ['rg', 'x', '.']],
    ['ask', ['rg', 'x', 'keys']],
    ['allow', ['rg', 'x', 'plain', 'src']],
    ['ask', ['rg', '-uu', 'x', '.']],
    ['deny', ['diff', '-r', 'tree', 'plain']],
    ['allow', ['diff', '-r', '--no-dereference', 'tree', 'plain']],
    ['allow', ['diff', '-r', 'plain', 'src']],
    ['ask', ['zip', '-r', 'x.zip', 'keys']],
    ['deny', ['zip', '-r', 'x.zip', 'tree']],
    ['allow', ['zip', '-ry', 'x.zip', 'tree']],
    ['deny', ['ln', '-s', '../../etc', 'src/x']],
    ['allow', ['ln', '-s', '../README.md', 'src/x']],
    ['deny', ['ln', '-s', '../../x', 'src']],
  ])('%s for %j', (wanted, argv) => {
    expect(outcome(...argv)).toBe(wanted);
  });

  it('compares real folders, however the workspace is named', () => {
    expect(decide(['cat', 'a'], { cwd: '/alias/ws2', root: '/alias/ws2' }).outcome).toBe('allow');
    expect(decide(['cat', '/real/ws2/a'], { cwd: '/alias/ws2', root: '/alias/ws2' }).outcome).toBe('allow');
    expect(decide(['ls'], { cwd: '/real', root: '/alias/ws2' }).outcome).toBe('deny');
  });

  it('keeps commands away from the state of the server, unless the workspace lies in it', () => {
    expect(decide(['ls', 'data'], { dataDir: '/ws/data' }).outcome).toBe('deny');
    expect(decide(['rm', '-rf', 'data'], { dataDir: '/ws/data/inner' }).outcome).toBe('deny');
    expect(decide(['ls', 'src'], { dataDir: '/ws/data' }).outcome).toBe('allow');
    expect(decide(['cat', 'README.md'], { dataDir: '/' }).outcome).toBe('allow');
  });

  it('shows each path once, where it really leads, with its role', () => {
    const [facts] = decide(['cp', 'inner', 'new.txt']).stages;
    expect(facts?.touches).toEqual([
      { kind: 'path', target: '/ws/src/app.ts', role: 'read', note: 'inside the workspace' },
      { kind: 'path', target: '/ws/new.txt', role: 'write', note: 'does not exist yet' },
    ]);
    expect(facts?.effects).toEqual(['read', 'write']);
  });

  it('is never more permissive when nothing is known of the disk', () => {
    for (const argv of [
      ['touch', '.git/x'],
      ['cat', '.env'],
      ['cat', '../x'],
      ['touch', '.husky/x'],
      ['rm', '-rf', '.'],
    ]) {
      const seen = decide(argv).outcome;
      const blind = decide(argv, { cwd: '/nowhere', root: '/nowhere' }).outcome;
      expect(OUTCOMES.indexOf(blind)).toBe(OUTCOMES.indexOf(seen));
    }
  });
});
