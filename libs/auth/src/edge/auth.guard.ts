import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasScopeSomewhere, type Principal } from '#contracts';
import {
  AppError,
  attachPrincipal,
  Clock,
  doorOf,
  isForUnenrolled,
  isProvedLately,
  requireStepUp,
  unwrap,
  wantsStepUp,
  type Door,
} from '#platform';
import { Callers, type Identified } from '../callers.js';
import { ConsoleSessions } from '../console-sessions.js';
import { challenge, channelOf, isSafeMethod } from '../core/doors.js';
import { checkAnswerable } from '../core/grants.js';
import { TokenRates } from '../token-rates.js';
import { SessionCookie } from './session-cookie.js';

/** The global guard: every route is closed unless its door says otherwise. It runs before a route can hijack its reply. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: SessionCookie,
    private readonly rates: TokenRates,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const door = doorOf(context);
    if (door?.kind === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { principal, ratePerMinute } = await this.#identify(request, reply);
    if (ratePerMinute !== null) this.rates.count(principal.id, ratePerMinute);
    this.#checkDoor(door, principal, reply);
    if (door?.kind === 'scope' && door.scope === 'admin' && !isSafeMethod(request.method)) unwrap(checkAnswerable(principal));
    if (principal.proof?.mustEnrol === true && !isForUnenrolled(context)) {
      throw new AppError('SECOND_FACTOR_MISSING', 'Your role needs a second factor; set one up in your account first');
    }
    if (wantsStepUp(context)) await this.#checkProof(principal);
    attachPrincipal(request, principal);
    return true;
  }

  async #identify(request: FastifyRequest, reply: FastifyReply): Promise<Identified> {
    const channel = channelOf(request.routeOptions.url ?? request.url);
    const cookie = channel === 'mcp' ? undefined : this.cookie.read(request);
    try {
      const identified = await this.callers.identify({ authorization: request.headers.authorization, cookie }, channel);
      if (!identified)
        throw new AppError('AUTH_REQUIRED', cookie === undefined ? 'Sign in or send a token' : 'Your session has ended; sign in again');
      this.#checkCsrf(request, identified);
      return identified;
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code !== 'CSRF_INVALID')
        void reply.header('www-authenticate', challenge(toChallenge(thrown)));
      throw thrown;
    }
  }

  #checkCsrf({ method, headers }: FastifyRequest, { sessionHash }: Identified): void {
    if (sessionHash === null || isSafeMethod(method)) return;
    const given = headers['x-csrf-token'];
    if (this.sessions.isCsrfToken(sessionHash, typeof given === 'string' ? given : undefined)) return;
    throw new AppError('CSRF_INVALID', 'Send the csrfToken of /api/auth/state as x-csrf-token');
  }

  /** Tokens and local callers were given out with a proof and prove nothing themselves. */
  async #checkProof(principal: Principal): Promise<void> {
    const now = this.clock.now();
    if (principal.kind !== 'person' || isProvedLately(principal, now)) return;
    // Memory may be some seconds older than the proof, made at another server.
    requireStepUp((await this.callers.recheck(principal)) ?? principal, now);
  }

  #checkDoor(door: Door | undefined, principal: Principal, reply: FastifyReply): void {
    // A route that forgot to say who may enter lets nobody in.
    if (!door) throw new AppError('SCOPE_MISSING', 'This route is closed');
    if (door.kind !== 'scope' || principal.scopes.includes(door.scope)) return;
    if (door.where === 'somewhere' && hasScopeSomewhere(principal, door.scope)) return;
    void reply.header('www-authenticate', challenge({ scope: door.scope }));
    throw new AppError('SCOPE_MISSING', `This needs the scope ${door.scope}`, { scope: door.scope });
  }
}

function toChallenge({ code, message }: AppError): Parameters<typeof challenge>[0] {
  return code === 'AUTH_REQUIRED' ? {} : { error: 'invalid_token', text: message };
}
