import { stacked } from './stacked.js';

describe('stacked', () => {
  it('gives every name a value for every step, and puts what is most first', () => {
    const items = [
      { at: 10, name: 'failed', count: 1 },
      { at: 20, name: 'succeeded', count: 5 },
    ];
    expect(stacked({ stepMs: 10, items }, { ms: 30, stepMs: 10 }, 30)).toEqual({
      steps: [0, 10, 20],
      names: ['succeeded', 'failed'],
      values: [
        [0, 0, 5],
        [0, 1, 0],
      ],
    });
  });
});
