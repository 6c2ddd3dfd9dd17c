export { receiptsMigrations } from './adapters/receipts.migrations.js';
export { verifierPath } from './edge/verifier-source.js';
export { receiptFileOutput } from './edge/receipts.tools.js';
export { adminDraft } from './core/admin-draft.js';
export { KeyChanges } from './key-changes.js';
export { ReceiptKeys } from './receipt-keys.js';
export { Receipts } from './receipts.js';
export type { ReceiptDraft, ReceiptPage, ReceiptRef } from './receipts.js';
export { ReceiptsModule } from './receipts.module.js';
