import fc from 'fast-check';
import { refuseShape } from './body-shape.js';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('refuseShape', () => {
  it.each([
    ['a plain message', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { a: [1, 2, { b: null }] } }, undefined],
    ['a body that is not JSON', undefined, undefined],
    ['64 levels', nested(64), undefined],
    ['65 levels', nested(65), 'The message is nested deeper than 64 levels'],
    ['16 messages', Array(16).fill({}), undefined],
    ['17 messages', Array(17).fill({}), 'A batch may hold 16 messages'],
    ['20,001 values', { a: Array(20_000).fill(0) }, 'The message holds more than 20000 values'],
  ])('judges %s', (_name, body, expected) => {
    expect(refuseShape(body)).toBe(expected);
  });

  it('walks a body of any depth without running out of stack', () => {
    expect(refuseShape(nested(120_000))).toContain('nested deeper');
  });

  it('never refuses what is shallow and small', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 10 }), (text) => refuseShape({ body: JSON.parse(text) as unknown }) === undefined));
  });
});
