/** Ranges that are not the public Internet: private, shared, loopback, link-local with the metadata services, test, multicast, reserved. */
const NOT_PUBLIC_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
  .split(/\s+/)
  .map((range) => rangeOf(range, bitsOf4, 32n));
/** What IPv6 gives to the public. */
const PUBLIC_6 = rangeOf('2000::/3', bitsOf6, 128n);
/** Inside of it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' ').map((range) => rangeOf(range, bitsOf6, 128n));
const MAPPED = rangeOf('::ffff:0:0/96', bitsOf6, 128n);

interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** An IP address of the public Internet; an IPv4 address in IPv6 clothes is judged by what it is. What is no address is not public. */
export function isPublicAddress(address: string): boolean {
  if (!address.includes(':')) return isPublic4(bitsOf4(address));
  const bits = bitsOf6(address.split('%')[0] ?? '');
  if (bits === null) return false;
  if (isIn(MAPPED, bits)) return isPublic4(bits & 0xffff_ffffn);
  return isIn(PUBLIC_6, bits) && !NOT_PUBLIC_6.some((range) => isIn(range, bits));
}

function isPublic4(bits: bigint | null): boolean {
  return bits !== null && !NOT_PUBLIC_4.some((range) => isIn(range, bits));
}

function isIn({ first, last }: Range, bits: bigint): boolean {
  return bits >= first && bits <= last;
}

function rangeOf(range: string, bitsOf: (address: string) => bigint | null, width: bigint): Range {
  const [network = '', prefix = ''] = range.split('/');
  const first = bitsOf(network) ?? 0n;
  return { first, last: first | ((1n << (width - BigInt(prefix))) - 1n) };
}

/** Four plain decimal numbers, as resolvers write them; octal and short forms are none of these. */
function bitsOf4(address: string): bigint | null {
  const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(address)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return null;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** The URL parser writes every spelling of one address alike. */
function bitsOf6(address: string): bigint | null {
  if (!URL.canParse(`http://[${address}]`)) return null;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const words = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return words.reduce((bits, word) => (bits << 16n) | BigInt(`0x${word}`), 0n);
}
