import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal, PrincipalId } from '#contracts';
import { AppError, Caller, Public, SignedIn } from '#platform';
import { Callers, type Identified } from '../callers.js';
import { ConsoleSessions } from '../console-sessions.js';
import { hashOf } from '../core/credentials.js';
import { FirstOwner } from '../first-owner.js';
import { Logins } from '../logins.js';
import { AuthStateDto, ChangePasswordDto, LoginDto, WelcomeDto } from './auth.dto.js';
import { SessionCookie } from './session-cookie.js';

/** REST door of signing in and out. The cookie is its only trace of a session. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly owner: FirstOwner,
    private readonly logins: Logins,
    private readonly sessions: ConsoleSessions,
    private readonly callers: Callers,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('state')
  @Public()
  @ApiOkResponse({ type: AuthStateDto })
  async state(@Req() request: FastifyRequest): Promise<AuthStateDto> {
    return this.#state(await this.#bySession(request));
  }

  @Post('welcome')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async welcome(
    @Body() body: WelcomeDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthStateDto> {
    const { id } = await this.owner.welcome(body);
    return this.#signIn(id, request, reply);
  }

  @Post('login')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async login(
    @Body() { name, password }: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthStateDto> {
    const id = await this.logins.signIn({ name, password, address: request.ip });
    return this.#signIn(id, request, reply);
  }

  @Post('logout')
  @SignedIn()
  @HttpCode(204)
  @ApiNoContentResponse()
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.#close(request);
    this.cookie.clear(reply);
  }

  @Post('password')
  @SignedIn()
  @HttpCode(204)
  @ApiNoContentResponse()
  async changePassword(
    @Caller() by: Principal,
    @Body() { current, password }: ChangePasswordDto,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const sessionHash = (await this.#bySession(request))?.sessionHash;
    if (by.kind !== 'person' || !sessionHash) throw new AppError('SCOPE_MISSING', 'A person changes their password at the console');
    await this.logins.changeOwn({ by, sessionHash, current, password, address: request.ip });
  }

  async #signIn(id: PrincipalId, request: FastifyRequest, reply: FastifyReply): Promise<AuthStateDto> {
    await this.#close(request); // the browser's session of before ends here
    const secret = await this.sessions.open(id);
    this.cookie.write(reply, secret);
    return this.#state(await this.callers.bySession(secret));
  }

  async #close(request: FastifyRequest): Promise<void> {
    const secret = this.cookie.read(request);
    if (secret !== undefined) await this.sessions.close(hashOf(secret));
  }

  async #bySession(request: FastifyRequest): Promise<Identified | undefined> {
    const secret = this.cookie.read(request);
    return secret === undefined ? undefined : this.callers.bySession(secret);
  }

  async #state(identified: Identified | undefined): Promise<AuthStateDto> {
    return new AuthStateDto({
      hasOwner: await this.owner.exists(),
      me: identified?.principal ?? null,
      csrfToken: identified?.sessionHash ? this.sessions.csrfToken(identified.sessionHash) : null,
    });
  }
}
