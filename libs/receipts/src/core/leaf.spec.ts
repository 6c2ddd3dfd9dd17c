import fc from 'fast-check';
import type { Evidence, Receipt10 } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { digestFields, leafFields, leafHashOf, saltOf, WholeLeaf, type LeafContent } from './leaf.js';

const SEED = 'ab'.repeat(32);
const name = fc.constantFrom('a', 'a-b', 'a/b', 'a~b', 'policy', 'stages', 'stdout', '__proto__', 'toString', 'é', '😀');
const value = fc.jsonValue({ maxDepth: 2 });
const record = fc.dictionary(name, value, { maxKeys: 6 });
const content = fc.record({
  receipt: fc.option(record.map((parts) => ({ ...parts, policy: parts }) as unknown as Receipt10)), // any value has a leaf
  evidence: fc
    .tuple(record, fc.array(record, { maxLength: 14 }))
    .map(([parts, stages]) => ({ ...parts, policy: parts, stages }) as unknown as Evidence),
});
const envelope: LeafContent['envelope'] = { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [] };

describe('the leaf of a whole receipt', () => {
  it('is the leaf over the salted digest of every field, and gives both texts on the way', () => {
    fc.assert(
      fc.property(content, ({ receipt, evidence }) => {
        const whole = { receipt, evidence, envelope };
        const fields = leafFields(whole);
        const leaf = new WholeLeaf(whole, SEED);
        expect(leaf.hash(envelope)).toBe(leafHashOf(digestFields(fields, (pointer) => saltOf(SEED, pointer))));
        expect(leaf.fields).toBe(fields.size);
        expect(leaf.texts).toEqual({ receipt: receipt && canonicalJson(receipt), evidence: canonicalJson(evidence) });
      }),
    );
  });
});
