import * as fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  it('takes turns between owners, and keeps the order of each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
    expect(Array.from({ length: 7 }, () => queue.next())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  it('says truly how many are ahead, whoever leaves in between', () => {
    const moves = fc.array(fc.tuple(fc.constantFrom('add', 'next', 'remove'), fc.constantFrom('a', 'b', 'c'), fc.nat(30)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(moves, (all) => {
        const queue = new FairQueue<string>();
        const waiting = new Set<string>();
        all.forEach(([move, owner, pick], index) => {
          const chosen = [...waiting][pick % Math.max(1, waiting.size)];
          if (move === 'add') {
            queue.add(owner, `${owner}${String(index)}`);
            waiting.add(`${owner}${String(index)}`);
          } else if (move === 'next') waiting.delete(queue.next() ?? '');
          else if (chosen !== undefined && queue.remove(chosen)) waiting.delete(chosen);
        });
        expect(queue.size).toBe(waiting.size);
        const ahead = new Map([...waiting].map((item) => [item, queue.ahead(item)]));
        for (let turn = 0; queue.size > 0; turn += 1) expect(ahead.get(queue.next() ?? '')).toBe(turn);
      }),
    );
  });

  it('knows nothing of what does not wait', () => {
    const queue = new FairQueue<string>();
    expect([queue.next(), queue.remove('x'), queue.ahead('x'), queue.size]).toEqual([undefined, false, null, 0]);
  });
});
