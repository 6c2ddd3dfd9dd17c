import type { ReceiptCheck } from '#contracts';

/**
 * What a reader may conclude. `unpinned`: everything holds, but nobody said which key to trust, so anybody may have
 * made it. `unproved`: something that binds the content could not be checked here.
 */
export type Standing = 'valid' | 'unpinned' | 'unproved' | 'broken';

/** Without these a receipt file says nothing about its content or its place in the ledger, and a bundle nothing about its files. */
const OF_RECEIPT: readonly string[] = ['schema', 'signature', 'statement', 'leaf', 'inclusion'];
const OF_BUNDLE: readonly string[] = ['archive', 'files', 'signature', 'checkpoint', 'keys', 'receipts'];

export function standingOf(checks: readonly ReceiptCheck[]): Standing {
  if (checks.length === 0 || checks.some(({ ok }) => ok === false)) return 'broken';
  const passed = new Set(checks.filter(({ ok }) => ok === true).map(({ name }) => name));
  const binding = checks[0]?.name === 'archive' ? OF_BUNDLE : OF_RECEIPT;
  if (!binding.every((name) => passed.has(name))) return 'unproved';
  return passed.has('key') ? 'valid' : 'unpinned';
}

const CONCLUSIONS: Readonly<Record<Standing, string>> = {
  valid: 'VALID',
  unpinned: 'SIGNER NOT CONFIRMED: it holds in itself, but anybody can make such a file with a key of their own. Name the key you trust.',
  unproved: 'NOT PROVED: something that binds the content could not be checked here',
  broken: 'NOT VALID',
};

export function conclusionOf(checks: readonly ReceiptCheck[]): string {
  const failed = checks.filter(({ ok }) => ok === false).length;
  const open = checks.filter(({ ok }) => ok === null).length;
  const standing = standingOf(checks);
  if (standing === 'broken') return `${CONCLUSIONS.broken}: ${String(failed)} of ${String(checks.length)} checks failed`;
  return standing === 'valid' && open > 0 ? `${CONCLUSIONS.valid}, ${String(open)} not checked` : CONCLUSIONS[standing];
}

export function renderChecks(checks: readonly ReceiptCheck[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, ok, detail }) => `${markOf(ok)}  ${name.padEnd(width)}  ${inert(detail)}`);
  return [...lines, '', conclusionOf(checks), ''].join('\n');
}

const SHOWN_PROBLEMS = 20;

/** The files of a bundle that something is wrong with. */
export function renderProblems(problems: readonly ReceiptCheck[]): string {
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(({ name, detail }) => `  ${inert(name)}: ${inert(detail)}\n`);
  const more = problems.length > SHOWN_PROBLEMS ? [`  and ${String(problems.length - SHOWN_PROBLEMS)} more; --json lists them\n`] : [];
  return [...shown, ...more].join('');
}

/** What a file says must not move the cursor or hide a line of the verdict on it. */
function inert(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function markOf(ok: boolean | null): string {
  if (ok === null) return '-   ';
  return ok ? 'ok  ' : 'FAIL';
}
