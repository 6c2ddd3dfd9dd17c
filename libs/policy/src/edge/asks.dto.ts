import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import {
  ANSWERS,
  ASK_KINDS,
  ASK_STATUSES,
  RISKS,
  VOTE_CHANNELS,
  type Answer,
  type Ask,
  type AskKind,
  type Deciders,
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
    if (ask.remembers !== undefined) this.remembers = ask.remembers;
    if (ask.notRemembered !== undefined) this.notRemembered = ask.notRemembered;
    this.createdAt = ask.createdAt;
    this.expiresAt = ask.expiresAt;
    this.resolvedAt = ask.resolvedAt;
    this.votes = ask.votes.map((vote) => new VoteDto(vote));
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
