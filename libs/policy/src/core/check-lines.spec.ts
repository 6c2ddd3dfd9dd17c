import { FakeLook } from '../../../../test/support/fake-look.js';
import { PROJECT } from '../../../../test/support/policy-workspace.js';
import { checkLines } from './check-lines.js';

const look = new FakeLook(PROJECT);

function outcomes(...lines: unknown[]): readonly string[] {
  return checkLines(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'), look).map(
    ({ outcome }) => outcome,
  );
}

describe('checking a file of commands', () => {
  it('answers each line in order, with reasons and rules side by side', () => {
    const answers = checkLines(
      [
        { id: 'a', mode: 'inspect', workspace: '/ws', cwd: '/ws', argv: ['git', 'status'] },
        { id: 2, mode: 'confirm', workspace: '/ws', cwd: 'src', command: 'touch x && ls' },
        { id: 'c', mode: 'trusted', workspace: '/not/there', argv: ['sudo', 'x'] },
      ]
        .map((line) => JSON.stringify(line))
        .join('\r\n'),
      look,
    );
    expect(answers.map(({ id, outcome, risk }) => [id, outcome, risk])).toEqual([
      ['a', 'allow', 'low'],
      [2, 'ask', 'medium'],
      ['c', 'deny', 'blocked'],
    ]);
    for (const { reasons, rules } of answers) {
      expect(reasons.length).toBeGreaterThan(0);
      expect(rules).toHaveLength(reasons.length);
    }
  });

  it.each(['{', '[]', 'null', '"x"', '{"id":1}', '{"id":"x","workspace":"rel","argv":["ls"]}'])(
    'denies the line %s and goes on',
    (line) => {
      expect(outcomes(line, { id: 'b', mode: 'inspect', workspace: '/ws', argv: ['ls'] })).toEqual(['deny', 'allow']);
    },
  );

  it.each([
    { mode: 'other', workspace: '/ws', argv: ['ls'] },
    { mode: 'confirm', workspace: '/ws', argv: ['ls'], command: 'ls' },
    { mode: 'confirm', workspace: '/ws' },
    { mode: 'confirm', workspace: '/ws', argv: 'ls' },
    { mode: 'confirm', workspace: '/ws', argv: ['ls', 1] },
    { mode: 'confirm', workspace: '/ws', argv: [] },
    { mode: 'confirm', workspace: '/ws', argv: [''] },
    { mode: 'confirm', workspace: '/ws', command: 'ls $(id)' },
    { mode: 'confirm', workspace: '/ws', cwd: '/etc', argv: ['ls'] },
    { mode: 'confirm', workspace: '/ws', argv: ['ls'], env: { LD_PRELOAD: 'x' } },
    { mode: 'confirm', workspace: '/ws', argv: ['ls'], env: ['x'] },
    { mode: 'confirm', workspace: '/ws', argv: ['ls'], requested_env: { GIT_EXTERNAL_DIFF: 'x' } },
  ])('denies %j', (line) => {
    expect(outcomes({ id: 1, ...line })).toEqual(['deny']);
  });

  it('answers quickly whatever a long word is made of', () => {
    for (const unit of ['[', 'a/', '../', '\\', '(', '\n', '\t', '@', 's/', '/"/', '=', ':']) {
      const word = unit.repeat(Math.floor(32_000 / unit.length));
      for (const argv of [
        ['sed', word],
        ['awk', word],
        ['jq', word],
        ['cat', word],
        ['bash', '-c', word],
        ['git', 'clone', word],
        ['env', word],
        [word],
      ]) {
        const begun = performance.now();
        outcomes({ mode: 'trusted', workspace: '/ws', argv });
        expect(performance.now() - begun).toBeLessThan(2_000);
      }
    }
  });

  it('does not depend on what is there', () => {
    const rows = [['npm', 'test'], ['git', 'status'], ['rm', 'x'], ['rg', 'x'], ['unknown']];
    for (const argv of rows) {
      expect(outcomes({ mode: 'trusted', workspace: '/nowhere/at/all', argv })).toEqual(
        outcomes({ mode: 'trusted', workspace: '/ws', argv }),
      );
    }
  });
});
