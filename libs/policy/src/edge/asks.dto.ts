import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsString, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import {
  ANSWERS,
  ASK_DELIVERIES,
  ASK_KINDS,
  ASK_STATUSES,
  RISKS,
  VOTE_CHANNELS,
  type Answer,
  type Ask,
  type AskDelivery,
  type AskKind,
  type AskQuestion,
  type Deciders,
  type Escalation,
  type GivenAnswer,
  type HostCall,
  type QuestionAnswer,
  type Vote,
  REMEMBER_SCOPES,
  type RememberScope,
  type AskFamily,
} from '#contracts';
import { MayBeAbsent } from '#platform';
import type { AskList } from '../asks.js';

export class AsksQuery {
  @IsIn(['open', 'closed'])
  readonly state: 'open' | 'closed' = 'open';

  @MayBeAbsent()
  @IsIn(ASK_KINDS)
  readonly kind?: AskKind;

  /** `next` of the page before; closed asks only. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(64)
  readonly before?: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  readonly limit?: number;
}

export class CastVoteDto {
  @ApiProperty({ enum: ANSWERS })
  @IsIn(ANSWERS)
  readonly answer!: Answer;

  /** The digest that the voter was shown. */
  @ApiProperty()
  @IsString()
  @Matches(/^[0-9a-f]{64}$/)
  readonly digest!: string;

  /** Why, for the one who asked and for the receipt. */
  @ApiPropertyOptional({ maxLength: 2_000 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_000)
  readonly reason?: string;

  /** Whether an approval counts again in this session. */
  @ApiPropertyOptional({ enum: REMEMBER_SCOPES })
  @MayBeAbsent()
  @IsIn(REMEMBER_SCOPES)
  readonly remember?: RememberScope;
}

export class QuestionAnswerDto implements QuestionAnswer {
  @ApiProperty({ description: 'Of the question.' })
  @IsString()
  @MaxLength(256)
  readonly id!: string;

  @ApiProperty({ type: [String], description: 'Labels of the chosen options.' })
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(2_000, { each: true })
  readonly selected!: readonly string[];

  @ApiPropertyOptional({ description: 'Free text.', maxLength: 16_384 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(16_384)
  readonly custom?: string;
}

export class GiveAnswersDto {
  /** The digest that was shown. */
  @ApiProperty()
  @IsString()
  @Matches(/^[0-9a-f]{64}$/)
  readonly digest!: string;

  @ApiProperty({ type: [QuestionAnswerDto] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => QuestionAnswerDto)
  readonly answers!: readonly QuestionAnswerDto[];
}

export class ExtendAskDto {
  /** The new end, in milliseconds since 1970. */
  @ApiProperty()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly until!: number;

  @ApiPropertyOptional({ maxLength: 2_000 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_000)
  readonly reason?: string;
}

export class VoteDto implements Vote {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: Vote['id'];
  @ApiProperty({ type: String, format: 'uuid' })
  readonly askId: Vote['askId'];
  @ApiProperty({ type: String })
  readonly by: Vote['by'];
  @ApiProperty()
  readonly byName: string;
  @ApiProperty({ enum: VOTE_CHANNELS })
  readonly channel: Vote['channel'];
  @ApiProperty({ enum: ANSWERS })
  readonly answer: Answer;
  @ApiProperty({ type: String, nullable: true })
  readonly reason: string | null;
  @ApiProperty()
  readonly digest: string;
  @ApiProperty()
  readonly at: number;
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  readonly rememberedId?: NonNullable<Vote['rememberedId']>;
  @ApiPropertyOptional({ type: Object, description: 'Whose right was used, when it had been handed over.' })
  readonly onBehalfOf?: NonNullable<Vote['onBehalfOf']>;
  @ApiPropertyOptional({ description: 'When the voter had last proved that it is them; where policy asks for it.' })
  readonly provedAt?: number;

  constructor(vote: Vote) {
    this.id = vote.id;
    this.askId = vote.askId;
    this.by = vote.by;
    this.byName = vote.byName;
    this.channel = vote.channel;
    this.answer = vote.answer;
    this.reason = vote.reason;
    this.digest = vote.digest;
    this.at = vote.at;
    if (vote.rememberedId !== undefined) this.rememberedId = vote.rememberedId;
    if (vote.onBehalfOf !== undefined) this.onBehalfOf = vote.onBehalfOf;
    if (vote.provedAt !== undefined) this.provedAt = vote.provedAt;
  }
}

export class AskDto implements Ask {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: Ask['id'];
  @ApiProperty({ enum: ASK_KINDS })
  readonly kind: AskKind;
  @ApiProperty({ enum: ASK_STATUSES })
  readonly status: Ask['status'];
  @ApiProperty({ type: String, nullable: true })
  readonly planId: Ask['planId'];
  @ApiProperty({ type: String, nullable: true })
  readonly sessionId: Ask['sessionId'];
  @ApiProperty({ type: String, nullable: true })
  readonly workspaceId: Ask['workspaceId'];
  @ApiProperty({ type: String })
  readonly requester: Ask['requester'];
  @ApiProperty()
  readonly requesterName: string;
  @ApiProperty({ type: String, nullable: true })
  readonly requesterPersonId: Ask['requesterPersonId'];
  @ApiProperty({ type: String, nullable: true })
  readonly requesterPersonName: string | null;
  @ApiProperty()
  readonly title: string;
  @ApiProperty()
  readonly summary: string;
  @ApiProperty({ enum: RISKS })
  readonly risk: Ask['risk'];
  @ApiProperty({ type: [String] })
  readonly reasons: readonly string[];
  @ApiProperty()
  readonly digest: string;
  @ApiProperty()
  readonly quorum: number;
  @ApiProperty()
  readonly notRequester: boolean;
  @ApiPropertyOptional({ type: [Object], description: 'Who may vote beyond that: a voter must be among each of them.' })
  readonly deciders?: readonly Deciders[];
  @ApiPropertyOptional({ description: 'Who votes must have proved lately, with a second factor, that it is them.' })
  readonly stepUp?: boolean;
  @ApiPropertyOptional({ type: [Object], description: 'To whom it goes when nobody has decided by then.' })
  readonly escalations?: readonly Escalation[];
  @ApiPropertyOptional({ type: [String], description: 'Votes that did not count when the last one was given.' })
  readonly lapsed?: NonNullable<Ask['lapsed']>;
  @ApiPropertyOptional({ description: 'Late from here on, though it still waits.' })
  readonly dueAt?: number;
  @ApiPropertyOptional({ type: Object, description: 'What a remembered approval of it would count for.' })
  readonly remembers?: AskFamily;
  @ApiPropertyOptional({ description: 'Why an approval of it cannot be remembered.' })
  readonly notRemembered?: string;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty()
  readonly expiresAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly resolvedAt: number | null;
  @ApiProperty({ type: [VoteDto] })
  readonly votes: readonly VoteDto[];
  @ApiPropertyOptional({ type: Object, description: 'The call of an agent host that this is about.' })
  readonly host?: HostCall;
  @ApiPropertyOptional({ type: [Object], description: 'In the order of the host.' })
  readonly questions?: readonly AskQuestion[];
  @ApiPropertyOptional({ type: [Object], description: 'Those given so far, each with who gave it.' })
  readonly answers?: readonly GivenAnswer[];
  @ApiPropertyOptional({ enum: ASK_DELIVERIES, description: 'How far the decision has come on its way into the host.' })
  readonly delivery?: AskDelivery;
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly deliveryNote?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true, description: 'Why it ended without an answer.' })
  readonly endedWhy?: string | null;

  constructor(ask: Ask) {
    this.id = ask.id;
    this.kind = ask.kind;
    this.status = ask.status;
    this.planId = ask.planId;
    this.sessionId = ask.sessionId;
    this.workspaceId = ask.workspaceId;
    this.requester = ask.requester;
    this.requesterName = ask.requesterName;
    this.requesterPersonId = ask.requesterPersonId;
    this.requesterPersonName = ask.requesterPersonName ?? null;
    this.title = ask.title;
    this.summary = ask.summary;
    this.risk = ask.risk;
    this.reasons = ask.reasons;
    this.digest = ask.digest;
    this.quorum = ask.quorum;
    this.notRequester = ask.notRequester;
    if (ask.deciders !== undefined) this.deciders = ask.deciders;
    if (ask.dueAt !== undefined) this.dueAt = ask.dueAt;
    if (ask.stepUp !== undefined) this.stepUp = ask.stepUp;
    if (ask.escalations !== undefined) this.escalations = ask.escalations;
    if (ask.lapsed !== undefined) this.lapsed = ask.lapsed;
    if (ask.remembers !== undefined) this.remembers = ask.remembers;
    if (ask.notRemembered !== undefined) this.notRemembered = ask.notRemembered;
    this.createdAt = ask.createdAt;
    this.expiresAt = ask.expiresAt;
    this.resolvedAt = ask.resolvedAt;
    this.votes = ask.votes.map((vote) => new VoteDto(vote));
    if (ask.host !== undefined) this.host = ask.host;
    if (ask.questions !== undefined) this.questions = ask.questions;
    if (ask.answers !== undefined) this.answers = ask.answers;
    if (ask.delivery !== undefined) this.delivery = ask.delivery;
    if (ask.deliveryNote !== undefined) this.deliveryNote = ask.deliveryNote;
    if (ask.endedWhy !== undefined) this.endedWhy = ask.endedWhy;
  }
}

export class AsksDto implements AskList {
  @ApiProperty({ type: [AskDto] })
  readonly items: readonly AskDto[];
  @ApiProperty({ description: 'Follow events after this number.' })
  readonly seq: number;
  @ApiProperty({ type: String, nullable: true })
  readonly next: string | null;

  constructor({ items, seq, next }: AskList) {
    this.items = items.map((ask) => new AskDto(ask));
    this.seq = seq;
    this.next = next;
  }
}
