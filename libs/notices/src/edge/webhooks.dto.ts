import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import {
  DELIVERY_STATUSES,
  NOTICE_TYPES,
  RISKS,
  ROLES,
  WEBHOOK_FORMATS,
  WEEKDAYS,
  type CreatedWebhook,
  type Delivery,
  type DeliveryStatus,
  type NoticeRoutes,
  type NoticeType,
  type Page,
  type QuietHours,
  type Risk,
  type Role,
  type Snapshot,
  type Webhook,
  type WebhookFormat,
  type Weekday,
  type WorkspaceId,
} from '#contracts';
import { MayBeAbsent } from '#platform';

const MOST_WORKSPACES = 100;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

export class NoticeRoutesDto implements NoticeRoutes {
  @ApiProperty({ enum: NOTICE_TYPES, isArray: true })
  @IsArray()
  @IsIn(NOTICE_TYPES, { each: true })
  readonly types: readonly NoticeType[] = [];

  @ApiProperty({ type: [String], format: 'uuid' })
  @IsArray()
  @ArrayMaxSize(MOST_WORKSPACES)
  @IsUUID(undefined, { each: true })
  readonly workspaces: readonly WorkspaceId[] = [];

  @ApiProperty({ enum: RISKS })
  @IsIn(RISKS)
  readonly leastRisk: Risk = 'low';

  @ApiProperty({ enum: ROLES, isArray: true })
  @IsArray()
  @IsIn(ROLES, { each: true })
  readonly deciders: readonly Role[] = [];
}

export class QuietHoursDto implements QuietHours {
  /** IANA name, such as `Europe/Berlin`. */
  @ApiProperty()
  @IsString()
  @MaxLength(64)
  readonly zone!: string;

  @ApiProperty({ enum: WEEKDAYS, isArray: true })
  @IsArray()
  @IsIn(WEEKDAYS, { each: true })
  readonly days: readonly Weekday[] = [];

  @ApiProperty()
  @Matches(TIME)
  readonly from!: string;

  @ApiProperty()
  @Matches(TIME)
  readonly to!: string;
}

export class CreateWebhookDto {
  @ApiProperty({ maxLength: 100 })
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly name!: string;

  @ApiProperty({ enum: WEBHOOK_FORMATS })
  @IsIn(WEBHOOK_FORMATS)
  readonly format!: WebhookFormat;

  @ApiProperty({ maxLength: 2_048 })
  @IsString()
  @MaxLength(2_048)
  readonly url!: string;

  @ApiPropertyOptional({ type: NoticeRoutesDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => NoticeRoutesDto)
  readonly routes?: NoticeRoutesDto;

  @ApiPropertyOptional({ type: QuietHoursDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  readonly quietHours?: QuietHoursDto;
}

export class ChangeWebhookDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly name?: string;

  @ApiPropertyOptional({ enum: WEBHOOK_FORMATS })
  @MayBeAbsent()
  @IsIn(WEBHOOK_FORMATS)
  readonly format?: WebhookFormat;

  @ApiPropertyOptional({ maxLength: 2_048 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_048)
  readonly url?: string;

  @ApiPropertyOptional({ type: NoticeRoutesDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => NoticeRoutesDto)
  readonly routes?: NoticeRoutesDto;

  @ApiPropertyOptional({ type: QuietHoursDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  readonly quietHours?: QuietHoursDto;

  /** Takes the quiet hours away. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly alwaysLoud?: boolean;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly isEnabled?: boolean;
}

export class DeliveriesQuery {
  @MayBeAbsent()
  @IsIn(DELIVERY_STATUSES)
  readonly status?: DeliveryStatus;

  /** `next` of the page before. */
  @MayBeAbsent()
  @IsUUID()
  readonly before?: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

export class WebhookDto implements Webhook {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: Webhook['id'];
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ enum: WEBHOOK_FORMATS })
  readonly format: WebhookFormat;
  @ApiProperty()
  readonly place: string;
  @ApiProperty({ type: NoticeRoutesDto })
  readonly routes: NoticeRoutes;
  @ApiProperty({ type: QuietHoursDto, nullable: true })
  readonly quietHours: QuietHours | null;
  @ApiProperty()
  readonly isEnabled: boolean;
  @ApiProperty({ type: String, nullable: true })
  readonly stopped: string | null;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty()
  readonly changedAt: number;

  constructor(webhook: Webhook) {
    this.id = webhook.id;
    this.name = webhook.name;
    this.format = webhook.format;
    this.place = webhook.place;
    this.routes = webhook.routes;
    this.quietHours = webhook.quietHours;
    this.isEnabled = webhook.isEnabled;
    this.stopped = webhook.stopped;
    this.createdAt = webhook.createdAt;
    this.changedAt = webhook.changedAt;
  }
}

export class CreatedWebhookDto implements CreatedWebhook {
  @ApiProperty({ type: WebhookDto })
  readonly webhook: Webhook;
  @ApiProperty()
  readonly secret: string;

  constructor({ webhook, secret }: CreatedWebhook) {
    this.webhook = new WebhookDto(webhook);
    this.secret = secret;
  }
}

export class WebhooksDto implements Snapshot<Webhook> {
  @ApiProperty({ type: [WebhookDto] })
  readonly items: readonly Webhook[];
  @ApiProperty()
  readonly seq: number;

  constructor({ items, seq }: Snapshot<Webhook>) {
    this.items = items.map((webhook) => new WebhookDto(webhook));
    this.seq = seq;
  }
}

export class DeliveryDto implements Delivery {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: Delivery['id'];
  @ApiProperty({ type: String, format: 'uuid' })
  readonly webhookId: Delivery['webhookId'];
  @ApiProperty({ enum: NOTICE_TYPES })
  readonly type: NoticeType;
  @ApiProperty()
  readonly title: string;
  @ApiProperty({ enum: DELIVERY_STATUSES })
  readonly status: DeliveryStatus;
  @ApiProperty()
  readonly attempts: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly nextAt: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly lastStatus: number | null;
  @ApiProperty({ type: String, nullable: true })
  readonly lastError: string | null;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly endedAt: number | null;

  constructor(delivery: Delivery) {
    this.id = delivery.id;
    this.webhookId = delivery.webhookId;
    this.type = delivery.type;
    this.title = delivery.title;
    this.status = delivery.status;
    this.attempts = delivery.attempts;
    this.nextAt = delivery.nextAt;
    this.lastStatus = delivery.lastStatus;
    this.lastError = delivery.lastError;
    this.createdAt = delivery.createdAt;
    this.endedAt = delivery.endedAt;
  }
}

export class DeliveriesDto implements Page<Delivery> {
  @ApiProperty({ type: [DeliveryDto] })
  readonly items: readonly Delivery[];
  @ApiProperty({ type: String, nullable: true })
  readonly next: string | null;

  constructor({ items, next }: Page<Delivery>) {
    this.items = items.map((delivery) => new DeliveryDto(delivery));
    this.next = next;
  }
}
