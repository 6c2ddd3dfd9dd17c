import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ConsistencyProof, InclusionProof, KeptCheckpoint, LedgerCheckpoint, LedgerLeaves, Page, Proof } from '#contracts';
import { AppError, Clock, ScheduledWork, type Tx } from '#platform';
import type { TreeHead } from './core/checkpoint.js';
import {
  appendLeaf,
  consistencyPlaces,
  consistencyProof,
  inclusionPlaces,
  inclusionProof,
  rootOf,
  rootPlaces,
  type NodePlace,
  type ReadNode,
} from './core/merkle.js';
import { openCheckpoint, signCheckpoint } from './core/signed.js';
import { LedgerRepository } from './ports.js';
import { ReceiptKeys } from './receipt-keys.js';

const CHECKPOINT_EVERY_MS = 60_000;

/** How an entry is shown to stand in the ledger. */
export type LedgerProof = Required<Pick<Proof['ledger'], 'inclusion' | 'checkpoint'>> & { readonly key: LedgerCheckpoint['key'] };

/** What an entry commits to, and the keys that signed it. */
export interface NewEntry {
  readonly leafHash: string;
  readonly keyId: string;
  /** Null: the entry has no 1.0 part. */
  readonly hmacKeyId: string | null;
  /** When it happened. */
  readonly at: number;
}

/** An entry's place in the order of the ledger, and its time, which follows that order. */
export interface LedgerPlace {
  readonly index: number;
  readonly at: number;
}

/** Owner of the append-only log over all receipts: entries get their index here, and nowhere else. */
@Injectable()
export class Ledger implements OnModuleInit {
  #origin: string | undefined;
  #signed: LedgerCheckpoint | undefined;
  #kept = 0;

  constructor(
    private readonly tree: LedgerRepository,
    private readonly keys: ReceiptKeys,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.work.every(CHECKPOINT_EVERY_MS, 'Keeping a checkpoint of the ledger', () => this.keepCheckpoint());
  }

  /**
   * The entry's place; undefined when it was signed with keys that are no longer active: reload them and sign again. Writers
   * wait here for each other, so call it late in a transaction.
   */
  async append(tx: Tx, { leafHash, keyId, hmacKeyId, at }: NewEntry): Promise<LedgerPlace | undefined> {
    const head = await this.tree.lock(tx);
    if (head.keyId !== keyId || (hmacKeyId !== null && head.hmacKeyId !== hmacKeyId)) return undefined;
    const next = appendLeaf(head.size, head.edge, leafHash);
    const place = { index: head.size, at: Math.max(head.at, at) };
    await this.tree.append(tx, { size: head.size + 1, edge: next.edge, at: place.at }, next.nodes);
    return place;
  }

  /** Leads from a committed entry to the signed head of this moment. */
  async prove(index: number): Promise<LedgerProof> {
    const [proof] = await this.proveIn(await this.checkpoint(), [index]);
    if (!proof) throw new Error(`Entry ${String(index)} has no proof`);
    return proof;
  }

  /** Leads from entries to one signed head. */
  async proveIn({ size, note, key }: LedgerCheckpoint, indexes: readonly number[]): Promise<readonly LedgerProof[]> {
    const places = new Map(indexes.flatMap((index) => inclusionPlaces(index, size)).map((place) => [nameOf(place), place]));
    const read = await this.#reader([...places.values()]);
    return indexes.map((index) => ({ inclusion: { treeSize: size, hashes: inclusionProof(index, size, read) }, checkpoint: note, key }));
  }

  /** The signed head of this moment. Only committed entries are ever signed, with the key that the head names. */
  async checkpoint(): Promise<LedgerCheckpoint> {
    for (;;) {
      const { size, edge, keyId } = await this.tree.head();
      if (this.#signed?.size === size && this.#signed.key.id === keyId) return this.#signed;
      const key = await this.keys.signer(keyId);
      if (!key) continue; // rotated between the two reads
      const head: TreeHead = { origin: await this.origin(), size, rootHash: rootOf(edge) };
      this.#signed = { size, rootHash: head.rootHash, note: signCheckpoint(head, key), key: key.public };
      return this.#signed;
    }
  }

  /** Heads that were kept while the ledger grew, newest first. */
  async checkpoints(before: number | undefined, limit: number): Promise<Page<KeptCheckpoint>> {
    const found = await this.tree.checkpoints(before ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const items = found.slice(0, limit).flatMap(({ size, note, keyId, at }) => {
      const key = this.keys.publicKey(keyId);
      const head = openCheckpoint(note, key.publicKey);
      return head ? [{ size, rootHash: head.rootHash, note, key, at }] : []; // a head that somebody touched is none
    });
    return { items, next: found.length > limit ? String(found[limit - 1]?.size ?? '') : null };
  }

  /** Leads from an entry, whose body may be deleted, to the tree of this size. */
  async inclusion(index: number, size?: number): Promise<InclusionProof> {
    const treeSize = await this.#sizeWithin(size);
    if (index >= treeSize) throw outside({ index, size: treeSize });
    const leaf: NodePlace = { level: 0, index };
    const read = await this.#reader([leaf, ...inclusionPlaces(index, treeSize)]);
    return { index, treeSize, leafHash: read(leaf), hashes: inclusionProof(index, treeSize, read) };
  }

  /** Shows that the ledger of `to` begins with the ledger of `from`. */
  async consistency(from: number, to?: number): Promise<ConsistencyProof> {
    const size = await this.#sizeWithin(to);
    if (from > size) throw outside({ from, to: size });
    const read = await this.#reader([...rootPlaces(from), ...rootPlaces(size), ...consistencyPlaces(from, size)]);
    const root = (of: number): string => rootOf(rootPlaces(of).map(read));
    return { from, to: size, fromRoot: root(from), toRoot: root(size), hashes: consistencyProof(from, size, read) };
  }

  /** Leaf hashes from an index on. */
  async leaves(from: number, limit: number): Promise<LedgerLeaves> {
    const { size } = await this.tree.head();
    const places = Array.from({ length: Math.max(0, Math.min(limit, size - from)) }, (_, at) => ({ level: 0, index: from + at }));
    return { from, hashes: places.map(await this.#reader(places)) };
  }

  /** The ledger's name, which its checkpoints carry. */
  async origin(tx?: Tx): Promise<string> {
    this.#origin ??= await this.tree.origin(tx);
    return this.#origin;
  }

  /** Nobody else appends until the transaction ends. The index of the next entry. */
  async hold(tx: Tx): Promise<number> {
    return (await this.tree.lock(tx)).size;
  }

  async keepCheckpoint(): Promise<void> {
    const { size, note, key } = await this.checkpoint();
    if (size === this.#kept) return;
    await this.tree.keepCheckpoint({ size, note, keyId: key.id, at: this.clock.now() });
    this.#kept = size;
  }

  async #reader(places: readonly NodePlace[]): Promise<ReadNode> {
    const nodes = new Map((await this.tree.nodes(places)).map((node) => [nameOf(node), node.hash]));
    return (place) => {
      const hash = nodes.get(nameOf(place));
      if (hash === undefined) throw new Error(`The ledger lacks node ${nameOf(place)}`);
      return hash;
    };
  }

  async #sizeWithin(wanted: number | undefined): Promise<number> {
    const { size } = await this.tree.head();
    if (wanted !== undefined && wanted > size) throw outside({ size: wanted });
    return wanted ?? size;
  }
}

function outside(details: Readonly<Record<string, number>>): AppError {
  return new AppError('INPUT_INVALID', 'The ledger has no such entry or size', details);
}

function nameOf({ level, index }: NodePlace): string {
  return `${String(level)}/${String(index)}`;
}
