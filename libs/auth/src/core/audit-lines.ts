import type { AuditEntry, Evidence, ReceiptSummary } from '#contracts';

/** The columns of a table of changes, in order. */
const COLUMNS = ['at', 'action', 'by', 'by_id', 'channel', 'summary', 'before', 'after', 'details', 'receipt_id', 'ledger_index'] as const;
/** A program that opens the table must not take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A change as its receipt tells it. Without the evidence, whose body a rule may have deleted, the summary is what is left. */
export function toAuditEntry(summary: ReceiptSummary, evidence: Evidence | undefined): AuditEntry {
  const { action, before, after, ...details } = evidence?.details ?? {};
  return {
    receiptId: summary.id,
    index: summary.index,
    at: summary.at,
    byId: evidence?.requester.id ?? '',
    byName: summary.requesterName,
    channel: evidence?.requester.channel ?? null,
    action: typeof action === 'string' ? action : '',
    summary: summary.summary,
    before: before ?? null,
    after: after ?? null,
    details,
  };
}

export function toJsonLine(entry: AuditEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

export function csvHead(): string {
  return `${COLUMNS.join(',')}\r\n`;
}

export function toCsvLine(entry: AuditEntry): string {
  const cells = [
    new Date(entry.at).toISOString(),
    entry.action,
    entry.byName,
    entry.byId,
    entry.channel ?? '',
    entry.summary,
    toText(entry.before),
    toText(entry.after),
    toText(entry.details),
    entry.receiptId,
    String(entry.index),
  ];
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value);
}

function toCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
