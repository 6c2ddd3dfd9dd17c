import { Module } from '@nestjs/common';
import { KyselyKeyRepository } from './adapters/kysely-key.repository.js';
import { KyselyLedgerRepository } from './adapters/kysely-ledger.repository.js';
import { KyselyRetentionRepository } from './adapters/kysely-retention.repository.js';
import { KyselySearchRepository } from './adapters/kysely-search.repository.js';
import { KyselyReceiptRepository } from './adapters/kysely-receipt.repository.js';
import { KeysController } from './edge/keys.controller.js';
import { LedgerController } from './edge/ledger.controller.js';
import { ExportsController } from './edge/exports.controller.js';
import { RetentionController } from './edge/retention.controller.js';
import { ReceiptPrompts } from './edge/receipts.prompts.js';
import { ReceiptResources } from './edge/receipts.resources.js';
import { ReceiptTools } from './edge/receipts.tools.js';
import { SchemasController } from './edge/schemas.controller.js';
import { ReceiptsController } from './edge/receipts.controller.js';
import { KeyChanges } from './key-changes.js';
import { KeyHistories } from './key-history.js';
import { LedgerCheck } from './ledger-check.js';
import { Ledger } from './ledger.js';
import { ReceiptExports } from './receipt-exports.js';
import { KeyRepository, LedgerRepository, ReceiptRepository, RetentionRepository, SearchRepository } from './ports.js';
import { ReceiptFiles } from './receipt-files.js';
import { ReceiptKeys } from './receipt-keys.js';
import { Receipts } from './receipts.js';
import { Retention } from './retention.js';
import { SearchIndexing } from './search-indexing.js';

/** Owns redaction, receipts of every kind, their signing keys and the ledger. */
@Module({
  controllers: [ExportsController, ReceiptsController, KeysController, LedgerController, RetentionController, SchemasController],
  providers: [
    Receipts,
    ReceiptFiles,
    ReceiptExports,
    ReceiptKeys,
    KeyChanges,
    KeyHistories,
    Ledger,
    LedgerCheck,
    SearchIndexing,
    Retention,
    ReceiptTools,
    ReceiptResources,
    ReceiptPrompts,
    { provide: ReceiptRepository, useClass: KyselyReceiptRepository },
    { provide: SearchRepository, useClass: KyselySearchRepository },
    { provide: RetentionRepository, useClass: KyselyRetentionRepository },
    { provide: LedgerRepository, useClass: KyselyLedgerRepository },
    { provide: KeyRepository, useClass: KyselyKeyRepository },
  ],
  exports: [LedgerCheck, ReceiptExports, Receipts, Retention, ReceiptKeys, KeyChanges],
})
export class ReceiptsModule {}
