import { isFiltered, toFilter, type ReceiptQuery } from './receipt-query.js';

const nothing: ReceiptQuery = { q: '', outcome: '', kind: '', verdict: '', tool: '', workspace: '', time: '' };

describe('what the list of receipts asks for', () => {
  it('counts a time back from now, and takes no strange one', () => {
    expect(toFilter({ ...nothing, time: 'day', tool: 'git' }, 100 * 86_400_000)).toMatchObject({ tool: 'git', from: 99 * 86_400_000 });
    expect(toFilter({ ...nothing, time: 'toString' }, 1)).toMatchObject({ from: null });
  });

  it('knows when it asks for everything', () => {
    expect(isFiltered(nothing)).toBe(false);
    expect(isFiltered({ ...nothing, kind: 'run' })).toBe(true);
  });
});
