import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';
import {
  DECISION_OUTCOMES,
  OUTCOMES as VERDICTS,
  RECEIPT_KINDS,
  RISKS,
  RUN_OUTCOMES,
  type Outcome,
  type Page,
  type ReceiptCheck,
  type ReceiptCounts,
  type ReceiptKind,
  type ReceiptSummary,
} from '#contracts';
import { MayBeAbsent } from '#platform';

const OUTCOMES = [...new Set([...RUN_OUTCOMES, ...DECISION_OUTCOMES, 'recorded' as const])] as const;

const COUNTED = ['outcome', 'kind', 'verdict'] as const;

/** Which receipts; every filter that is given must hold. */
export class FilterQuery {
  /** Words that must all stand in the command, the summary or a name. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  readonly q?: string;

  @MayBeAbsent()
  @IsIn(OUTCOMES)
  readonly outcome?: (typeof OUTCOMES)[number];

  @MayBeAbsent()
  @IsIn(RECEIPT_KINDS)
  readonly kind?: ReceiptKind;

  @MayBeAbsent()
  @IsUUID()
  readonly workspace?: string;

  /** Id of the principal whose work it is. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(64)
  readonly principal?: string;

  /** Name of the program or of the connector's action. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(100)
  readonly tool?: string;

  /** What policy said. */
  @MayBeAbsent()
  @IsIn(VERDICTS)
  readonly verdict?: Outcome;

  /** Milliseconds: receipts from this time on. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly from?: number;

  /** Milliseconds: receipts before this time. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly to?: number;
}

export class ReceiptsQuery extends FilterQuery {
  /** `next` of the page before. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(32)
  readonly before?: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

export class CountsQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly from!: number;

  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly to!: number;

  /** Milliseconds of one step. */
  @Type(() => Number)
  @IsInt()
  @Min(60_000)
  readonly step!: number;

  @MayBeAbsent()
  @IsIn(COUNTED)
  readonly by?: (typeof COUNTED)[number];
}

export class CountDto {
  @ApiProperty({ description: 'Begin of the step.' })
  readonly at: number;
  @ApiProperty()
  readonly name: string;
  @ApiProperty()
  readonly count: number;

  constructor({ at, name, count }: ReceiptCounts['items'][number]) {
    this.at = at;
    this.name = name;
    this.count = count;
  }
}

export class ReceiptCountsDto implements ReceiptCounts {
  @ApiProperty()
  readonly stepMs: number;
  @ApiProperty({ type: [CountDto] })
  readonly items: readonly CountDto[];

  constructor({ stepMs, items }: ReceiptCounts) {
    this.stepMs = stepMs;
    this.items = items.map((item) => new CountDto(item));
  }
}

export class ShareQuery {
  /** Fields to leave readable, as JSON Pointers such as `/receipt/command`; may be given several times. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @ArrayMaxSize(50)
  @Matches(/^\/(?:receipt|evidence)(?:\/[^/]{1,60}){1,3}$/, { each: true })
  readonly reveal?: readonly string[];
}

export class ReceiptSummaryDto implements ReceiptSummary {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;
  @ApiProperty()
  readonly index: number;
  @ApiProperty({ enum: RECEIPT_KINDS })
  readonly kind: ReceiptKind;
  @ApiProperty({ enum: OUTCOMES })
  readonly outcome: string;
  @ApiProperty()
  readonly summary: string;
  @ApiProperty()
  readonly command: string;
  @ApiProperty({ enum: RISKS })
  readonly risk: ReceiptSummary['risk'];
  @ApiProperty()
  readonly requesterName: string;
  @ApiProperty({ type: [String] })
  readonly approverNames: readonly string[];
  @ApiProperty()
  readonly workspaceName: string;
  @ApiProperty({ type: Number, nullable: true })
  readonly durationMs: number | null;
  @ApiProperty()
  readonly at: number;

  constructor(summary: ReceiptSummary) {
    this.id = summary.id;
    this.index = summary.index;
    this.kind = summary.kind;
    this.outcome = summary.outcome;
    this.summary = summary.summary;
    this.command = summary.command;
    this.risk = summary.risk;
    this.requesterName = summary.requesterName;
    this.approverNames = summary.approverNames;
    this.workspaceName = summary.workspaceName;
    this.durationMs = summary.durationMs;
    this.at = summary.at;
  }
}

export class ReceiptsPageDto implements Page<ReceiptSummary> {
  @ApiProperty({ type: [ReceiptSummaryDto] })
  readonly items: readonly ReceiptSummaryDto[];
  @ApiProperty({ type: String, nullable: true })
  readonly next: string | null;

  constructor({ items, next }: Page<ReceiptSummary>) {
    this.items = items.map((summary) => new ReceiptSummaryDto(summary));
    this.next = next;
  }
}

export class ReceiptCheckDto implements ReceiptCheck {
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ type: Boolean, nullable: true, description: 'Null: not checked; `detail` says why.' })
  readonly ok: boolean | null;
  @ApiProperty()
  readonly detail: string;

  constructor({ name, ok, detail }: ReceiptCheck) {
    this.name = name;
    this.ok = ok;
    this.detail = detail;
  }
}
