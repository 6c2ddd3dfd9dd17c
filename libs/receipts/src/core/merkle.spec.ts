import fc from 'fast-check';

import {
  appendLeaf,
  consistencyPlaces,
  consistencyProof,
  EMPTY_ROOT,
  inclusionPlaces,
  inclusionProof,
  leafHash,
  nodeHash,
  rootOf,
  rootPlaces,
  verifyConsistency,
  verifyInclusion,
  type NodePlace,
  type ReadNode,
} from './merkle.js';
import { sha256Hex } from './primitives.js';

interface Log {
  readonly roots: readonly string[];
  readonly leaves: readonly string[];
  readonly edge: readonly string[];
  readonly read: ReadNode;
  readonly hasNode: (place: NodePlace) => boolean;
}

/** A log grown leaf by leaf, as the ledger grows. */
function grow(size: number, leaf = (index: number): string => leafHash(String(index))): Log {
  const nodes = new Map<string, string>();
  const roots = [EMPTY_ROOT];
  const leaves: string[] = [];
  let edge: readonly string[] = [];
  for (let index = 0; index < size; index += 1) {
    leaves.push(leaf(index));
    const next = appendLeaf(index, edge, leaves[index] ?? '');
    for (const node of next.nodes) nodes.set(`${String(node.level)}/${String(node.index)}`, node.hash);
    edge = next.edge;
    roots.push(rootOf(edge));
  }
  const read: ReadNode = ({ level, index }) => {
    const hash = nodes.get(`${String(level)}/${String(index)}`);
    if (hash === undefined) throw new Error(`no node ${String(level)}/${String(index)}`);
    return hash;
  };
  return { roots, leaves, edge, read, hasNode: ({ level, index }) => nodes.has(`${String(level)}/${String(index)}`) };
}

/** The definition of RFC 9162, word for word. */
function treeHash(leaves: readonly string[]): string {
  if (leaves.length <= 1) return leaves[0] ?? EMPTY_ROOT;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

const LOG = grow(260);

describe('Merkle log', () => {
  it('gives the roots of the published test vectors', () => {
    // Certificate Transparency's reference inputs and roots.
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const { roots } = grow(8, (index) => sha256Hex(Buffer.from(`00${inputs[index] ?? ''}`, 'hex')));
    expect(roots).toEqual([
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
  });

  it('gives the root that the definition gives, at every size', () => {
    LOG.roots.forEach((root, size) => {
      expect(root).toBe(treeHash(LOG.leaves.slice(0, size)));
    });
  });

  it('stores every node that a proof reads, and only names those', () => {
    for (let size = 1; size <= 70; size += 1) {
      expect(rootPlaces(size).every(LOG.hasNode)).toBe(true);
      for (let index = 0; index < size; index += 1) expect(inclusionPlaces(index, size).every(LOG.hasNode)).toBe(true);
      for (let old = 0; old <= size; old += 1) expect(consistencyPlaces(old, size).every(LOG.hasNode)).toBe(true);
    }
  });

  it('proves that each entry stands in each later head, and in no other way', () => {
    const size = fc.integer({ min: 1, max: 260 });
    const sizeAndIndex = size.chain((most) => fc.tuple(fc.constant(most), fc.integer({ min: 0, max: most - 1 })));
    fc.assert(
      fc.property(sizeAndIndex, fc.nat(), fc.nat(), ([most, index], other, spot) => {
        const proof = inclusionProof(index, most, LOG.read);
        const leaf = LOG.leaves[index] ?? '';
        const root = LOG.roots[most] ?? '';
        expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(most)));
        expect(verifyInclusion(index, most, leaf, proof, root)).toBe(true);
        const wrongIndex = other % (most + 3);
        if (wrongIndex !== index) expect(verifyInclusion(wrongIndex, most, leaf, proof, root)).toBe(false);
        expect(verifyInclusion(index, most, leafHash('other'), proof, root)).toBe(false);
        expect(verifyInclusion(index, most, leaf, [...proof, root], root)).toBe(false);
        if (proof.length > 0) {
          const broken = proof.map((hash, at) => (at === spot % proof.length ? leafHash('x') : hash));
          expect(verifyInclusion(index, most, leaf, broken, root)).toBe(false);
          expect(verifyInclusion(index, most, leaf, proof.slice(1), root)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('proves that a later head goes on from an earlier one, and refuses a fork', () => {
    const fork = grow(260, (index) => leafHash(index < 100 ? String(index) : `other ${String(index)}`));
    const sizes = fc.integer({ min: 0, max: 260 }).chain((size) => fc.tuple(fc.integer({ min: 0, max: size }), fc.constant(size)));
    fc.assert(
      fc.property(sizes, ([old, size]) => {
        const proof = consistencyProof(old, size, LOG.read);
        expect(verifyConsistency(old, size, LOG.roots[old] ?? '', LOG.roots[size] ?? '', proof)).toBe(true);
        const forkedProof = consistencyProof(old, size, fork.read);
        const isFork = old > 100;
        expect(verifyConsistency(old, size, LOG.roots[old] ?? '', fork.roots[size] ?? '', forkedProof)).toBe(!isFork);
        if (old > 0 && old < size) {
          expect(verifyConsistency(old, size, leafHash('x'), LOG.roots[size] ?? '', proof)).toBe(false);
          expect(verifyConsistency(old, size, LOG.roots[old] ?? '', LOG.roots[size] ?? '', proof.slice(1))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('writes two nodes for an entry on average, and keeps a short edge', () => {
    expect(LOG.edge.length).toBeLessThanOrEqual(Math.ceil(Math.log2(260)) + 1);
    expect(appendLeaf(4, ['a'.repeat(64)], 'b'.repeat(64)).nodes).toHaveLength(1);
  });
});
