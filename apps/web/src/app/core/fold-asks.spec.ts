import type { AppEvent, Ask, AskId, PrincipalId, Vote, VoteId } from '#contracts';
import { byUrgency, foldAsk, foldAsks } from './fold-asks.js';
import { mayDecide } from './may-decide.js';

// Branded ids and partial rows: the folds read only the fields that stand here.
const ask = (id: string, more: Partial<Ask> = {}): Ask =>
  ({
    id: id as AskId,
    status: 'open',
    risk: 'low',
    votes: [],
    requester: 'bot',
    requesterPersonId: 'ann',
    notRequester: false,
    expiresAt: 100,
    createdAt: 0,
    ...more,
  }) as Ask;
const event = (body: object): AppEvent => ({ seq: 1, at: 42, owner: 'bot' as PrincipalId, sessionId: null, ...body }) as AppEvent;
const vote = (by: string, id = `v-${by}`): Vote => ({ id: id as VoteId, by: by as PrincipalId, answer: 'approve' }) as Vote;

describe('foldAsks', () => {
  const asks = new Map([['a' as AskId, ask('a')]]);

  it('adds an opened ask and drops a closed one', () => {
    const more = foldAsks(asks, event({ type: 'ask.opened', ask: ask('b') }));
    expect([...more.keys()]).toEqual(['a', 'b']);
    expect([...foldAsks(more, event({ type: 'ask.closed', askId: 'a', status: 'expired', by: null })).keys()]).toEqual(['b']);
  });

  it('adds a vote once, however often it is told', () => {
    const told = event({ type: 'ask.voted', askId: 'a', vote: vote('ann') });
    const twice = foldAsks(foldAsks(asks, told), told);
    expect(twice.get('a' as AskId)?.votes).toHaveLength(1);
  });

  it('is the same map when nothing concerns it', () => {
    expect(foldAsks(asks, event({ type: 'policy.changed', version: '2' }))).toBe(asks);
    expect(foldAsks(asks, event({ type: 'ask.closed', askId: 'z', status: 'denied', by: null }))).toBe(asks);
  });
});

describe('foldAsk', () => {
  it('keeps a closed ask with how and when it ended', () => {
    const closed = foldAsk(ask('a'), event({ type: 'ask.closed', askId: 'a', status: 'denied', by: 'ann' }));
    expect(closed).toMatchObject({ status: 'denied', resolvedAt: 42 });
  });
});

describe('byUrgency', () => {
  it('puts the highest risk first, then the one that ends soonest', () => {
    const list = [
      ask('low'),
      ask('late', { risk: 'high', expiresAt: 900 }),
      ask('soon', { risk: 'high', expiresAt: 50 }),
      ask('mid', { risk: 'medium' }),
    ];
    expect([...list].sort(byUrgency).map((one) => one.id)).toEqual(['soon', 'late', 'mid', 'low']);
  });
});

describe('mayDecide', () => {
  const person = (id: string, scopes: readonly string[] = []): Parameters<typeof mayDecide>[1] =>
    ({ id, kind: 'person', scopes, roles: [], name: id, channel: 'console', expiresAt: 0 }) as unknown as Parameters<typeof mayDecide>[1];

  it.each([
    ['an approver may', ask('a'), person('eve', ['approvals:decide']), 'yes'],
    ['the person behind the token may', ask('a'), person('ann'), 'yes'],
    [
      'the person behind the token may not when policy says so',
      ask('a', { notRequester: true }),
      person('ann', ['approvals:decide']),
      'own',
    ],
    ['a viewer may not', ask('a'), person('bob'), 'role'],
    ['nobody votes twice', ask('a', { votes: [vote('eve')] }), person('eve', ['approvals:decide']), 'voted'],
    ['a closed ask is closed', ask('a', { status: 'expired' }), person('eve', ['approvals:decide']), 'closed'],
    ['nobody is signed in', ask('a'), null, 'role'],
  ])('%s', (_title, one, me, expected) => {
    expect(mayDecide(one, me)).toBe(expected);
  });
});
