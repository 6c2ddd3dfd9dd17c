import { clearCookie, cookieName, readCookie, setCookie } from './cookies.js';

describe('the session cookie', () => {
  it('is out of reach for scripts and other sites, and bound to the host under https', () => {
    expect(setCookie('v', 60_000, { secure: false })).toBe('csn_session=v; Path=/; HttpOnly; SameSite=Strict; Max-Age=60');
    expect(setCookie('v', 60_000, { secure: true })).toBe('__Host-csn_session=v; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure');
    expect(clearCookie({ secure: true })).toBe('__Host-csn_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure');
  });

  it.each([
    ['no header', undefined, undefined],
    ['the only one', 'csn_session=a', 'a'],
    ['one among others', 'x=1; csn_session=a;y=2', 'a'],
    ['a longer name', 'xcsn_session=b; csn_session2=c', undefined],
    ['the same twice', 'csn_session=a; csn_session=a', 'a'],
    ['a planted second one', 'csn_session=a; csn_session=b', undefined],
    ['the name of the other scheme', '__Host-csn_session=a', undefined],
  ])('reads %s', (_case, header, expected) => {
    expect(readCookie(header, cookieName({ secure: false }))).toBe(expected);
  });
});
