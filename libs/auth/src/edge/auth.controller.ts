import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '#contracts';
import { Caller, EvenUnenrolled, Public, SignedIn } from '#platform';
import { ConsoleSessions } from '../console-sessions.js';
import { FirstOwner } from '../first-owner.js';
import { Logins } from '../logins.js';
import { Proofs } from '../proofs.js';
import { AuthStateDto, LoginDto, SecondStepDto, StepUpDto, TicketDto, toProof, WelcomeDto } from './auth.dto.js';
import { SignIns } from './sign-ins.js';

/** REST door of signing in and out, in one step or two. The cookie is its only trace of a session. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly owner: FirstOwner,
    private readonly logins: Logins,
    private readonly proofs: Proofs,
    private readonly sessions: ConsoleSessions,
    private readonly signIns: SignIns,
  ) {}

  @Get('state')
  @Public()
  @ApiOkResponse({ type: AuthStateDto })
  state(@Req() request: FastifyRequest): Promise<AuthStateDto> {
    return this.signIns.state(request);
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
    return this.signIns.open(id, request, reply);
  }

  /** Who has a second factor gets a ticket for the second step, and no session yet. */
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
    const pending = await this.proofs.pending(id);
    if (!pending) return this.signIns.open(id, request, reply);
    await this.signIns.close(request, reply);
    return new AuthStateDto({ hasOwner: true, me: null, csrfToken: null, secondFactor: pending });
  }

  /** What the browser needs to answer with a passkey. */
  @Post('login/passkey')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ schema: { type: 'object', description: 'PublicKeyCredentialRequestOptionsJSON' } })
  passkeyOptions(@Body() { ticket }: TicketDto): Promise<object> {
    return this.proofs.signInOptions(ticket);
  }

  @Post('login/second')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async second(
    @Body() { ticket, ...proof }: SecondStepDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthStateDto> {
    const id = await this.proofs.complete(ticket, toProof(proof), request.ip);
    return this.signIns.open(id, request, reply);
  }

  @Post('logout')
  @SignedIn()
  @EvenUnenrolled()
  @HttpCode(204)
  @ApiNoContentResponse()
  logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.signIns.close(request, reply);
  }

  /** What the browser needs to step up with a passkey. */
  @Post('step-up/passkey')
  @SignedIn()
  @HttpCode(200)
  @ApiOkResponse({ schema: { type: 'object', description: 'PublicKeyCredentialRequestOptionsJSON' } })
  async stepUpOptions(@Caller() caller: Principal, @Req() request: FastifyRequest): Promise<object> {
    return this.proofs.options((await this.signIns.atConsole(request, caller)).by.id);
  }

  /** Proves again that it is them; what asks for that works for some minutes from now on. */
  @Post('step-up')
  @SignedIn()
  @EvenUnenrolled()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async stepUp(@Caller() caller: Principal, @Body() body: StepUpDto, @Req() request: FastifyRequest): Promise<AuthStateDto> {
    const { by, sessionHash } = await this.signIns.atConsole(request, caller);
    await this.proofs.renew(by.id, toProof(body), request.ip);
    await this.sessions.proved(sessionHash);
    return this.signIns.state(request);
  }
}
