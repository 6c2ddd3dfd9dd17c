import type { Plan } from '#contracts';
import { canonicalJson, sha256Hex } from '#receipts/core';

/** What an approval names: SHA-256 over the canonical JSON (RFC 8785) of what will run and what it was seen to be. */
export function planDigest({ body, pins }: Pick<Plan, 'body' | 'pins'>): string {
  return sha256Hex(canonicalJson({ body, pins }));
}
