import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Evidence, RetentionRecord } from '#contracts';
import { appendLeaf, rootOf, verifyConsistency, type PlacedNode } from './core/merkle.js';
import { DELETED, leavesDigest } from './core/retention.js';
import { openCheckpoint } from './core/signed.js';
import { verifyFile } from './core/verify.js';
import { Ledger } from './ledger.js';
import { LedgerRepository, ReceiptRepository, type ScannedReceipt, type StoredCheckpoint, type StoredReceipt } from './ports.js';
import { ReceiptFiles } from './receipt-files.js';
import { ReceiptKeys } from './receipt-keys.js';

const PAGE = 500;
const MOST_PROBLEMS = 20;

/** What a look at the ledger found. Without a problem everything that was looked at holds. */
export interface LedgerFindings {
  readonly entries: number;
  /** Of these, the ones whose body a retention rule deleted. */
  readonly deleted: number;
  readonly checkpoints: number;
  readonly problems: readonly string[];
}

interface Walk {
  entries: number;
  deleted: number;
  edge: readonly string[];
  readonly heads: Map<number, StoredCheckpoint>;
  /** Leaf hashes of deleted entries, by the place of the receipt that is to tell of them. */
  readonly missing: Map<number, string[]>;
  readonly problems: string[];
}

/** Proves the ledger instead of believing it. */
@Injectable()
export class LedgerCheck {
  constructor(
    private readonly rows: ReceiptRepository,
    private readonly tree: LedgerRepository,
    private readonly keys: ReceiptKeys,
    private readonly files: ReceiptFiles,
    private readonly ledger: Ledger,
  ) {}

  /** Every receipt, every node of the tree and every head that was kept. Takes a while. */
  async all(progress: (entries: number) => void = () => undefined): Promise<LedgerFindings> {
    await this.keys.reload();
    const kept = await this.tree.checkpoints(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const heads = new Map(kept.map((checkpoint) => [checkpoint.size, checkpoint]));
    const walk: Walk = { entries: 0, deleted: 0, edge: [], heads, missing: new Map(), problems: [] };
    for (let page = await this.rows.scan(0, PAGE); page.length > 0; page = await this.rows.scan(walk.entries, PAGE)) {
      const nodes: PlacedNode[] = [];
      for (const row of page) nodes.push(...(await this.#entry(walk, row)));
      await this.#compareNodes(walk, nodes);
      progress(walk.entries);
      await setImmediate();
    }
    for (const [place, leaves] of walk.missing) {
      tell(walk, `${String(leaves.length)} receipts are gone, and entry ${String(place)} does not say so`);
    }
    const { size, edge } = await this.tree.head();
    const isSame = size === walk.entries && edge.join() === walk.edge.join();
    if (!isSame) tell(walk, `The head says ${String(size)} entries, and the receipts are ${String(walk.entries)} or others`);
    for (const at of heads.keys()) if (at > size) tell(walk, `A kept head has ${String(at)} entries, more than there are`);
    return { entries: walk.entries, deleted: walk.deleted, checkpoints: heads.size, problems: walk.problems };
  }

  /** The newest heads: each is signed, is of this tree, and goes on from the one before. */
  async heads(most: number): Promise<LedgerFindings> {
    await this.keys.reload();
    const kept = (await this.tree.checkpoints(Number.MAX_SAFE_INTEGER, most)).toReversed();
    const walk: Walk = { entries: 0, deleted: 0, edge: [], heads: new Map(), missing: new Map(), problems: [] };
    let last: { readonly size: number; readonly root: string } | undefined;
    for (const checkpoint of kept) {
      const root = this.#rootOf(walk, checkpoint);
      if (root === undefined) continue;
      const { fromRoot, toRoot, hashes } = await this.ledger.consistency(last?.size ?? checkpoint.size, checkpoint.size);
      if (toRoot !== root) tell(walk, `The head of ${String(checkpoint.size)} entries is not of this ledger`);
      if (last && !(fromRoot === last.root && verifyConsistency(last.size, checkpoint.size, last.root, root, hashes))) {
        tell(walk, `The head of ${String(checkpoint.size)} entries does not go on from the one of ${String(last.size)}`);
      }
      last = { size: checkpoint.size, root };
    }
    const { size } = await this.ledger.checkpoint();
    if (last && last.size > size) tell(walk, `A kept head has ${String(last.size)} entries, and the ledger ${String(size)}`);
    return { entries: size, deleted: 0, checkpoints: kept.length, problems: walk.problems };
  }

  /** The nodes that the entry completes. */
  async #entry(walk: Walk, { place, leafHash, stored, deletedBy }: ScannedReceipt): Promise<readonly PlacedNode[]> {
    if (place !== walk.entries) tell(walk, `Entry ${String(walk.entries)} is missing`);
    if (stored) await this.#receipt(walk, stored);
    else if (deletedBy === null) tell(walk, `Entry ${String(place)} has no body, and no rule deleted it`);
    else {
      walk.deleted += 1;
      walk.missing.set(deletedBy, [...(walk.missing.get(deletedBy) ?? []), leafHash]);
    }
    const next = appendLeaf(place, walk.edge, leafHash);
    walk.edge = next.edge;
    walk.entries = place + 1;
    const head = walk.heads.get(walk.entries);
    const root = head && this.#rootOf(walk, head);
    if (root !== undefined && root !== rootOf(walk.edge)) tell(walk, `The kept head of ${String(walk.entries)} entries is of another tree`);
    return next.nodes;
  }

  async #receipt(walk: Walk, stored: StoredReceipt): Promise<void> {
    const key = this.keys.publicKey(stored.keyId);
    const hmacKey = this.keys.hmacKey(stored.hmacKeyId);
    const file = await this.files.whole(stored, { inclusion: null, checkpoint: null, key });
    // Revoked keys count up to their last entry here: the whole tree is looked at, so nothing hangs on their word alone.
    const keys = this.keys.publicKeys.map((known) => ({ ...known, revokedIndex: null }));
    const failed = verifyFile(file, { ...(hmacKey !== undefined && { hmacKey }), keys }).filter(({ ok }) => ok === false);
    for (const { name, detail } of failed) tell(walk, `Entry ${String(stored.index)}, ${name}: ${detail}`);
    this.#deletion(walk, stored.index, file.evidence);
  }

  /** What the receipt of a deletion says is what is missing, no more and no less. */
  #deletion(walk: Walk, place: number, { details }: Evidence): void {
    if (details?.['action'] !== DELETED) return;
    const record = details['retention'] as RetentionRecord; // as `Retention` wrote it; the signature was checked
    const leaves = walk.missing.get(place) ?? [];
    walk.missing.delete(place);
    if (leaves.length === record.count && leavesDigest(leaves) === record.leaves_sha256) return;
    tell(walk, `Entry ${String(place)} tells of other deletions than there are`);
  }

  #rootOf(walk: Walk, { size, note, keyId }: StoredCheckpoint): string | undefined {
    const key = this.keys.publicKeys.find(({ id }) => id === keyId);
    const head = key && openCheckpoint(note, key.publicKey);
    const isInOrder = key && key.firstIndex <= size && (key.lastIndex === null || size <= key.lastIndex);
    if (head?.size === size && isInOrder) return head.rootHash;
    tell(walk, `The kept head of ${String(size)} entries is not rightly signed`);
    return undefined;
  }

  async #compareNodes(walk: Walk, nodes: readonly PlacedNode[]): Promise<void> {
    const stored = await this.tree.nodes(nodes);
    const wrong = nodes.find((node, at) => stored[at]?.hash !== node.hash);
    if (stored.length !== nodes.length || wrong) tell(walk, `The tree is damaged near entry ${String(walk.entries)}`);
  }
}

function tell({ problems }: Walk, problem: string): void {
  if (problems.length < MOST_PROBLEMS) problems.push(problem);
}
