import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isConfined } from '#contracts';
import type {
  DsseEnvelope,
  EventScope,
  Evidence,
  Page,
  PlanId,
  Principal,
  PublicKey,
  Receipt10,
  ReceiptCheck,
  ReceiptCounts,
  ReceiptFile,
  ReceiptId,
  ReceiptSummary,
  SessionId,
} from '#contracts';
import { type Append, AppError, newId, type Tx } from '#platform';
import { canonicalJson } from './core/canonical-json.js';
import { completeEvidence, draftIssues, facetsOf, redactValue, searchText, summaryOf, type EvidenceDraft } from './core/draft.js';
import { ALL_FIELDS, wholeLeaf } from './core/leaf.js';
import { signReceipt10, type Receipt10Body } from './core/receipt10.js';
import { Redactor } from './core/redaction.js';
import { signStatement } from './core/signed.js';
import { verifyFile } from './core/verify.js';
import { Ledger, type LedgerPlace } from './ledger.js';
import { ReceiptRepository, SearchRepository, type CountsWanted, type ReceiptFilter, type StoredReceipt } from './ports.js';
import { ReceiptFiles } from './receipt-files.js';
import { ReceiptKeys } from './receipt-keys.js';

/** What happened, as the one who did it tells it. */
export interface ReceiptDraft {
  readonly scope: EventScope;
  /** The 1.0 part; null for kinds other than `run`. */
  readonly body: Receipt10Body | null;
  readonly evidence: EvidenceDraft;
  readonly approverNames: readonly string[];
  readonly workspaceName: string;
  /** What was to be run, where the 1.0 part does not say it. */
  readonly tool?: string;
}

export interface ReceiptPage extends Omit<ReceiptFilter, 'owner'> {
  readonly principal: Principal;
  /** Whose work; people only, an agent sees its own. */
  readonly owner?: string | undefined;
  /** `next` of the page before. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** A receipt by its id, or by the plan that it is of. */
export type ReceiptRef = { readonly receiptId: ReceiptId } | { readonly sessionId: SessionId; readonly planId: PlanId };

/** A receipt that is signed and not yet in the ledger. */
interface Sealed {
  readonly receipt: Receipt10 | null;
  readonly evidence: Evidence;
  readonly texts: { readonly receipt: string | null; readonly evidence: string };
  readonly envelope: DsseEnvelope;
  readonly seed: string;
  readonly leafHash: string;
  readonly key: PublicKey;
  readonly hmacKeyId: string | null;
}

const DEFAULT_LIMIT = 50;
const SEED_BYTES = 32;

/** Owner of receipts: redacts, signs, puts them into the ledger, and gives them to those who may see them. */
@Injectable()
export class Receipts {
  #secrets: readonly string[] = [];
  #redactor: Redactor | undefined;
  #redactedKeys: readonly string[] | undefined;

  constructor(
    private readonly rows: ReceiptRepository,
    private readonly ledger: Ledger,
    private readonly keys: ReceiptKeys,
    private readonly files: ReceiptFiles,
    private readonly search: SearchRepository,
  ) {}

  /**
   * Signs and keeps a receipt in the caller's transaction. The answer has no proof of inclusion yet: only committed
   * entries are vouched for, so ask `find` after the commit.
   */
  async write(tx: Tx, append: Append, draft: ReceiptDraft): Promise<ReceiptFile> {
    const { body, evidence, approverNames, workspaceName } = redactValue(
      { body: draft.body, evidence: draft.evidence, approverNames: draft.approverNames, workspaceName: draft.workspaceName },
      this.redactor(),
    );
    const id = newId<ReceiptId>();
    const { place, ...signed } = await this.#appended(tx, () => this.#seal(id, body, evidence));
    const { texts, envelope, seed, leafHash, key, hmacKeyId } = signed;
    const { index } = place;
    const stored: StoredReceipt = {
      ...texts,
      id,
      index,
      leafHash,
      owner: draft.scope.owner,
      // The brands exist at compile time only.
      sessionId: draft.scope.sessionId ?? ((signed.evidence.session_id ?? null) as SessionId | null),
      planId: (signed.evidence.plan_id ?? body?.plan_id ?? null) as PlanId | null,
      payload: Buffer.from(envelope.payload, 'base64').toString('utf8'),
      signature: envelope.signatures[0]?.sig ?? '',
      keyId: key.id,
      hmacKeyId,
      seed,
    };
    const summary = summaryOf({ index, body, evidence: signed.evidence, approverNames, workspaceName });
    await this.rows.insert(tx, {
      stored,
      summary,
      search: searchText(summary, body?.command ?? ''),
      at: place.at,
      ...facetsOf(body, signed.evidence, draft.tool),
    });
    await append(draft.scope, { type: 'receipt.written', receipt: summary });
    const ledger = { index, leafHash, salts: { [ALL_FIELDS]: seed }, inclusion: null, checkpoint: null };
    return { receipt: signed.receipt, evidence: signed.evidence, proof: { envelope, key, ledger } };
  }

  /** The whole file with a proof against the ledger of this moment. For code that has checked the caller already. */
  async find(id: ReceiptId): Promise<ReceiptFile | undefined> {
    const stored = await this.rows.find(id);
    return stored && this.files.whole(stored);
  }

  /** The whole file, for a caller who may see it. */
  async read(principal: Principal, ref: ReceiptRef): Promise<ReceiptFile> {
    return this.files.whole(await this.#visible(principal, ref));
  }

  /** A file that can be given away; the fields in `reveal` stay readable. */
  async share(principal: Principal, id: ReceiptId, reveal: readonly string[]): Promise<ReceiptFile> {
    return this.files.shareSafe(await this.#visible(principal, { receiptId: id }), reveal);
  }

  /** All checks, the HMAC included: only the server can do that one. */
  async verify(principal: Principal, id: ReceiptId): Promise<readonly ReceiptCheck[]> {
    const stored = await this.#visible(principal, { receiptId: id });
    await this.keys.reload(); // another process may have revoked one
    const hmacKey = this.keys.hmacKey(stored.hmacKeyId);
    return verifyFile(canonicalJson(await this.files.whole(stored)), {
      ...(hmacKey !== undefined && { hmacKey }),
      keys: this.keys.publicKeys,
    });
  }

  async page({ principal, before, limit = DEFAULT_LIMIT, owner, ...filter }: ReceiptPage): Promise<Page<ReceiptSummary>> {
    const wanted = { ...filter, owner: ownerSeenBy(principal) ?? owner, before: toPlace(before), limit: limit + 1 };
    const found = await this.search.page(wanted);
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? String(items.at(-1)?.index ?? '') : null };
  }

  /** What was signed of these entries, by their places; those whose bodies are deleted are not there. For code that has checked the caller. */
  async evidenceAt(places: readonly number[]): Promise<ReadonlyMap<number, Evidence>> {
    const stored = await this.rows.at(places);
    return new Map(stored.map(({ index, evidence }) => [index, JSON.parse(evidence) as Evidence])); // only `write` inserts it
  }

  async counts(principal: Principal, wanted: Omit<CountsWanted, 'owner'>): Promise<ReceiptCounts> {
    const rows = await this.search.counts({ ...wanted, owner: ownerSeenBy(principal) });
    return { stepMs: wanted.stepMs, items: rows.map(({ at, name, count }) => ({ at, name: name ?? 'none', count })) };
  }

  /** Values that must never stand in a receipt; they add to those that are known already. */
  protect(secrets: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...secrets];
    this.#redactor = undefined;
  }

  /** Every exact value that must stay secret, our own keys included. */
  secrets(): readonly string[] {
    return [...this.keys.secrets, ...this.#secrets];
  }

  redactor(): Redactor {
    if (!this.#redactor || this.#redactedKeys !== this.keys.secrets) this.#redactor = new Redactor(this.secrets());
    this.#redactedKeys = this.keys.secrets;
    return this.#redactor;
  }

  /** Keys may have been rotated since this process read them: the ledger then takes no entry until it is signed anew. */
  async #appended(tx: Tx, seal: () => Sealed): Promise<Sealed & { readonly place: LedgerPlace }> {
    for (;;) {
      const sealed = seal();
      const { leafHash, key, hmacKeyId, evidence } = sealed;
      const place = await this.ledger.append(tx, { leafHash, keyId: key.id, hmacKeyId, at: Date.parse(evidence.at) });
      if (place) return { ...sealed, place };
      await this.keys.reload(tx); // nobody else changes them while this transaction holds the ledger
    }
  }

  #seal(id: ReceiptId, body: Receipt10Body | null, draft: EvidenceDraft): Sealed {
    const { signing, hmac } = this.keys;
    const signed = this.#sign(id, body, draft);
    const texts = { receipt: signed.receipt && canonicalJson(signed.receipt), evidence: canonicalJson(signed.evidence) };
    const hmacKeyId = body ? hmac.id : null;
    const envelope = signStatement({ ...signed, hmacKeyId, original: null }, signing, texts);
    const seed = randomBytes(SEED_BYTES).toString('hex');
    const leafHash = wholeLeaf({ ...signed, envelope }, seed).hash;
    return { ...signed, texts, envelope, seed, leafHash, key: signing.public, hmacKeyId };
  }

  #sign(
    id: ReceiptId,
    body: Receipt10Body | null,
    draft: EvidenceDraft,
  ): { readonly receipt: Receipt10 | null; readonly evidence: Evidence } {
    const receipt = body && signReceipt10(id, body, this.keys.hmac.key);
    const evidence = completeEvidence(id, draft);
    const issues = draftIssues(receipt, evidence);
    if (issues.length > 0) throw new Error(`A receipt does not fit its schema: ${issues.join(', ')}`);
    return { receipt, evidence };
  }

  /** An id is not a credential: another's receipt and no receipt look the same. */
  async #visible(principal: Principal, ref: ReceiptRef): Promise<StoredReceipt> {
    const stored = 'receiptId' in ref ? await this.rows.find(ref.receiptId) : await this.rows.ofPlan(ref.sessionId, ref.planId);
    const owner = ownerSeenBy(principal);
    if (stored && (owner === undefined || stored.owner === owner)) return stored;
    const deleted = !stored && 'receiptId' in ref ? await this.rows.deleted(ref.receiptId) : undefined;
    if (deleted && (owner === undefined || deleted.owner === owner)) {
      const { index, leafHash, deletedBy } = deleted;
      throw new AppError('RECEIPT_DELETED', 'A retention rule deleted this receipt', { ...ref, index, leafHash, deletedBy });
    }
    throw new AppError('RECEIPT_NOT_FOUND', 'No such receipt', { ...ref });
  }
}

/** People see the team's receipts, an agent its own; so does who is bound to workspaces. */
export function ownerSeenBy(principal: Principal): Principal['id'] | undefined {
  const isOfTeam = principal.kind === 'person' && !isConfined(principal);
  return isOfTeam || principal.scopes.includes('admin') ? undefined : principal.id;
}

function toPlace(before: string | undefined): number | undefined {
  if (before === undefined) return undefined;
  if (!/^\d{1,15}$/.test(before)) throw new AppError('CURSOR_INVALID', 'This is not the cursor of a page of receipts');
  return Number(before);
}
