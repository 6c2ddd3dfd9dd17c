import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError, principalOf } from '#platform';

/** Lets in people with the cookie of the console, whose writes carry a CSRF token. Tokens have the tools. */
@Injectable()
export class ConsoleOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const caller = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (caller?.kind === 'person' && caller.channel === 'console') return true;
    throw new AppError('SCOPE_MISSING', 'These routes are for people at the console', { scope: 'connector:use', door: 'console' });
  }
}
