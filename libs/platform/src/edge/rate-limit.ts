import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.js';
import { KnownCredentials } from './known-credentials.js';

const WINDOW_MS = 60_000;
const MAX_COUNTED = 20_000;

/** How many requests a minute one principal, or one address without a known credential, may send. */
export async function addRateLimit(fastify: FastifyInstance, perMinute: number): Promise<(request: FastifyRequest) => Promise<void>> {
  await fastify.register(rateLimit, { global: false, cache: MAX_COUNTED });
  const known = new KnownCredentials();
  fastify.decorateRequest('knownCredentials', { getter: () => known });
  const count = fastify.createRateLimit({ max: perMinute, timeWindow: WINDOW_MS, keyGenerator: (request) => known.allowanceOf(request) });
  return async (request) => {
    const used = await count(request);
    if (used.isAllowed || !used.isExceeded) return;
    throw new AppError('RATE_LIMITED', 'Too many requests; wait a moment', { retryAfterSeconds: used.ttlInSeconds, perMinute: used.max });
  };
}
