export interface CookieAt {
  readonly secure: boolean;
}

/** The `__Host-` prefix makes a browser refuse the cookie unless it is Secure, of this very host and of path `/`. */
export function cookieName({ secure }: CookieAt): string {
  return secure ? '__Host-csn_session' : 'csn_session';
}

/** The value under exactly this name. Two different values are a planted cookie: neither is believed. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return new Set(values).size === 1 ? values[0] : undefined;
}

export function setCookie(value: string, maxAgeMs: number, at: CookieAt): string {
  const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1_000)}`;
  return `${cookieName(at)}=${value}; ${flags}${at.secure ? '; Secure' : ''}`;
}

export function clearCookie(at: CookieAt): string {
  return setCookie('', 0, at);
}
