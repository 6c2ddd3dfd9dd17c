import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal } from '#contracts';
import { BodyLimit, Caller, SignedIn } from '#platform';
import { Explanations } from '../explanations.js';
import { ExplainDto, ExplanationDto } from './explain.dto.js';

/** REST door of explanations. Changes nothing, plans nothing, runs nothing. */
@ApiTags('policy')
@Controller('policy')
@SignedIn()
export class ExplainController {
  constructor(private readonly explanations: Explanations) {}

  @Post('explain')
  @HttpCode(200)
  @BodyLimit(1024 * 1024)
  @ApiOkResponse({ type: ExplanationDto })
  async explain(
    @Caller() principal: Principal,
    @Body() { workspace, mode, cwd, argv, command, yaml }: ExplainDto,
  ): Promise<ExplanationDto> {
    return new ExplanationDto(await this.explanations.explain({ principal, workspace, mode, cwd, argv, command, yaml }));
  }
}
