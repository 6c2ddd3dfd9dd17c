import { growthWithoutProof, growthWithProof, mayRemember } from './growth.js';

const head = (size: number, rootHash = 'aa', origin = 'countersign/ledger/1') => ({ origin, size, rootHash });
const known = (size: number, rootHash = 'aa', origin = 'countersign/ledger/1') => ({ ...head(size, rootHash, origin), at: 1 });

describe('what a browser says about the ledger since it last looked', () => {
  it('needs no proof where sizes or names say it', () => {
    expect(growthWithoutProof(undefined, head(3))).toEqual({ is: 'first' });
    expect(growthWithoutProof(known(3), head(3))?.is).toBe('same');
    expect(growthWithoutProof(known(3), head(3, 'bb'))?.is).toBe('changed');
    expect(growthWithoutProof(known(4), head(3))?.is).toBe('shrank');
    expect(growthWithoutProof(known(3), head(3, 'aa', 'countersign/ledger/2'))?.is).toBe('other');
    expect(growthWithoutProof(known(3), head(5))).toBeUndefined();
  });

  it('believes no proof that does not hold, and then keeps what it knew', () => {
    expect(growthWithProof(known(3), head(5), { hashes: [] }, () => true).is).toBe('grew');
    const changed = growthWithProof(known(3), head(5), { hashes: [] }, () => false);
    expect([changed.is, mayRemember(changed)]).toEqual(['changed', false]);
  });
});
