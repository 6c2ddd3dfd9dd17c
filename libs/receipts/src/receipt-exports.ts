import { Injectable } from '@nestjs/common';
import type { LedgerCheckpoint, Principal, ReceiptFile, ReceiptId, ReceiptSummary } from '#contracts';
import { AppError } from '#platform';
import { writeBundle, type BundleContent } from './bundle-writer.js';
import { BUNDLE_SCHEMA, type BundleAbout } from './core/bundle-format.js';
import { canonicalJson } from './core/canonical-json.js';
import { csvLine } from './core/csv.js';
import { utf8 } from './core/primitives.js';
import { MARKER } from './core/share.js';
import { KeyHistories } from './key-history.js';
import { Ledger } from './ledger.js';
import { ReceiptRepository, SearchRepository, type ReceiptFilter, type StoredReceipt } from './ports.js';
import { ReceiptFiles } from './receipt-files.js';
import { ReceiptKeys } from './receipt-keys.js';
import { ownerSeenBy } from './receipts.js';

/** Which receipts go out. Only a stretch of time: then it is a whole stretch of the ledger. */
export interface ExportSelection extends ReceiptFilter {
  readonly id?: ReceiptId | undefined;
}

export interface ExportForm {
  /** Hide what could be told from commands, paths and output. */
  readonly isShared: boolean;
  /** Fields that stay readable all the same. */
  readonly reveal: readonly string[];
}

/** A file on its way out. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What is the same for every installation and goes into each bundle. */
export interface BundleExtras {
  readonly verifier: string;
  readonly schemas: BundleContent['schemas'];
}

/** What a caller asked for and may see, in the order of the ledger. */
interface Chosen {
  readonly places: readonly number[];
  readonly first: number | null;
  readonly last: number | null;
  readonly isComplete: boolean;
}

const BATCH = 100;
const PAGE = 500;
/** The directory of a bundle is kept in memory until its end. */
const MOST_RECEIPTS = 200_000;
const MOST_HEADS = 50;
const CSV_HEAD = [
  'index',
  'at',
  'kind',
  'outcome',
  'risk',
  'requester',
  'approvers',
  'workspace',
  'duration_ms',
  'command',
  'summary',
  'id',
];

/** Owner of what leaves the product as files: bundles, in-toto statements, tables. Everything streams; one batch is in memory. */
@Injectable()
export class ReceiptExports {
  constructor(
    private readonly rows: ReceiptRepository,
    private readonly search: SearchRepository,
    private readonly ledger: Ledger,
    private readonly keys: ReceiptKeys,
    private readonly files: ReceiptFiles,
    private readonly histories: KeyHistories,
  ) {}

  /** Everything leads to one head, that of the moment of asking. */
  async bundle(principal: Principal, selection: ExportSelection, form: ExportForm, extras: BundleExtras): Promise<ExportedFile> {
    const { keys, records, head, signing } = await this.#signedBy();
    const chosen = await this.#choose(principal, selection, head);
    const { places, first, last, isComplete } = chosen;
    const about: BundleAbout = {
      schema: BUNDLE_SCHEMA,
      ledger: await this.ledger.origin(),
      form: form.isShared ? 'shared' : 'whole',
      reveal: form.isShared ? [...new Set(form.reveal)].sort() : [],
      selection: selectionText(selection, form),
      complete: isComplete,
      first,
      last,
      receipts: places.length,
      checkpoint: { size: head.size, rootHash: head.rootHash },
    };
    const content: BundleContent = {
      ...extras,
      about,
      head,
      earlier: await this.#earlier(head),
      keys,
      records: await this.#proven(records, chosen, head),
      receipts: this.#receipts(places, head, form),
    };
    return { name: `countersign-${nameOf(about)}.zip`, type: 'application/zip', bytes: writeBundle(content, signing) };
  }

  /** The keys and their records must be those of the head: another process may rotate between the two reads. */
  async #signedBy() {
    for (;;) {
      const { keys, records } = await this.histories.read();
      const head = await this.ledger.checkpoint();
      const signing = await this.keys.signer(head.key.id);
      if (signing && keys.some(({ id, retiredAt }) => id === head.key.id && retiredAt === null)) return { keys, records, head, signing };
    }
  }

  /** One DSSE envelope a line, for tools that read in-toto attestations. */
  async statements(principal: Principal, selection: ExportSelection, form: ExportForm): Promise<ExportedFile> {
    await this.keys.reload();
    const head = await this.ledger.checkpoint();
    const { places } = await this.#choose(principal, selection, head);
    const files = this.#receipts(places, head, form);
    const bytes = lines(files, ({ proof }) => `${canonicalJson(proof.envelope)}\n`);
    return { name: 'countersign-statements.jsonl', type: 'application/jsonl', bytes };
  }

  /** For people; opens in spreadsheets, and nothing in it is a formula. Newest first. */
  async table(principal: Principal, selection: ExportSelection, { isShared }: ExportForm): Promise<ExportedFile> {
    // Who asks for something to give away must not get the commands instead.
    if (isShared) throw new AppError('INPUT_INVALID', 'A table cannot be made for sharing; take a bundle', { paths: ['share'] });
    const { id, ...filter } = selection;
    const rows = id === undefined ? this.#summaries(seenBy(principal, filter)) : this.#oneSummary(await this.#visible(principal, id));
    const bytes = withHead(`\ufeff${csvLine(CSV_HEAD)}`, lines(rows, tableLine));
    return { name: 'countersign-receipts.csv', type: 'text/csv; charset=utf-8', bytes };
  }

  async #choose(principal: Principal, { id, ...asked }: ExportSelection, { size }: LedgerCheckpoint): Promise<Chosen> {
    if (id !== undefined) {
      const { index } = await this.#visible(principal, id);
      return { places: [index], first: index, last: index, isComplete: false };
    }
    const filter = seenBy(principal, asked);
    const { from, to, ...narrower } = filter;
    const isComplete = Object.values(narrower).every((value) => value === undefined);
    if (!isComplete) {
      const places = await this.#found(filter, size);
      return { places, first: places[0] ?? null, last: places.at(-1) ?? null, isComplete };
    }
    const stretch = await this.search.stretch({ from, to });
    const below = Math.min(size, stretch.to);
    refuseTooMany(below - stretch.from);
    const all = Array.from({ length: Math.max(0, below - stretch.from) }, (_, at) => stretch.from + at);
    const hasAny = all.length > 0;
    return { places: await this.#withBody(all), first: hasAny ? stretch.from : null, last: hasAny ? below - 1 : null, isComplete };
  }

  async #found(filter: ReceiptFilter, size: number): Promise<readonly number[]> {
    const places: number[] = [];
    for await (const { index } of this.#summaries(filter, size)) {
      places.push(index);
      refuseTooMany(places.length);
    }
    return this.#withBody(places.reverse());
  }

  async #withBody(places: readonly number[]): Promise<readonly number[]> {
    const kept: number[] = [];
    for (let at = 0; at < places.length; at += PAGE) kept.push(...(await this.rows.placesWithBody(places.slice(at, at + PAGE))));
    return kept;
  }

  async *#summaries(filter: ReceiptFilter, below?: number): AsyncGenerator<ReceiptSummary> {
    for (let before = below; ;) {
      const page = await this.search.page({ ...filter, before, limit: PAGE });
      yield* page;
      before = page.at(-1)?.index;
      if (page.length < PAGE) return;
    }
  }

  async *#oneSummary({ index }: StoredReceipt): AsyncGenerator<ReceiptSummary> {
    const [only] = await this.search.page({ before: index + 1, limit: 1 });
    if (only?.index === index) yield only;
  }

  /** An id is not a credential: another's receipt and no receipt look the same. */
  async #visible(principal: Principal, id: ReceiptId): Promise<StoredReceipt> {
    const stored = await this.rows.find(id);
    const { owner } = seenBy(principal, {});
    if (stored && (owner === undefined || stored.owner === owner)) return stored;
    throw new AppError('RECEIPT_NOT_FOUND', 'No such receipt', { receiptId: id });
  }

  async *#receipts(places: readonly number[], head: LedgerCheckpoint, { isShared, reveal }: ExportForm): AsyncGenerator<ReceiptFile> {
    for (let at = 0; at < places.length; at += BATCH) {
      const batch = await this.rows.at(places.slice(at, at + BATCH));
      const proofs = await this.ledger.proveIn(
        head,
        batch.map(({ index }) => index),
      );
      for (const [number, stored] of batch.entries()) {
        yield isShared ? await this.files.shareSafe(stored, reveal, proofs[number]) : await this.files.whole(stored, proofs[number]);
      }
    }
  }

  /** The records of changes of keys, and of deletions in a whole stretch, led to the head of the bundle. */
  async #proven(
    records: readonly ReceiptFile[],
    { first, last, isComplete }: Chosen,
    head: LedgerCheckpoint,
  ): Promise<readonly ReceiptFile[]> {
    const isWhole = isComplete && first !== null && last !== null;
    const deletions = isWhole ? await this.rows.deletionsWithin(first, last + 1) : [];
    const places = new Set([...records.map(({ proof }) => proof.ledger.index), ...deletions]);
    const stored = await this.rows.at([...places].sort((one, other) => one - other));
    const inHead = stored.filter(({ index }) => index < head.size);
    const proofs = await this.ledger.proveIn(
      head,
      inHead.map(({ index }) => index),
    );
    return Promise.all(inHead.map((each, at) => this.files.whole(each, proofs[at])));
  }

  async #earlier({ size }: LedgerCheckpoint): Promise<BundleContent['earlier']> {
    const { items } = await this.ledger.checkpoints(size, MOST_HEADS);
    const heads = [...items].reverse();
    return Promise.all(heads.map(async (kept) => ({ ...kept, hashes: (await this.ledger.consistency(kept.size, size)).hashes })));
  }
}

function nameOf({ first, last, form }: BundleAbout): string {
  const entries = first === null ? 'nothing' : first === last ? `entry-${String(first)}` : `entries-${String(first)}-${String(last)}`;
  return form === 'shared' ? `${entries}-shared` : entries;
}

function selectionText({ from, to, q, ...others }: ExportSelection, { isShared }: ExportForm): Readonly<Record<string, string>> {
  const time = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());
  const texts = { ...others, from: time(from), to: time(to), q: isShared && q !== undefined ? MARKER : q };
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

/** What a caller may see of what was asked for. */
function seenBy(principal: Principal, asked: ReceiptFilter): ReceiptFilter {
  const owner = ownerSeenBy(principal) ?? asked.owner;
  return { ...asked, owner };
}

function refuseTooMany(receipts: number): void {
  if (receipts <= MOST_RECEIPTS) return;
  throw new AppError('INPUT_INVALID', `A bundle holds at most ${String(MOST_RECEIPTS)} receipts; choose a shorter time`, { receipts });
}

function tableLine({ index, at, kind, outcome, risk, durationMs, command, summary, id, ...names }: ReceiptSummary): string {
  const who = [names.requesterName, names.approverNames.join('; '), names.workspaceName];
  return csvLine([index, new Date(at).toISOString(), kind, outcome, risk, ...who, durationMs, command, summary, id]);
}

async function* lines<T>(items: AsyncIterable<T>, toLine: (item: T) => string): AsyncGenerator<Uint8Array> {
  for await (const item of items) yield utf8(toLine(item));
}

async function* withHead(head: string, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield utf8(head);
  yield* rest;
}
