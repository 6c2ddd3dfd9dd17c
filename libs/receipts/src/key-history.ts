import { Injectable } from '@nestjs/common';
import type { KeyHistory } from '#contracts';
import { Ledger } from './ledger.js';
import { ReceiptRepository } from './ports.js';
import { ReceiptFiles } from './receipt-files.js';
import { ReceiptKeys } from './receipt-keys.js';

/** Tells how the keys of today follow from the first one, which the ledger's name holds. */
@Injectable()
export class KeyHistories {
  constructor(
    private readonly keys: ReceiptKeys,
    private readonly rows: ReceiptRepository,
    private readonly files: ReceiptFiles,
    private readonly ledger: Ledger,
  ) {}

  async read(): Promise<KeyHistory> {
    await this.keys.reload(); // another process may have changed them
    const { publicKeys, infos } = this.keys;
    const places = infos.flatMap(({ lastIndex, revokedIndex }) => [lastIndex, revokedIndex]).filter((place) => place !== null);
    const stored = await this.rows.at(places.sort((one, other) => one - other));
    const records = [];
    for (const each of stored) records.push(await this.files.whole(each));
    return { origin: await this.ledger.origin(), keys: publicKeys, records };
  }
}
