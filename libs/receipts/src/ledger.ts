import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { LedgerCheckpoint, Proof } from '#contracts';
import { Clock, ScheduledWork, type Tx } from '#platform';
import type { TreeHead } from './core/checkpoint.js';
import {
  appendLeaf,
  consistencyPlaces,
  consistencyProof,
  inclusionPlaces,
  inclusionProof,
  rootOf,
  type NodePlace,
  type ReadNode,
} from './core/merkle.js';
import { signCheckpoint } from './core/signed.js';
import { LedgerRepository } from './ports.js';
import { ReceiptKeys } from './receipt-keys.js';

const CHECKPOINT_EVERY_MS = 60_000;

/** How an entry is shown to stand in the ledger. */
export type LedgerProof = Required<Pick<Proof['ledger'], 'inclusion' | 'checkpoint'>> & { readonly key: LedgerCheckpoint['key'] };

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

  /** The entry's index. Writers wait here for each other, so call it late in a transaction. */
  async append(tx: Tx, leafHash: string): Promise<number> {
    const { size, edge } = await this.tree.lock(tx);
    const next = appendLeaf(size, edge, leafHash);
    await this.tree.append(tx, { size: size + 1, edge: next.edge }, next.nodes);
    return size;
  }

  /** Leads from a committed entry to the signed head of this moment. */
  async prove(index: number): Promise<LedgerProof> {
    const { size, note, key } = await this.checkpoint();
    const read = await this.#reader(inclusionPlaces(index, size));
    return { inclusion: { treeSize: size, hashes: inclusionProof(index, size, read) }, checkpoint: note, key };
  }

  /** The signed head of this moment. Only committed entries are ever signed. */
  async checkpoint(): Promise<LedgerCheckpoint> {
    const { size, edge } = await this.tree.edge();
    const key = this.keys.signing;
    if (this.#signed?.size === size && this.#signed.key.id === key.public.id) return this.#signed;
    const head: TreeHead = { origin: await this.#name(), size, rootHash: rootOf(edge) };
    this.#signed = { size, rootHash: head.rootHash, note: signCheckpoint(head, key), key: key.public };
    return this.#signed;
  }

  /** Shows that the ledger of `size` begins with the ledger of `oldSize`. Undefined: the ledger never had these sizes. */
  async consistency(oldSize: number, size: number): Promise<readonly string[] | undefined> {
    const head = await this.tree.edge();
    if (oldSize < 0 || oldSize > size || size > head.size) return undefined;
    return consistencyProof(oldSize, size, await this.#reader(consistencyPlaces(oldSize, size)));
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

  async #name(): Promise<string> {
    this.#origin ??= await this.tree.origin(`countersign/ledger/${this.keys.signing.public.id}`);
    return this.#origin;
  }
}

function nameOf({ level, index }: NodePlace): string {
  return `${String(level)}/${String(index)}`;
}
