import { BlockList, isIPv6 } from 'node:net';

/** Ranges that are not the public Internet: private, shared, loopback, link-local with the metadata services, test, multicast, reserved. */
const NOT_PUBLIC_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Inside what IPv6 gives to the public: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4');
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6');
const global6 = listOf('2000::/3', 'ipv6');

/** An address of the public Internet; an IPv4 address in IPv6 clothes is judged by what it is. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic4.check(address, 'ipv4');
  const inner = mappedIPv4(address);
  if (inner !== null) return !notPublic4.check(inner, 'ipv4');
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

/** The last 32 bits of `::ffff:a.b.c.d`, however it is written. */
function mappedIPv4(address: string): string | null {
  const [bare = ''] = address.split('%');
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(new URL(`http://[${bare}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return null;
  return [high, low].flatMap((word) => [parseInt(word, 16) >> 8, parseInt(word, 16) & 0xff]).join('.');
}

function listOf(ranges: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(/\s+/)) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
