import fc from 'fast-check';
import { newId } from './id.js';

it('makes UUIDs of version 7 that carry the time', () => {
  const before = Date.now();
  const id = newId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now() + 100);
});

it('sorts ids in the order they were made and repeats none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), (count) => {
      const ids = Array.from({ length: count }, () => newId<string>());
      expect(new Set(ids).size).toBe(count);
      expect(ids.toSorted()).toEqual(ids);
    }),
    { numRuns: 20 },
  );
});
