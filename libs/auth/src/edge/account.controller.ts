import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { FactorsInfo, Principal, SignInId, SignInInfo } from '#contracts';
import { Caller, EvenUnenrolled, SignedIn, StepUp } from '#platform';
import { ConsoleSessions } from '../console-sessions.js';
import { Logins } from '../logins.js';
import { Passkeys } from '../passkeys.js';
import { SecondFactors, type OfferedTotp } from '../second-factors.js';
import { ChangePasswordDto, CodeDto, NewPasskeyDto } from './auth.dto.js';
import { SignIns } from './sign-ins.js';

interface Codes {
  /** Shown in this answer and in no other; empty where there were some already. */
  readonly recoveryCodes: readonly string[];
}

/** REST door of one's own account: password, sign-ins, second factors. For people at the console. */
@ApiTags('account')
@Controller('auth')
@SignedIn()
@EvenUnenrolled()
export class AccountController {
  constructor(
    private readonly logins: Logins,
    private readonly sessions: ConsoleSessions,
    private readonly factors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly signIns: SignIns,
  ) {}

  @Post('password')
  @HttpCode(204)
  @ApiNoContentResponse()
  async changePassword(
    @Caller() caller: Principal,
    @Body() { current, password }: ChangePasswordDto,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.logins.changeOwn({ ...(await this.signIns.atConsole(request, caller)), current, password, address: request.ip });
  }

  @Get('sessions')
  @ApiOkResponse({ schema: { type: 'object' } })
  async list(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<{ readonly items: readonly SignInInfo[] }> {
    const { by, sessionHash } = await this.signIns.atConsole(request, caller);
    return { items: await this.sessions.list(by.id, sessionHash) };
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async end(@Caller() caller: Principal, @Param('id', ParseUUIDPipe) id: SignInId, @Req() request: FastifyRequest): Promise<void> {
    await this.sessions.end((await this.signIns.atConsole(request, caller)).by, id);
  }

  @Post('sessions/end-others')
  @HttpCode(204)
  @ApiNoContentResponse()
  async endOthers(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<void> {
    const { by, sessionHash } = await this.signIns.atConsole(request, caller);
    await this.sessions.endOthers(by, sessionHash);
  }

  @Get('factors')
  @ApiOkResponse({ schema: { type: 'object' } })
  async own(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<FactorsInfo> {
    return this.factors.list((await this.signIns.atConsole(request, caller)).by.id);
  }

  @Post('factors/totp')
  @StepUp()
  @ApiCreatedResponse({ schema: { type: 'object' } })
  async offerTotp(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<OfferedTotp> {
    return this.factors.offerTotp((await this.signIns.atConsole(request, caller)).by);
  }

  @Post('factors/totp/confirm')
  @StepUp()
  @HttpCode(200)
  @ApiOkResponse({ schema: { type: 'object' } })
  async confirmTotp(@Caller() caller: Principal, @Body() { code }: CodeDto, @Req() request: FastifyRequest): Promise<Codes> {
    const { by, sessionHash } = await this.signIns.atConsole(request, caller);
    return { recoveryCodes: await this.factors.confirmTotp(by, sessionHash, code) };
  }

  @Delete('factors/totp')
  @StepUp()
  @HttpCode(204)
  @ApiNoContentResponse()
  async removeTotp(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<void> {
    await this.factors.removeTotp((await this.signIns.atConsole(request, caller)).by);
  }

  @Post('factors/recovery')
  @StepUp()
  @ApiCreatedResponse({ schema: { type: 'object' } })
  async renewCodes(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<Codes> {
    return { recoveryCodes: await this.factors.renewRecoveryCodes((await this.signIns.atConsole(request, caller)).by) };
  }

  @Post('factors/passkeys/options')
  @StepUp()
  @HttpCode(200)
  @ApiOkResponse({ schema: { type: 'object', description: 'PublicKeyCredentialCreationOptionsJSON' } })
  async passkeyOptions(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<object> {
    return this.passkeys.newOptions((await this.signIns.atConsole(request, caller)).by);
  }

  @Post('factors/passkeys')
  @StepUp()
  @ApiCreatedResponse({ schema: { type: 'object' } })
  async addPasskey(@Caller() caller: Principal, @Body() { name, response }: NewPasskeyDto, @Req() request: FastifyRequest): Promise<Codes> {
    const { by, sessionHash } = await this.signIns.atConsole(request, caller);
    return { recoveryCodes: await this.passkeys.add(by, sessionHash, name, response) };
  }

  @Delete('factors/passkeys/:id')
  @StepUp()
  @HttpCode(204)
  @ApiNoContentResponse()
  async removePasskey(@Caller() caller: Principal, @Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    await this.passkeys.remove((await this.signIns.atConsole(request, caller)).by, id);
  }
}
