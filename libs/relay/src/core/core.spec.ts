import type { HostGoal } from './host-types.js';
import { newestWithin } from './budget.js';
import { provenKind, shownAs } from './command-kind.js';
import { Baselines } from './delta.js';
import { goalOutcome, goalStart, loopState, objectiveOf, revisedObjective } from './goal-wire.js';
import { verdictOn } from './guard.js';
import type { CallFact } from './log-facts.js';
import { minedCommand } from './mined-command.js';
import { needsPerson, statusOf } from './status.js';
import { tempResources } from './temp-resources.js';
import { testCounts } from './test-counts.js';
import { readQuestionId } from './waiting.js';

const GOAL: HostGoal = {
  id: 'goal-1',
  revision: 2,
  objective: 'x',
  phase: 'active',
  activation: 'armed',
  blockedReason: null,
  maxRounds: 3,
  roundsStarted: 1,
  createdAt: 0,
  updatedAt: 0,
};
const aCall = (change: Partial<CallFact> = {}): CallFact => ({
  callId: 'c',
  name: 'bash',
  arguments: '{}',
  turn: 1,
  seq: 1,
  at: 1,
  command: 'true',
  result: { text: '', isError: false, seq: 2, at: 2 },
  ...change,
});

it.each([
  ['npm test', 'test', 'test'],
  ['cd app && npx jest --ci', 'test', 'test'],
  ['CI=1 pytest -q', 'test', 'test'],
  ['echo "npm test"', 'test', 'other'],
  ['git commit -m "run jest"', 'commit', 'commit'],
  ['grep -r "git commit" .', 'commit', 'other'],
  ['git tag v1.2.0', 'tag', 'tag'],
  ['git tag -l', 'tag', 'other'],
] as const)('%s looks like %s and proves %s', (command, shown, proven) => {
  expect(shownAs(command)).toBe(shown);
  expect(provenKind(command)).toBe(proven);
});

it.each([
  ['Tests:       1 failed, 2 skipped, 40 passed, 43 total', { passed: 40, failed: 1, skipped: 2, total: 43 }],
  ['===== 3 passed, 1 failed in 0.12s =====', { passed: 3, failed: 1, skipped: 0, total: 4 }],
  ['test result: FAILED. 7 passed; 2 failed; 1 ignored; 0 measured', { passed: 7, failed: 2, skipped: 1, total: 10 }],
  ['# tests 5\n# pass 4\n# fail 1\n# skipped 0', { passed: 4, failed: 1, skipped: 0, total: 5 }],
  ['  12 passing (3s)\n  1 failing', { passed: 12, failed: 1, skipped: 0, total: 13 }],
  ['all is well', undefined],
])('counts what the output states: %s', (output, counts) => {
  expect(testCounts(output)).toEqual(counts);
});

it('mines a command only from what runs one, whatever a model writes', () => {
  expect(minedCommand('bash', '{"command":"ls"}')).toBe('ls');
  expect(minedCommand('write', '{"command":"ls"}')).toBeNull();
  expect(minedCommand('bash', '{"command":7}')).toBeNull();
  expect(minedCommand('bash', '{"command":')).toBeNull();
  expect(minedCommand('bash', null)).toBeNull();
});

it('says what waits for a person before what moves, and what moves before how it ended', () => {
  const facts = { turns: [], queued: 0 };
  expect(statusOf({ live: 'running', facts, goal: GOAL, approvals: 1, questions: 1 })).toBe('waiting_for_approval');
  expect(statusOf({ live: 'running', facts, goal: GOAL, approvals: 0, questions: 1 })).toBe('waiting_for_user');
  expect(statusOf({ live: 'idle', facts, goal: GOAL, approvals: 0, questions: 0 })).toBe('running');
  expect(statusOf({ live: 'idle', facts: { ...facts, queued: 1 }, goal: null, approvals: 0, questions: 0 })).toBe('queued');
  expect(statusOf({ live: 'idle', facts, goal: { ...GOAL, phase: 'blocked' }, approvals: 0, questions: 0 })).toBe('blocked');
  expect(statusOf({ live: null, facts, goal: GOAL, approvals: 0, questions: 0 })).toBe('idle');
  expect(needsPerson('blocked')).toBe(true);
});

it('asks to go on exactly while something moves and nobody is needed', () => {
  expect(loopState('s', 'running', GOAL, 9)).toEqual({
    continuation_required: true,
    next_tool_call: { name: 'dsh_wait_goal', arguments: { session_id: 's', since_seq: 9 } },
  });
  for (const status of ['waiting_for_approval', 'waiting_for_user', 'completed', 'blocked', 'idle'] as const)
    expect(loopState('s', status, GOAL, 9)).toEqual({ continuation_required: false, next_tool_call: null });
  expect(goalOutcome({ ...GOAL, activation: 'disarmed' }, 'failed')).toBe('disarmed');
  expect(goalOutcome({ ...GOAL, phase: 'complete' }, 'waiting_for_approval')).toBe('waiting_for_approval');
});

it('starts, reuses, resumes, replaces or revises a goal', () => {
  expect(goalStart(null, 'x')).toBe('create');
  expect(goalStart(GOAL, 'x')).toBe('reuse');
  expect(goalStart({ ...GOAL, activation: 'disarmed' }, 'x')).toBe('rearm');
  expect(goalStart({ ...GOAL, phase: 'complete' }, 'x')).toBe('replace');
  expect(goalStart(GOAL, 'y')).toBe('revise');
  expect(revisedObjective(objectiveOf('a', '1. b'), { plan: '1. c' })).toBe(objectiveOf('a', '1. c'));
  expect(revisedObjective(objectiveOf('a', '1. b'), { goal: 'd' })).toBe(objectiveOf('d', '1. b'));
});

it('finds temporary folders of successful commands below the workspace only', () => {
  const paths = (command: string, isError = false) =>
    tempResources('/ws', '/ws', [aCall({ command, result: { text: '', isError, seq: 2, at: 2 } })]).map(({ path }) => path);
  expect(paths('git worktree add -b x .worktrees/x')).toEqual(['/ws/.worktrees/x']);
  expect(paths('mkdir -p tmp/a')).toEqual(['/ws/tmp/a']);
  expect(paths('mkdir -p src/tmplate')).toEqual([]);
  expect(paths('mkdir -p tmp/a', true)).toEqual([]);
  expect(paths('mkdir -p /tmp/a')).toEqual([]);
  expect(paths('mkdir -p tmp/../../tmp/a')).toEqual([]);
  expect(paths('mkdir -p .git/tmp')).toEqual([]);
  expect(paths('mkdir "$X/tmp"')).toEqual([]);
});

it('pauses what is over its budget, fails again and again, or goes in circles', () => {
  const none = { maxTokens: null, maxMinutes: null };
  const use = { tokens: 100, minutes: 5 };
  expect(verdictOn(none, use, [])).toBeUndefined();
  expect(verdictOn({ ...none, maxTokens: 100 }, use, [])?.reason).toBe('tokens');
  expect(verdictOn({ ...none, maxMinutes: 5 }, use, [])?.reason).toBe('minutes');
  const failed = Array.from({ length: 5 }, (_, seq) =>
    aCall({ arguments: String(seq), result: { text: String(seq), isError: true, seq, at: seq } }),
  );
  expect(verdictOn(none, use, failed)?.reason).toBe('failures');
  expect(verdictOn(none, use, [...failed.slice(1), aCall()])).toBeUndefined();
  expect(
    verdictOn(
      none,
      use,
      Array.from({ length: 6 }, () => aCall()),
    )?.reason,
  ).toBe('loop');
});

it('keeps the newest within both bounds, and tells one item always', () => {
  const keep = (texts: readonly string[], items: number, chars: number) =>
    newestWithin(
      texts,
      { items, chars },
      (text) => text,
      (_, text) => text,
    );
  expect(keep(['aa', 'bb', 'cc'], 2, 100)).toEqual({ items: ['bb', 'cc'], truncated: true });
  expect(keep(['aa', 'bb', 'cc'], 9, 4)).toEqual({ items: ['bb', 'cc'], truncated: true });
  expect(keep(['abcdef'], 9, 4).items).toEqual(['abcd']);
});

it('goes on from the last look, and forgets the oldest', () => {
  const seen = new Baselines(1);
  expect(seen.move('a', 5)).toBe(0);
  expect(seen.move('a', 9)).toBe(5);
  expect(seen.move('b', 3)).toBe(0);
  expect(seen.move('a', 9)).toBe(0);
});

it('reads ids of questions, alone and in a batch', () => {
  expect(readQuestionId('question-0a1b2c3d')).toEqual({ tail: '0a1b2c3d', place: null });
  expect(readQuestionId('question-0a1b2c3d #2')).toEqual({ tail: '0a1b2c3d', place: 1 });
  expect(readQuestionId('question-x')).toBeUndefined();
});
