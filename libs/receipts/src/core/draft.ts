import type { DecisionOutcome, Evidence, Receipt10, ReceiptSummary, RunOutcome } from '#contracts';
import { evidenceShape } from './file-shape.js';
import { receipt10Shape, type Receipt10Body } from './receipt10.js';
import { isRecord } from './shape.js';

/** Replaces secrets in one text, or in an argument list. */
export interface Redact {
  readonly redact: (text: string) => { readonly text: string };
  readonly redactArgv: (argv: readonly string[]) => readonly string[];
}

export type EvidenceDraft = Omit<Evidence, 'schema' | 'id'>;

/** A value with every text in it redacted and well formed; absent fields are left out. */
export function redactValue<T>(value: T, by: Redact): T {
  return redactAny(value, by) as T; // texts stay texts, and nothing else changes
}

function redactAny(value: unknown, by: Redact): unknown {
  if (typeof value === 'string') return by.redact(value.toWellFormed()).text;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.every((item) => typeof item === 'string')
      ? by.redactArgv(items.map((item) => item.toWellFormed()))
      : items.map((item) => redactAny(item, by));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => [name, redactAny(part, by)]),
  );
}

/** The evidence as it is signed. */
export function completeEvidence(id: string, draft: EvidenceDraft): Evidence {
  return { schema: 'countersign/evidence/1', id, ...draft };
}

/** A part that does not fit its schema would be no evidence: paths of what is wrong. */
export function draftIssues(receipt: Receipt10 | null, evidence: Evidence): readonly string[] {
  return [...(receipt ? receipt10Shape(receipt, 'receipt') : []), ...evidenceShape(evidence, 'evidence')];
}

const LISTED_COMMAND = 500;
const SEARCHED_COMMAND = 4_000;
const LISTED_TOOL = 100;

export interface SummaryOf {
  readonly index: number;
  readonly body: Receipt10Body | null;
  readonly evidence: Evidence;
  readonly approverNames: readonly string[];
  readonly workspaceName: string;
}

/** The row of the list. */
export function summaryOf({ index, body, evidence, approverNames, workspaceName }: SummaryOf): ReceiptSummary {
  return {
    id: evidence.id,
    index,
    kind: evidence.kind,
    outcome: outcomeOf(evidence),
    summary: evidence.summary,
    command: shortened(body?.command ?? '', LISTED_COMMAND),
    risk: body?.risk ?? evidence.policy?.risk ?? 'low',
    requesterName: evidence.requester.name,
    approverNames,
    workspaceName,
    durationMs: body?.duration_ms ?? null,
    at: Date.parse(evidence.at),
  };
}

/** Changes by administrators have no outcome of their own: they happened. */
function outcomeOf({ outcome }: Evidence): RunOutcome | DecisionOutcome | 'recorded' {
  return outcome ?? 'recorded';
}

export interface Facets {
  readonly workspaceId: string | null;
  readonly tool: string | null;
  readonly verdict: string | null;
}

/** What a list can be narrowed to. */
export function facetsOf(body: Receipt10Body | null, { workspace, policy, connector, details }: Evidence, tool?: string): Facets {
  const action = details?.['action'];
  const named = tool ?? body?.policy.argv[0]?.split('/').at(-1) ?? connector?.action ?? (typeof action === 'string' ? action : undefined);
  return {
    workspaceId: workspace?.id ?? null,
    tool: named === undefined ? null : shortened(named.replaceAll('\0', ''), LISTED_TOOL),
    verdict: policy?.outcome ?? null,
  };
}

/** What a search looks through, lower case. */
export function searchText({ summary, requesterName, approverNames, workspaceName, id }: ReceiptSummary, command: string): string {
  return [summary, shortened(command, SEARCHED_COMMAND), requesterName, ...approverNames, workspaceName, id]
    .join('\n')
    .replaceAll('\0', '')
    .toLowerCase();
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
