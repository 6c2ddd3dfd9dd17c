import type { Page, PersonInfo, Plan, ReceiptSummary, Snapshot } from '#contracts';
import { queryOf, type Api } from '../core/api.js';
import { oneLine } from '../core/text/argv-text.js';
import type { WordKey } from '../core/words.js';
import type { Shape } from '../shared/shapes.js';

/** One thing that the search can open. Its texts come from outside and are drawn spelled. */
export interface Found {
  readonly word: WordKey;
  readonly shape: Shape;
  readonly text: string;
  readonly more: string;
  readonly link: string;
}

const MOST_PLANS = 100;
const MOST_RECEIPTS = 8;

/** Plans are compared here, since the server lists them by time only. */
export async function findPlans(api: Api, text: string): Promise<readonly Found[]> {
  const { items } = await api.get<Page<Plan>>(`plans${queryOf({ limit: MOST_PLANS })}`);
  return items
    .map((plan) => ({ plan, line: oneLine(plan.body.stages) }))
    .filter(({ plan, line }) => holds(`${line} ${plan.ownerName} ${plan.id}`, text))
    .map(({ plan, line }) => ({ word: 'found_plan', shape: 'planned', text: line, more: plan.ownerName, link: `/plans/${plan.id}` }));
}

export async function findReceipts(api: Api, text: string): Promise<readonly Found[]> {
  const { items } = await api.get<Page<ReceiptSummary>>(`receipts${queryOf({ q: text, limit: MOST_RECEIPTS })}`);
  return items.map((one) => ({
    word: 'receipt',
    shape: 'receipt',
    text: one.command || one.summary,
    more: `${String(one.index)} · ${one.requesterName}`,
    link: `/receipts/${one.id}`,
  }));
}

export async function findPeople(api: Api, text: string): Promise<readonly Found[]> {
  const { items } = await api.get<Snapshot<PersonInfo>>('people');
  return items
    .filter(({ name }) => holds(name, text))
    .map(({ name, roles }) => ({ word: 'people', shape: 'person', text: name, more: roles.join(', '), link: '/admin/people' }));
}

/** Every word stands somewhere in it. Pure. */
export function holds(whole: string, text: string): boolean {
  const held = whole.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => held.includes(word));
}
