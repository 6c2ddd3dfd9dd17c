import type { AppEvent, Ask } from '#contracts';
import { byUrgency, foldAsk } from '../../core/fold-asks.js';

/** What the list shows, and what came since and waits to be shown. Nothing moves under a pointer. */
export interface InboxList {
  readonly shown: readonly Ask[];
  readonly fresh: readonly Ask[];
}

export function beginInbox(asks: readonly Ask[]): InboxList {
  return { shown: [...asks].sort(byUrgency), fresh: [] };
}

/** Folds one event: a new ask waits behind the button, a closed one stays in its place as its outcome. Pure. */
export function foldInbox(list: InboxList, event: AppEvent): InboxList {
  if (event.type === 'ask.opened') return opened(list, event.ask);
  if (event.type === 'ask.closed' && list.fresh.some((ask) => ask.id === event.askId))
    return { ...list, fresh: list.fresh.filter((ask) => ask.id !== event.askId) };
  if (event.type !== 'ask.closed' && event.type !== 'ask.voted') return list;
  return { shown: list.shown.map((ask) => foldAsk(ask, event)), fresh: list.fresh.map((ask) => foldAsk(ask, event)) };
}

function opened(list: InboxList, ask: Ask): InboxList {
  if ([...list.shown, ...list.fresh].some((one) => one.id === ask.id)) return list;
  // An empty list has nothing that could slip away from under a pointer.
  if (list.shown.length === 0) return { shown: [ask], fresh: list.fresh };
  return { ...list, fresh: [...list.fresh, ask] };
}

/** Shows what came, in its place by urgency, and lets go of what was decided. */
export function showFresh(list: InboxList): InboxList {
  return beginInbox([...list.shown.filter((ask) => ask.status === 'open'), ...list.fresh]);
}

/** Lets go of decided asks; called when pointer and focus have left the list. */
export function settle(list: InboxList): InboxList {
  const open = list.shown.filter((ask) => ask.status === 'open');
  return open.length === list.shown.length ? list : { ...list, shown: open };
}
