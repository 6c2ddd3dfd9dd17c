import type { AppEvent, Ask, AskId } from '#contracts';
import { beginInbox, foldInbox, settle, showFresh } from './fold-inbox.js';

// Partial rows: the folds read only the fields that stand here.
const ask = (id: string, risk: Ask['risk'] = 'low'): Ask =>
  ({ id: id as AskId, risk, status: 'open', votes: [], expiresAt: 10, createdAt: 0 }) as unknown as Ask;
const event = (body: object): AppEvent => ({ seq: 1, at: 5, ...body }) as unknown as AppEvent;
const ids = (asks: readonly Ask[]): string => asks.map((one) => one.id).join(' ');

describe('the inbox list', () => {
  const list = beginInbox([ask('a'), ask('b', 'high')]);

  it('begins with the highest risk', () => {
    expect(ids(list.shown)).toBe('b a');
  });

  it('keeps a new ask behind the button until it is shown', () => {
    const later = foldInbox(list, event({ type: 'ask.opened', ask: ask('c', 'high') }));
    expect([ids(later.shown), ids(later.fresh)]).toEqual(['b a', 'c']);
    expect(ids(showFresh(later).shown)).toBe('b c a');
  });

  it('shows a new ask at once when nothing else is there', () => {
    expect(ids(foldInbox(beginInbox([]), event({ type: 'ask.opened', ask: ask('c') })).shown)).toBe('c');
  });

  it('takes an ask once, however often it is told', () => {
    const twice = [0, 1].reduce((now) => foldInbox(now, event({ type: 'ask.opened', ask: ask('c') })), list);
    expect(ids(twice.fresh)).toBe('c');
  });

  it('keeps a decided ask in its place until the list is left', () => {
    const decided = foldInbox(list, event({ type: 'ask.closed', askId: 'b', status: 'approved', by: 'eve' }));
    expect(decided.shown.map((one) => one.status)).toEqual(['approved', 'open']);
    expect(ids(settle(decided).shown)).toBe('a');
  });

  it('forgets a new ask that was decided before it was shown', () => {
    const fresh = foldInbox(list, event({ type: 'ask.opened', ask: ask('c') }));
    expect(ids(foldInbox(fresh, event({ type: 'ask.closed', askId: 'c', status: 'cancelled', by: null })).fresh)).toBe('');
  });
});
