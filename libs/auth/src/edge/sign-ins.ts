import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PendingSignIn, Principal, PrincipalId } from '#contracts';
import { AppError } from '#platform';
import { Callers, type Identified } from '../callers.js';
import { ConsoleSessions } from '../console-sessions.js';
import { hashOf } from '../core/credentials.js';
import { deviceOf } from '../core/device.js';
import { FirstOwner } from '../first-owner.js';
import { AuthStateDto } from './auth.dto.js';
import { SessionCookie } from './session-cookie.js';

/** A person with the console session that they call from. */
export interface AtConsole {
  readonly by: Principal;
  readonly sessionHash: string;
}

/** Owns how a browser gets and loses its session: a sign-in always makes a new one. */
@Injectable()
export class SignIns {
  constructor(
    private readonly owner: FirstOwner,
    private readonly sessions: ConsoleSessions,
    private readonly callers: Callers,
    private readonly cookie: SessionCookie,
  ) {}

  async open(id: PrincipalId, request: FastifyRequest, reply: FastifyReply): Promise<AuthStateDto> {
    await this.#end(request); // the browser's session of before ends here
    const secret = await this.sessions.open(id, { device: deviceOf(request.headers['user-agent']), address: request.ip });
    this.cookie.write(reply, secret);
    return this.#state(await this.callers.bySession(secret));
  }

  async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#end(request);
    this.cookie.clear(reply);
  }

  async state(request: FastifyRequest, secondFactor?: PendingSignIn): Promise<AuthStateDto> {
    return this.#state(await this.#bySession(request), secondFactor);
  }

  /** For what only a person at the console does; a token of theirs does not. */
  async atConsole(request: FastifyRequest, by: Principal): Promise<AtConsole> {
    const identified = await this.#bySession(request);
    if (by.kind !== 'person' || identified?.sessionHash == null || identified.principal.id !== by.id) {
      throw new AppError('SCOPE_MISSING', 'A person does this at the console');
    }
    return { by, sessionHash: identified.sessionHash };
  }

  async #end(request: FastifyRequest): Promise<void> {
    const secret = this.cookie.read(request);
    if (secret !== undefined) await this.sessions.close(hashOf(secret));
  }

  async #bySession(request: FastifyRequest): Promise<Identified | undefined> {
    const secret = this.cookie.read(request);
    return secret === undefined ? undefined : this.callers.bySession(secret);
  }

  async #state(identified: Identified | undefined, secondFactor?: PendingSignIn): Promise<AuthStateDto> {
    return new AuthStateDto({
      hasOwner: await this.owner.exists(),
      me: identified?.principal ?? null,
      csrfToken: identified?.sessionHash ? this.sessions.csrfToken(identified.sessionHash) : null,
      ...(secondFactor && { secondFactor }),
    });
  }
}
