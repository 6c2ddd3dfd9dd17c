import type { WordKey } from '../core/words.js';
import type { Shape } from '../shared/shapes.js';

export interface NavItem {
  readonly link: string;
  readonly word: WordKey;
  readonly shape: Shape;
  /** Which count stands beside it. */
  readonly count?: 'asks' | 'runs';
  /** Other addresses that belong to it. */
  readonly also?: readonly string[];
}

export interface NavGroup {
  readonly word: WordKey;
  readonly items: readonly NavItem[];
}

/** Only pages that exist; what a role may not open is left out by the pages themselves. */
export const NAV: readonly NavGroup[] = [
  {
    word: 'nav_work',
    items: [
      { link: '/', word: 'home', shape: 'home' },
      { link: '/inbox', word: 'inbox', shape: 'inbox', count: 'asks', also: ['/asks'] },
      { link: '/live', word: 'live_work', shape: 'live', count: 'runs', also: ['/runs', '/plans'] },
    ],
  },
  { word: 'nav_evidence', items: [{ link: '/receipts', word: 'receipts', shape: 'receipt' }] },
  {
    word: 'nav_control',
    items: [
      { link: '/policy/rules', word: 'policy', shape: 'policy', also: ['/policy'] },
      { link: '/admin/tokens', word: 'admin', shape: 'admin', also: ['/admin'] },
    ],
  },
];

/** True when an address belongs to an item of the navigation. */
export function isAt(item: NavItem, url: string): boolean {
  const path = url.split(/[?#]/)[0] ?? '';
  if (item.link === '/') return path === '/';
  return [item.link, ...(item.also ?? [])].some((start) => path === start || path.startsWith(`${start}/`));
}
