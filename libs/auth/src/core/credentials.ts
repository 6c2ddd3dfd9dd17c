import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** 256 random bits, base64url: too many to guess, so a fast hash is enough to store them. */
export const SECRET_BYTES = 32;
const TOKEN = /^csn_[A-Za-z0-9_-]{43}$/;
const BARE_SECRET = /^[A-Za-z0-9_-]{43}$/;

/** What a request presents in its Authorization header. */
export type Presented =
  { readonly kind: 'nothing' } | { readonly kind: 'token'; readonly secret: string } | { readonly kind: 'unreadable' };

export function readBearer(header: string | undefined): Presented {
  if (header === undefined || header === '') return { kind: 'nothing' };
  const secret = /^bearer +(\S+)$/i.exec(header)?.[1];
  return secret !== undefined && TOKEN.test(secret) ? { kind: 'token', secret } : { kind: 'unreadable' };
}

export function tokenFrom(random: Buffer): string {
  return `csn_${random.toString('base64url')}`;
}

/** Console sessions and welcome links: the same 256 bits without a prefix. */
export function secretFrom(random: Buffer): string {
  return random.toString('base64url');
}

export function isBareSecret(text: string): boolean {
  return BARE_SECRET.test(text);
}

/** How every secret is stored and found: SHA-256, hex. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time; a miss (`undefined`) costs the same as a hit. */
export function isSameHash(found: string | undefined, wanted: string): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(found ?? '')), Buffer.from(hashOf(wanted)));
  return isEqual && found !== undefined;
}

/** The CSRF token of a console session: useless without the cookie, and not a step towards it. */
export function csrfTokenOf(key: Buffer, sessionHash: string): string {
  return createHmac('sha256', key).update(sessionHash).digest('base64url');
}

export function isCsrfToken(key: Buffer, sessionHash: string, given: string | undefined): boolean {
  return isSameHash(given, csrfTokenOf(key, sessionHash));
}
