import type { ProviderRow } from '#contracts';
import { categoriesOf, found, searched } from './find-providers.js';

const rows = Array.from({ length: 1_400 }, (_, at): ProviderRow => {
  const category = `cat_${String(at % 12)}`;
  return {
    ...{ service: `service_${String(at)}`, name: `Service ${String(at)}`, iconUrl: null, homepageUrl: null, accounts: 0 },
    ...{ categories: [{ id: category, name: category }], authTypes: at % 2 === 0 ? ['api_key'] : ['oauth2'] },
    state: at < 3 ? 'connected' : 'not_connected',
  };
});
const all = { text: '', category: '', auth: '', state: '' } as const;

it('finds by name, service and category, and narrows by each filter', () => {
  const list = searched(rows);
  expect(found(list, all)).toHaveLength(1_400);
  expect(found(list, { ...all, text: 'SERVICE 77' }).map(({ service }) => service)).toContain('service_77');
  expect(found(list, { ...all, state: 'connected' })).toHaveLength(3);
  expect(found(list, { ...all, category: 'cat_1', auth: 'oauth2' }).every(({ authTypes }) => authTypes[0] === 'oauth2')).toBe(true);
  expect(categoriesOf(rows)).toHaveLength(12);
});

it('searches 1,400 providers in well under 100 ms', () => {
  const list = searched(rows);
  const startedAt = performance.now();
  found(list, { ...all, text: 'service 13 cat' });
  expect(performance.now() - startedAt).toBeLessThan(100);
});
