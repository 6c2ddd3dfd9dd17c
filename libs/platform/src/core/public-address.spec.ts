import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

describe('addresses of the public Internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
    '::ffff:8.8.8.8',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '224.0.0.1'],
    ...['255.255.255.255', '::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2002:7f00:1::'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '0:0:0:0:0:ffff:a00:1',
      '100::1',
      '198.18.0.1',
      '203.0.113.9',
      '64:ff9b::7f00:1',
      '::127.0.0.1',
      '2001:0:1::',
      '3fff::1',
    ],
    ...['', 'localhost', '010.0.0.1', '0x7f.0.0.1', '127.1', '1.2.3', '1.2.3.4.5', '1.2.3.256', ':::', 'gg::'],
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));

  it('agrees with the list of the system library on every IPv4 address and on every mapped one', () => {
    const list = new BlockList();
    const ranges = [
      ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
      ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
    ];
    for (const range of ranges) {
      const [network = '', prefix = ''] = range.split('/');
      list.addSubnet(network, Number(prefix), 'ipv4');
    }
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = !list.check(address, 'ipv4');
        expect(isPublicAddress(address)).toBe(expected);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads every spelling of an IPv6 address alike', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(isIPv6(address));
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(isPublicAddress(address)).toBe(isPublicAddress(canonical));
        expect(isPublicAddress(address)).toBe(isPublicAddress(address.toUpperCase()));
      }),
      { numRuns: 2_000 },
    );
  });
});
