import type { Ask, Principal, StageFacts } from '#contracts';
import { dockView, needsSecondStep } from './dock-state.js';
import type { DockFacts } from './dock-state.js';

// Partial rows: the fold reads only the fields that stand here.
const ask = { status: 'open', risk: 'low', votes: [], requester: 'bot', requesterPersonId: null, notRequester: false } as unknown as Ask;
const me = { id: 'eve', kind: 'person', scopes: ['approvals:decide'] } as unknown as Principal;
const facts: DockFacts = { ask, me, isFresh: true, isSeen: true, step: 'idle' };

describe('the dock', () => {
  it.each([
    ['is ready', {}, { kind: 'ready' }],
    ['shows how it ended, whatever the person does', { ask: { ...ask, status: 'expired' }, step: 'second' }, { kind: 'closed' }],
    ['is off while the facts may be old', { isFresh: false }, { kind: 'off', why: 'away' }],
    ['is off while the plan is not drawn', { isSeen: false }, { kind: 'off', why: 'unseen' }],
    ['is off without the right', { me: { ...me, scopes: [] } }, { kind: 'off', why: 'role' }],
    ['is off after my vote', { ask: { ...ask, votes: [{ by: 'eve' }] }, step: 'approve' }, { kind: 'off', why: 'voted' }],
    ['says that it is sending until the server has spoken', { step: 'approve' }, { kind: 'sending', answer: 'approve' }],
    ['keeps sending when the connection goes meanwhile', { step: 'deny', isFresh: false }, { kind: 'sending', answer: 'deny' }],
    ['shows the second step', { step: 'second' }, { kind: 'second' }],
  ] as unknown as readonly (readonly [string, Partial<DockFacts>, object])[])('%s', (_title, change, expected) => {
    expect(dockView({ ...facts, ...change })).toEqual(expected);
  });

  it('signs high risk in a second step', () => {
    expect([needsSecondStep(ask), needsSecondStep({ ...ask, risk: 'high' })]).toEqual([false, true]);
  });

  it.each([
    ['inline code', { understood: true, effects: ['execute_inline'] }, true],
    ['raised rights', { understood: true, effects: ['read', 'privilege'] }, true],
    ['signals to processes', { understood: true, effects: ['process'] }, true],
    ['what was not understood', { understood: false, effects: ['read'] }, true],
    ['an ordinary write', { understood: true, effects: ['read', 'write'] }, false],
  ] as unknown as readonly (readonly [string, StageFacts, boolean])[])(
    'asks twice about %s, whatever its risk: %#',
    (_title, stage, twice) => {
      expect(needsSecondStep(ask, [stage])).toBe(twice);
    },
  );
});
