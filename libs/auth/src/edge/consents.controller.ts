import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '#contracts';
import { AppError, Caller, PlatformConfig, Public, SignedIn } from '#platform';
import { Consents } from '../consents.js';
import { ConsentEndDto, ConsentRequestDto, GiveConsentDto } from './consents.dto.js';
import { SignIns } from './sign-ins.js';

const UID = /^[A-Za-z0-9_-]{10,64}$/;

/** REST door of a client's sign-in: what it asks for, and a person's word on it. Only at the console, in the browser where it began. */
@ApiTags('auth')
@Controller('consents/:uid')
export class ConsentsController {
  constructor(
    private readonly consents: Consents,
    private readonly signIns: SignIns,
    private readonly config: PlatformConfig,
  ) {}

  /** Where the authorization server sends the browser; from here to the page. It tells and changes nothing. */
  @Get()
  @Public()
  @ApiExcludeEndpoint()
  open(@Param('uid') uid: string, @Res() reply: FastifyReply): void {
    void reply.redirect(`${this.config.publicUrl}/consent/${checked(uid)}`, 303);
  }

  @Get('request')
  @SignedIn()
  @ApiOkResponse({ type: ConsentRequestDto })
  async look(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentRequestDto> {
    const { by } = await this.signIns.atConsole(request, caller);
    return new ConsentRequestDto(await this.consents.look(by, checked(uid), { request: request.raw, reply: reply.raw }));
  }

  @Post('give')
  @SignedIn()
  @HttpCode(200)
  @ApiOkResponse({ type: ConsentEndDto })
  async give(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @Body() { scopes, workspaces }: GiveConsentDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentEndDto> {
    const { by } = await this.signIns.atConsole(request, caller);
    const exchange = { request: request.raw, reply: reply.raw };
    return new ConsentEndDto({
      url: await this.consents.give({ by, uid: checked(uid), exchange, scopes, workspaces: workspaces ?? null }),
    });
  }

  @Post('refuse')
  @SignedIn()
  @HttpCode(200)
  @ApiOkResponse({ type: ConsentEndDto })
  async refuse(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentEndDto> {
    await this.signIns.atConsole(request, caller);
    return new ConsentEndDto({ url: await this.consents.refuse(checked(uid), { request: request.raw, reply: reply.raw }) });
  }
}

function checked(uid: string): string {
  if (UID.test(uid)) return uid;
  throw new AppError('CONSENT_OVER', 'There is no such sign-in; begin it again in the client');
}
