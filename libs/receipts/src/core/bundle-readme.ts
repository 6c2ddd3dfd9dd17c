import type { BundleAbout } from './bundle-format.js';

/** The page for people in a bundle. Equal bundles have equal pages. */
export function bundleReadme(
  { ledger, form, complete, first, last, receipts, checkpoint, selection, reveal }: BundleAbout,
  fingerprint: string,
): string {
  const chosen = Object.entries(selection).map(([name, value]) => `  ${name}: ${value}`);
  const lines = [
    'COUNTERSIGN EVIDENCE',
    '',
    `Ledger       ${ledger}`,
    `Receipts     ${String(receipts)}${first === null ? '' : `, entries ${String(first)} to ${String(last)} of the ledger`}`,
    `Checkpoint   size ${String(checkpoint.size)}, root ${checkpoint.rootHash}`,
    `Signed by    key with fingerprint ${fingerprint}`,
    `Form         ${form === 'whole' ? 'whole receipts' : 'for sharing: commands, paths and output are hidden'}`,
    ...(reveal.length > 0 ? [`Shown        ${reveal.join(', ')}`] : []),
    ...(chosen.length > 0 ? ['Chosen by', ...chosen] : []),
    '',
    complete
      ? 'This is a whole stretch of the ledger: a receipt that was left out would be noticed.'
      : 'This is a selection. Each receipt proves itself; nothing can show that none was left out.',
    '',
    'TO CHECK IT',
    '',
    '  node countersign-verify.mjs BUNDLE.zip --trust FINGERPRINT',
    '',
    'Node.js 18 or newer; no network, no other file. Take the verifier and the fingerprint from a place that you trust,',
    'not from this bundle: whoever could forge one could forge the other. Do not unpack before checking; the verifier',
    'reads the archive itself and refuses anything that was added, left out, moved or changed.',
    '',
    'WHAT IS WHERE',
    '',
    '  receipts/            one file per receipt: what was asked, decided and done, with its proof',
    '  checkpoint.txt       the one signed head of the ledger that every proof leads to (C2SP signed note)',
    '  checkpoints.json     heads that were kept before, with proofs that the ledger only grew since (RFC 9162)',
    '  keys.json, records/  the signing keys of all time, and the receipts of every change of them; these are always whole',
    '  bundle.json          what this bundle says of itself',
    '  schemas/             JSON Schemas of the files',
    '  manifest.jsonl       every file with its digest; manifest.sig.json signs it (DSSE, Ed25519)',
    '',
    'WHAT IT DOES NOT PROVE',
    '',
    'That what was done was wise, or that the machine it was done on was honest. It proves who asked, who agreed, what',
    'ran, what was seen, and that none of it was changed since it was signed.',
    '',
  ];
  return lines.join('\n');
}
