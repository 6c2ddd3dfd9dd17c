import type { ReceiptFile } from '#contracts';
import { ALL_FIELDS, digestFields, leafFields, leafHashOf, wholeLeaf, type FieldDigests, type LeafContent } from './leaf.js';
import { ADDED, isMarker, REMADE } from './share.js';

type Verdict = readonly [ok: boolean, detail: string];

/** Rebuilds the ledger entry from the file: of every field that is shown, and of the digests of those that are hidden. */
export function checkLeaf({ receipt, evidence, proof: { envelope, ledger } }: ReceiptFile): Verdict {
  const content = { receipt, evidence, envelope };
  return ledger.digests ? checkShared(leafFields(content), ledger.digests, ledger) : checkWhole(content, ledger);
}

function checkWhole(content: LeafContent, { salts, leafHash }: ReceiptFile['proof']['ledger']): Verdict {
  const { [ALL_FIELDS]: seed, ...others } = salts;
  if (seed === undefined || Object.keys(others).length > 0) return [false, 'The salts do not fit a complete file'];
  const { hash, fields } = wholeLeaf(content, seed);
  return hash === leafHash
    ? [true, `The ledger entry commits to all ${String(fields)} fields`]
    : [false, 'The ledger entry commits to other content'];
}

function checkShared(
  fields: ReadonlyMap<string, unknown>,
  hidden: FieldDigests,
  { salts, leafHash }: ReceiptFile['proof']['ledger'],
): Verdict {
  const shown = new Map([...fields].filter(([pointer]) => !ADDED.has(pointer) && !(pointer in hidden)));
  const lying = [...fields].find(([pointer, value]) => pointer in hidden && !REMADE.has(pointer) && !isMarker(value));
  if (lying) return [false, `${lying[0]} shows a value that the ledger entry does not back`];
  const unbacked = [...shown.keys()].find((pointer) => salts[pointer] === undefined);
  if (unbacked !== undefined) return [false, `${unbacked} has no salt, so nothing backs it`];
  if (Object.keys(salts).length !== shown.size) return [false, 'There are salts for fields that the file does not have'];
  const digests = { ...hidden, ...digestFields(shown, (pointer) => salts[pointer] ?? '') };
  return leafHashOf(digests) === leafHash
    ? [true, `The ledger entry backs ${String(shown.size)} shown fields; ${String(Object.keys(hidden).length)} are hidden`]
    : [false, 'The ledger entry commits to other content'];
}
