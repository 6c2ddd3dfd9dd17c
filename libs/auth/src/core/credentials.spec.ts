import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { csrfTokenOf, hashOf, isBareSecret, isCsrfToken, isSameHash, readBearer, secretFrom, tokenFrom } from './credentials.js';

describe('the Authorization header', () => {
  const token = tokenFrom(Buffer.alloc(32, 7));

  it('gives 256 bits a readable shape', () => {
    expect(token).toMatch(/^csn_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token.slice(4), 'base64url')).toEqual(Buffer.alloc(32, 7));
    expect(isBareSecret(secretFrom(randomBytes(32)))).toBe(true);
  });

  it.each([
    ['nothing', undefined, 'nothing'],
    ['an empty header', '', 'nothing'],
    ['a token', `Bearer ${token}`, 'token'],
    ['any letter case of the scheme', `bEARER  ${token}`, 'token'],
    ['another scheme', 'Basic YTpi', 'unreadable'],
    ['no scheme', token, 'unreadable'],
    ['a token that is cut', `Bearer ${token.slice(0, -1)}`, 'unreadable'],
    ['a token with more behind it', `Bearer ${token} x`, 'unreadable'],
    ['two tokens', `Bearer ${token}, Bearer ${token}`, 'unreadable'],
    ['somebody else’s prefix', `Bearer ghp_${token.slice(4)}`, 'unreadable'],
  ])('reads %s', (_case, header, kind) => {
    expect(readBearer(header).kind).toBe(kind);
  });

  it('answers in linear time, whatever is sent', () => {
    const long = `Bearer ${' '.repeat(60_000)}x y`;
    const from = performance.now();
    readBearer(long);
    expect(performance.now() - from).toBeLessThan(50);
  });
});

describe('comparing', () => {
  it('is true for the same text only, and a miss is never true', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameHash(a, b) === (a === b)));
    expect(isSameHash(undefined, '')).toBe(false);
    expect(isSameHash('', '')).toBe(true);
  });

  it('ties a CSRF token to its session and its key', () => {
    const key = randomBytes(32);
    const session = hashOf('a');
    const token = csrfTokenOf(key, session);
    expect(isCsrfToken(key, session, token)).toBe(true);
    expect(isCsrfToken(key, hashOf('b'), token)).toBe(false);
    expect(isCsrfToken(randomBytes(32), session, token)).toBe(false);
    expect(isCsrfToken(key, session, undefined)).toBe(false);
    expect(isCsrfToken(key, session, '')).toBe(false);
    expect(token).not.toContain(session);
  });
});
