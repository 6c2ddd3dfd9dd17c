import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, Scope } from '#contracts';
import { AppError } from '../app-error.js';
import type {} from './known-credentials.js';

/** What a route asks of its caller. A route without a word is closed to everyone. */
export type Door = { readonly kind: 'public' } | { readonly kind: 'signed_in' } | { readonly kind: 'scope'; readonly scope: Scope };

const DOOR = 'countersign:door';
const OPEN: Door = { kind: 'public' };
const SIGNED_IN: Door = { kind: 'signed_in' };

/** Open to anyone, without a credential. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(DOOR, OPEN);
/** For callers with this scope. */
export const Requires = (scope: Scope): MethodDecorator & ClassDecorator => SetMetadata(DOOR, { kind: 'scope', scope } satisfies Door);
/** For every caller with a credential. */
export const SignedIn = (): MethodDecorator & ClassDecorator => SetMetadata(DOOR, SIGNED_IN);

/** The door of a route: the method's own, else the class's. Undefined means closed. */
export function doorOf(context: ExecutionContext): Door | undefined {
  return (Reflect.getMetadata(DOOR, context.getHandler()) ?? Reflect.getMetadata(DOOR, context.getClass())) as Door | undefined;
}

const callers = new WeakMap<FastifyRequest, Principal>();

/** Called by the guard of auth, once it knows who is calling. */
export function attachPrincipal(request: FastifyRequest, principal: Principal): void {
  callers.set(request, principal);
  request.knownCredentials?.remember(request, principal.id);
}

export function principalOf(request: FastifyRequest): Principal | undefined {
  return callers.get(request);
}

/** The principal that calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!principal) throw new AppError('AUTH_REQUIRED', 'Sign in or send a token');
  return principal;
});
