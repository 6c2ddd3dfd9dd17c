import { readFileSync } from 'node:fs';
import { MODES } from '#contracts';
import { FakeLook } from '../../../../test/support/fake-look.js';
import { PROJECT, WORKSPACE } from '../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from './base-policy.js';
import { parseCommand } from './command/parse.js';
import { decideCommand } from './decide.js';

const look = new FakeLook(PROJECT);
const where = { cwd: WORKSPACE, root: WORKSPACE };
const LETTERS = { allow: 'A', ask: '?', deny: 'D' } as const;

const rows = readFileSync(new URL('../../../../test/policy/kinds.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^[AD?]{3} /.test(line))
  .map((line): [string, string] => [line.slice(0, 3), line.slice(4)]);

function letters(command: string): string {
  const parsed = parseCommand(command, where, look);
  if (!parsed.ok) return 'DDD';
  return MODES.map((mode) => {
    const question = { ...where, stages: parsed.value, command, mode, env: {}, toolPaths: [], sandbox: 'full' as const };
    return LETTERS[decideCommand(question, look, BASE_POLICY).outcome];
  }).join('');
}

describe('the table of kinds', () => {
  it('has many rows of every kind', () => {
    for (const kind of ['AAA', 'D?A', 'D??', 'DDD']) expect(rows.filter(([wanted]) => wanted === kind).length).toBeGreaterThan(100);
  });

  it.each(rows)('%s %s', (wanted, command) => {
    expect(letters(command)).toBe(wanted);
  });

  it('never calls an unknown tool or option low or understood', () => {
    for (const command of ['unknown-tool', 'ls --unknown-option', 'git frobnicate', 'npm frobnicate', 'find . -unknown']) {
      const parsed = parseCommand(command, where, look);
      const stages = parsed.ok ? parsed.value : [];
      const decision = decideCommand(
        { ...where, stages, command, mode: 'trusted', env: {}, toolPaths: [], sandbox: 'full' },
        look,
        BASE_POLICY,
      );
      expect(decision.outcome).toBe('ask');
      expect(decision.risk).not.toBe('low');
      expect(decision.stages[0]?.understood).toBe(false);
    }
  });
});
