import type { AppEvent, Ask, AskId, Risk } from '#contracts';

export type AskMap = ReadonlyMap<AskId, Ask>;

/** Folds one server event into the asks. Pure; a closed ask leaves, what does not concern asks changes nothing. */
export function foldAsks(asks: AskMap, event: AppEvent): AskMap {
  if (event.type === 'ask.opened') return new Map(asks).set(event.ask.id, event.ask);
  if (event.type === 'ask.closed') {
    if (!asks.has(event.askId)) return asks;
    return new Map([...asks].filter(([id]) => id !== event.askId));
  }
  if (event.type !== 'ask.voted') return asks;
  const ask = asks.get(event.askId);
  return ask === undefined ? asks : new Map(asks).set(ask.id, foldAsk(ask, event));
}

/** Folds one event into one ask, and keeps it when it closes: how it ended is part of it. */
export function foldAsk(ask: Ask, event: AppEvent): Ask {
  if (event.type === 'ask.voted' && event.askId === ask.id) {
    if (ask.votes.some((vote) => vote.id === event.vote.id)) return ask;
    return { ...ask, votes: [...ask.votes, event.vote] };
  }
  if (event.type === 'ask.closed' && event.askId === ask.id) return { ...ask, status: event.status, resolvedAt: event.at };
  return ask;
}

const WEIGHT: Readonly<Record<Risk, number>> = { blocked: 3, high: 2, medium: 1, low: 0 };

/** Highest risk first, then the one that ends soonest. */
export function byUrgency(a: Ask, b: Ask): number {
  return WEIGHT[b.risk] - WEIGHT[a.risk] || a.expiresAt - b.expiresAt || a.createdAt - b.createdAt;
}
