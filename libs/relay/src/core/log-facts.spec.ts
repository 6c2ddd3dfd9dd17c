import { readFileSync } from 'node:fs';
import type { LogEvent } from './host-types.js';
import { foldLog } from './log-facts.js';
import { resultOf } from './result.js';
import { statusOf } from './status.js';
import { titleFor } from './titles.js';

/** As a real host wrote it; runs of deltas are packed on disk and are not lines of the log. */
const LOG = readFileSync(new URL('../../../../test/support/sample-session.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LogEvent)
  .filter(({ seq }) => typeof seq === 'number');
const BUDGET = { items: 50, chars: 10_000 };

describe('a log of a real host', () => {
  const facts = foldLog(LOG);

  it('is folded into turns, calls and messages', () => {
    expect(facts.turns.map(({ end }) => end?.kind)).toEqual([
      ...['completed', 'completed', 'completed', 'completed', 'completed', 'aborted', 'aborted', 'completed', 'aborted', 'error'],
      ...['completed', 'completed'],
    ]);
    expect(facts.calls.find(({ callId }) => callId === 'call_1')).toMatchObject({
      command: 'echo hello-from-bash > out.txt && cat out.txt',
      result: { text: 'hello-from-bash\n', isError: false },
    });
    expect(facts.messages.filter(({ from }) => from === 'user').map(({ text }) => text)).toContain('DO_ASK me');
    expect(facts.messages.some(({ text }) => text.startsWith('Current runtime context'))).toBe(false);
    expect(facts.approvals.map(({ outcome }) => outcome)).toEqual(['allowed-once', 'rejected', 'cancelled']);
  });

  it('names the title that a person gave last, and no goal after it was cleared', () => {
    expect(titleFor(null, facts)).toEqual({ title: 'Named by a person', title_source: 'log' });
    expect(facts.goal).toBeNull();
    expect(facts.goalLines.map(({ operation }) => operation).slice(0, 3)).toEqual(['create', 'edit', 'pause']);
  });

  it('can be read again from anywhere without telling anything twice', () => {
    const again = foldLog([...LOG.slice(0, 60), ...LOG]);
    expect(again.turns).toEqual(facts.turns);
    expect(again.calls).toEqual(facts.calls);
    expect(again.tokens).toBe(facts.tokens);
  });

  it('leaves a session that is not loaded as its last turn ended', () => {
    expect(statusOf({ live: null, facts, goal: null, approvals: 0, questions: 0 })).toBe('completed');
    const cut = foldLog(LOG.filter(({ seq }) => seq < 112));
    expect(statusOf({ live: null, facts: cut, goal: null, approvals: 0, questions: 0 })).toBe('interrupted');
  });

  it('shows the same evidence ids at every reading', () => {
    const first = resultOf('session-1', facts, 0, BUDGET);
    expect(first?.evidence.map(({ id }) => id)).toContain('exec-session-1:call_1');
    expect(resultOf('session-1', facts, 0, BUDGET)).toEqual(first);
  });
});
