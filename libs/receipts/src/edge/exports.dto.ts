import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsIn, IsUUID, Matches } from 'class-validator';
import type { ReceiptId } from '#contracts';
import { MayBeAbsent } from '#platform';
import { FilterQuery } from './receipts.dto.js';

const FORMATS = ['bundle', 'intoto', 'csv'] as const;

/** Only `from` and `to`: a whole stretch of the ledger, which shows that nothing was left out. */
export class ExportQuery extends FilterQuery {
  @MayBeAbsent()
  @IsIn(FORMATS)
  readonly format?: (typeof FORMATS)[number];

  /** Hide commands, paths and output; not for tables. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  readonly share?: boolean;

  /** Fields that stay readable in a shared export, as JSON Pointers; may be given several times. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @ArrayMaxSize(50)
  @Matches(/^\/(?:receipt|evidence)(?:\/[^/]{1,60}){1,3}$/, { each: true })
  readonly reveal?: readonly string[];

  /** One receipt. */
  @MayBeAbsent()
  @IsUUID()
  readonly id?: ReceiptId;
}
