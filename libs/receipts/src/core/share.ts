import type { Evidence, Receipt10 } from '#contracts';
import { sha256Hex } from './primitives.js';
import { isRecord } from './shape.js';

export const MARKER = '[REDACTED FOR SHARING]';
const MARKER_LIST: readonly string[] = [MARKER];

/** How a field looks when it is hidden: a marker in its place, or nothing at all. */
type Hide = 'marker' | 'list' | 'absent';

/** What a share-safe file never shows. `*` stands for one name. Digests that can be guessed are hidden like their source. */
const HIDDEN: readonly (readonly [pattern: string, hide: Hide])[] = [
  ['/receipt/command', 'marker'],
  ['/receipt/cwd', 'marker'],
  ['/receipt/policy/argv', 'list'],
  ['/receipt/policy/reasons', 'list'],
  ['/receipt/stdout', 'marker'],
  ['/receipt/stderr', 'marker'],
  ['/evidence/summary', 'marker'],
  ['/evidence/workspace/root', 'marker'],
  ['/evidence/approvals/*/reason', 'marker'],
  ['/evidence/policy/reasons', 'list'],
  ['/evidence/stages/*/argv', 'list'],
  ['/evidence/stdout/sha256', 'marker'],
  ['/evidence/stderr/sha256', 'marker'],
];

/** Parts of the evidence that may be shown, apart from what `HIDDEN` says; every other part stays out. Limits name hosts. */
const SHOWN_EVIDENCE: ReadonlySet<string> = new Set([
  ...['schema', 'id', 'kind', 'requester', 'at', 'summary', 'plan_id', 'session_id', 'run_id', 'workspace', 'approvals', 'policy'],
  ...['sandbox', 'limit_hit', 'outcome', 'stages', 'stdout', 'stderr', 'usage', 'survivors'],
]);

/** Fields that every share-safe file has anew, because they follow from others. */
export const REMADE: ReadonlySet<string> = new Set(['/receipt/command_sha256', '/receipt/signature', '/envelope']);
/** Fields that only a share-safe file has. */
export const ADDED: ReadonlySet<string> = new Set(['/receipt/sharing_redacted']);

/** How a field is hidden, or undefined when it is shown. */
export function hideOf(pointer: string): Hide | undefined {
  const [, part, name] = pointer.split('/');
  if (part === 'evidence' && name !== undefined && !SHOWN_EVIDENCE.has(name)) return 'absent';
  return HIDDEN.find(([pattern]) => covers(pattern, pointer))?.[1];
}

/** Whether a field with this value is hidden, when the fields in `reveal` and below them are to be shown. */
export function isHiddenField(pointer: string, value: unknown, reveal: readonly string[]): boolean {
  return value !== null && hideOf(pointer) !== undefined && !reveal.some((shown) => covers(shown, pointer));
}

/** True when the value says of itself that it is hidden. */
export function isMarker(value: unknown): boolean {
  return value === MARKER || (Array.isArray(value) && value.length === 1 && value[0] === MARKER);
}

/** Both parts with everything hidden but the fields in `reveal`. The 1.0 part still has to be signed again. */
export function hideContent(
  content: { readonly receipt: Receipt10 | null; readonly evidence: Evidence },
  reveal: readonly string[],
): { readonly receipt: Omit<Receipt10, 'signature'> | null; readonly evidence: Evidence } {
  const receipt = content.receipt && (hide(content.receipt, '/receipt', reveal) as Receipt10); // only values change
  return {
    receipt: receipt && { ...withoutSignature(receipt), command_sha256: sha256Hex(receipt.command), sharing_redacted: true },
    evidence: hide(content.evidence, '/evidence', reveal) as Evidence, // only optional fields go
  };
}

function withoutSignature({ signature: _, ...rest }: Receipt10): Omit<Receipt10, 'signature'> {
  return rest;
}

function hide(value: unknown, pointer: string, reveal: readonly string[]): unknown {
  const how = isHiddenField(pointer, value, reveal) ? hideOf(pointer) : undefined;
  if (how === 'absent') return undefined;
  if (how !== undefined) return how === 'list' ? MARKER_LIST : MARKER;
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, part]) => [name, hide(part, `${pointer}/${name}`, reveal)] as const);
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
  }
  return Array.isArray(value) && value.every(isRecord)
    ? value.map((part, index) => hide(part, `${pointer}/${String(index)}`, reveal))
    : value;
}

/** A pattern covers its field and everything below it. */
function covers(pattern: string, pointer: string): boolean {
  const names = pointer.split('/');
  return pattern.split('/').every((name, index) => name === '*' || name === names[index]);
}
