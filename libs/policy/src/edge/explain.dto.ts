import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import {
  MODES,
  OUTCOMES,
  RISKS,
  type AskTerms,
  type BaseVerdict,
  type Decision,
  type PolicyLimits,
  type Mode,
  type Outcome,
  type Risk,
  type Stage,
  type StageFacts,
} from '#contracts';
import { MayBeAbsent } from '#platform';
import type { Explanation } from '../explanations.js';

export class ExplainDto {
  /** Id or name; without one the first. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  readonly workspace?: string;

  /** Default: the mode of the workspace. */
  @ApiPropertyOptional({ enum: MODES })
  @MayBeAbsent()
  @IsIn(MODES)
  readonly mode?: Mode;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(4_096)
  readonly cwd?: string;

  @ApiPropertyOptional({ type: [String] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_024)
  @IsString({ each: true })
  readonly argv?: string[];

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  readonly command?: string;

  /** A draft of the policy document, to decide by instead of the one in force. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(300_000)
  readonly yaml?: string;
}

export class ExplanationDto implements Pick<
  Decision,
  'outcome' | 'risk' | 'reasons' | 'rules' | 'policyVersion' | 'quorum' | 'notRequester' | 'terms' | 'limits' | 'base'
> {
  @ApiProperty({ enum: OUTCOMES })
  readonly outcome: Outcome;
  @ApiProperty({ enum: RISKS })
  readonly risk: Risk;
  @ApiProperty({ type: [String] })
  readonly reasons: readonly string[];
  @ApiProperty({ type: [String] })
  readonly rules: readonly string[];
  @ApiProperty({ type: [Object], description: 'Facts of each stage, in order.' })
  readonly facts: readonly StageFacts[];
  @ApiProperty({ type: [Object], description: 'The stages as they would be run.' })
  readonly stages: readonly Stage[];
  @ApiProperty({ enum: MODES })
  readonly mode: Mode;
  @ApiProperty()
  readonly cwd: string;
  @ApiProperty()
  readonly policyVersion: string;
  @ApiProperty()
  readonly quorum: number;
  @ApiProperty()
  readonly notRequester: boolean;
  @ApiPropertyOptional({ type: Object, description: 'How an ask would be decided.' })
  readonly terms?: AskTerms;
  @ApiPropertyOptional({ type: Object, description: 'Bounds that rules set.' })
  readonly limits?: PolicyLimits;
  @ApiPropertyOptional({ type: Object, description: 'What the built-in policy says by itself.' })
  readonly base?: BaseVerdict;

  constructor({ decision, mode, cwd, stages }: Explanation) {
    this.outcome = decision.outcome;
    this.risk = decision.risk;
    this.reasons = decision.reasons;
    this.rules = decision.rules;
    this.facts = decision.stages;
    this.stages = stages;
    this.mode = mode;
    this.cwd = cwd;
    this.policyVersion = decision.policyVersion;
    this.quorum = decision.quorum;
    this.notRequester = decision.notRequester;
    if (decision.terms) this.terms = decision.terms;
    if (decision.limits) this.limits = decision.limits;
    if (decision.base) this.base = decision.base;
  }
}
