import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '#contracts';
import { Caller, PlatformConfig, Public, SignedIn, StepUp } from '#platform';
import { readCookie } from '../core/cookies.js';
import { Proofs } from '../proofs.js';
import { Sso } from '../sso.js';
import { AuthStateDto } from './auth.dto.js';
import { ConsentEndDto } from './consents.dto.js';
import { SignIns } from './sign-ins.js';
import { FinishSsoDto } from './sso.dto.js';

const COOKIE = 'csn_sso';
const SECONDS = 600;

/** REST door of single sign-on. The way back ends on a page of the console, which brings the answer here in a body. */
@ApiTags('auth')
@Controller('auth/sso')
export class SsoController {
  constructor(
    private readonly sso: Sso,
    private readonly signIns: SignIns,
    private readonly proofs: Proofs,
    private readonly config: PlatformConfig,
  ) {}

  @Post('begin')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: ConsentEndDto })
  begin(@Res({ passthrough: true }) reply: FastifyReply): Promise<ConsentEndDto> {
    return this.#begin(reply, null);
  }

  /** The same for a person who is signed in and wants to come in this way too from now on. */
  @Post('link')
  @SignedIn()
  @StepUp()
  @HttpCode(200)
  @ApiOkResponse({ type: ConsentEndDto })
  async link(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentEndDto> {
    const { by } = await this.signIns.atConsole(request, caller);
    return this.#begin(reply, by);
  }

  /** Who has a second factor here is asked for it, whatever the provider has asked. */
  @Post('finish')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: AuthStateDto })
  async finish(
    @Body() { query }: FinishSsoDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuthStateDto> {
    const kept = readCookie(request.headers.cookie, COOKIE);
    const { me } = await this.signIns.state(request);
    const answer = new URL(`${this.config.publicUrl}/sso`);
    answer.search = query;
    const id = await this.sso.finish(kept, answer, me);
    void reply.header('set-cookie', this.#cookie('', 0));
    if (me?.id === id) return this.signIns.state(request);
    const pending = await this.proofs.pending(id);
    if (!pending) return this.signIns.open(id, request, reply);
    await this.signIns.close(request, reply);
    return this.signIns.state(request, pending);
  }

  async #begin(reply: FastifyReply, by: Principal | null): Promise<ConsentEndDto> {
    const { url, kept } = await this.sso.begin(`${this.config.publicUrl}/sso`, by?.id ?? null);
    void reply.header('set-cookie', this.#cookie(kept, SECONDS));
    return new ConsentEndDto({ url });
  }

  #cookie(value: string, maxAge: number): string {
    const secure = this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
    return `${COOKIE}=${value}; Path=${this.config.basePath}/api/auth/sso; HttpOnly; SameSite=Strict; Max-Age=${String(maxAge)}${secure}`;
  }
}
