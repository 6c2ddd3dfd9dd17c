import type { Principal } from '#contracts';
import { AppError } from './app-error.js';

/** How long a proof counts as fresh. */
export const STEP_UP_MS = 10 * 60_000;

/** True when the person behind this console session has just proved that it is them. */
export function isProvedLately({ proof }: Pick<Principal, 'proof'>, now: number): boolean {
  return proof !== undefined && now - proof.provedAt < STEP_UP_MS;
}

/**
 * Throws STEP_UP_REQUIRED, with what is needed, unless the caller is a person at the console who has proved lately that it is
 * them. No token and no local caller can: they prove nothing.
 */
export function requireStepUp(principal: Pick<Principal, 'proof'>, now: number): void {
  if (isProvedLately(principal, now)) return;
  const methods = principal.proof?.methods ?? [];
  const words = methods.length === 0 ? 'A person has to do this at the console' : 'Prove again that it is you';
  throw new AppError('STEP_UP_REQUIRED', words, { methods, withinSeconds: STEP_UP_MS / 1_000 });
}
