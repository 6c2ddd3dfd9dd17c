const NUMERIC_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/** The name that browsers keep passkeys for, and the origin they are asked from; undefined where the address is no name. */
export function passkeySiteOf(publicUrl: string): { readonly rpId: string; readonly origin: string } | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl);
  // Browsers have no passkeys on plain HTTP, their own machine apart.
  return !NUMERIC_HOST.test(hostname) && (protocol === 'https:' || hostname === 'localhost') ? { rpId: hostname, origin } : undefined;
}
