import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '#contracts';
import { AppError, attachPrincipal, doorOf, type Door } from '#platform';
import { Callers, type Identified } from '../callers.js';
import { ConsoleSessions } from '../console-sessions.js';
import { challenge, channelOf, isSafeMethod } from '../core/doors.js';
import { SessionCookie } from './session-cookie.js';

/** The global guard: every route is closed unless its door says otherwise. It runs before a route can hijack its reply. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: SessionCookie,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const door = doorOf(context);
    if (door?.kind === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { principal } = await this.#identify(request, reply);
    this.#checkDoor(door, principal.scopes, reply);
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

  #checkDoor(door: Door | undefined, scopes: readonly Scope[], reply: FastifyReply): void {
    // A route that forgot to say who may enter lets nobody in.
    if (!door) throw new AppError('SCOPE_MISSING', 'This route is closed');
    if (door.kind !== 'scope' || scopes.includes(door.scope)) return;
    void reply.header('www-authenticate', challenge({ scope: door.scope }));
    throw new AppError('SCOPE_MISSING', `This needs the scope ${door.scope}`, { scope: door.scope });
  }
}

function toChallenge({ code, message }: AppError): Parameters<typeof challenge>[0] {
  return code === 'AUTH_REQUIRED' ? {} : { error: 'invalid_token', text: message };
}
