import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LinkPurpose } from '#contracts';
import { Public } from '#platform';
import { AccountLinks } from '../account-links.js';
import { AuthStateDto, LinkDto, UseResetDto, WelcomeDto } from './auth.dto.js';
import { SignIns } from './sign-ins.js';

/** REST door for whoever holds a one-use link. Its secret comes in a body, never in an address. */
@ApiTags('auth')
@Controller('auth')
export class LinksController {
  constructor(
    private readonly links: AccountLinks,
    private readonly signIns: SignIns,
  ) {}

  /** What the link is for. Looking at it does not use it. */
  @Post('link')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ schema: { type: 'object' } })
  purpose(@Body() { token }: LinkDto): Promise<LinkPurpose> {
    return this.links.purposeOf(token);
  }

  @Post('invite')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async accept(
    @Body() { token, name, password }: WelcomeDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthStateDto> {
    const { id } = await this.links.accept({ token, name, password });
    return this.signIns.open(id, request, reply);
  }

  /** The person signs in afterwards, with their second factor where they have one. */
  @Post('reset')
  @Public()
  @HttpCode(204)
  @ApiNoContentResponse()
  reset(@Body() { token, password }: UseResetDto): Promise<void> {
    return this.links.reset(token, password);
  }
}
