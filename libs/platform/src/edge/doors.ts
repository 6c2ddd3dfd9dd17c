import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, Scope } from '#contracts';
import { AppError } from '../app-error.js';
import type {} from './known-credentials.js';

/** What a route asks of its caller. A route without a word is closed to everyone. */
export type Door =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'scope'; readonly scope: Scope; readonly where: 'everywhere' | 'somewhere' };

const DOOR = 'countersign:door';
const STEP_UP = 'countersign:step-up';
const EVEN_UNENROLLED = 'countersign:even-unenrolled';
const OPEN: Door = { kind: 'public' };
const SIGNED_IN: Door = { kind: 'signed_in' };

/** Open to anyone, without a credential. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(DOOR, OPEN);
/** For callers with this scope in all workspaces. */
export const Requires = (scope: Scope): MethodDecorator & ClassDecorator =>
  SetMetadata(DOOR, { kind: 'scope', scope, where: 'everywhere' } satisfies Door);
/** For callers with this scope in any workspace. What lies behind it asks `hasScope` again, for the workspace it is about. */
export const RequiresSomewhere = (scope: Scope): MethodDecorator & ClassDecorator =>
  SetMetadata(DOOR, { kind: 'scope', scope, where: 'somewhere' } satisfies Door);
/** People have to have proved lately that it is them. */
export const StepUp = (): MethodDecorator & ClassDecorator => SetMetadata(STEP_UP, true);
/** Also for people who have to set up a second factor first. */
export const EvenUnenrolled = (): MethodDecorator & ClassDecorator => SetMetadata(EVEN_UNENROLLED, true);
/** For every caller with a credential. */
export const SignedIn = (): MethodDecorator & ClassDecorator => SetMetadata(DOOR, SIGNED_IN);

/** The door of a route: the method's own, else the class's. Undefined means closed. */
export function doorOf(context: ExecutionContext): Door | undefined {
  return metadata(DOOR, context) as Door | undefined;
}

export function wantsStepUp(context: ExecutionContext): boolean {
  return metadata(STEP_UP, context) === true;
}

export function isForUnenrolled(context: ExecutionContext): boolean {
  return metadata(EVEN_UNENROLLED, context) === true;
}

function metadata(key: string, context: ExecutionContext): unknown {
  return Reflect.getMetadata(key, context.getHandler()) ?? Reflect.getMetadata(key, context.getClass());
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
