import { Injectable } from '@nestjs/common';
import type { AuditEntry, Page, Principal } from '#contracts';
import { unwrap } from '#platform';
import { Receipts } from '#receipts';
import { csvHead, toAuditEntry, toCsvLine, toJsonLine } from './core/audit-lines.js';
import { checkAdministrator } from './core/grants.js';

/** Which changes; every filter that is given must hold. */
export interface AuditFilter {
  readonly q?: string | undefined;
  /** Id of who did it. */
  readonly by?: string | undefined;
  /** Beginning of the action, such as `token.`. */
  readonly action?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface AuditPage extends AuditFilter {
  readonly principal: Principal;
  /** `next` of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export type ExportFormat = 'csv' | 'jsonl';

const READ_AT_ONCE = 200;
/** How many entries one page looks through for an action; the next page goes on. */
const MAX_READS = 10;
const MAX_EXPORTED = 100_000;

/** Owns how administrative changes are read again. Their receipts are the only record, so the list cannot differ from the evidence. */
@Injectable()
export class AdminAudit {
  constructor(private readonly receipts: Receipts) {}

  /** Newest first. */
  async page({ principal, before, limit, ...filter }: AuditPage): Promise<Page<AuditEntry>> {
    unwrap(checkAdministrator(principal));
    const items: AuditEntry[] = [];
    let next = before ?? null;
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const wanted = filter.action === undefined ? limit : READ_AT_ONCE;
      const read = await this.#read(principal, filter, next ?? undefined, wanted);
      for (const entry of read.items) {
        if (!entry.action.startsWith(filter.action ?? '')) continue;
        items.push(entry);
        if (items.length === limit) return { items, next: isLast(read, entry) ? null : String(entry.index) };
      }
      next = read.next;
      if (next === null) break;
    }
    return { items, next };
  }

  /** All of them as text, piece by piece, newest first. */
  export(principal: Principal, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> {
    unwrap(checkAdministrator(principal)); // before the first piece, so that a refusal is an answer of its own
    return this.#pieces(principal, filter, format);
  }

  async *#pieces(principal: Principal, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> {
    const toLine = format === 'csv' ? toCsvLine : toJsonLine;
    if (format === 'csv') yield csvHead();
    let before: string | undefined;
    for (let count = 0; count < MAX_EXPORTED; count += READ_AT_ONCE) {
      const { items, next } = await this.#read(principal, filter, before, READ_AT_ONCE);
      yield items
        .filter(({ action }) => action.startsWith(filter.action ?? ''))
        .map(toLine)
        .join('');
      if (next === null) return;
      before = next;
    }
  }

  async #read(
    principal: Principal,
    { q, by, from, to }: AuditFilter,
    before: string | undefined,
    limit: number,
  ): Promise<Page<AuditEntry>> {
    const { items, next } = await this.receipts.page({ principal, kind: 'admin', q, owner: by, from, to, before, limit });
    const evidence = await this.receipts.evidenceAt(items.map(({ index }) => index));
    return { items: items.map((summary) => toAuditEntry(summary, evidence.get(summary.index))), next };
  }
}

function isLast({ items, next }: Page<AuditEntry>, entry: AuditEntry): boolean {
  return next === null && items.at(-1) === entry;
}
