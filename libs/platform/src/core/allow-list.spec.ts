import fc from 'fast-check';
import { AllowList } from './allow-list.js';

const local = new AllowList({ host: '127.0.0.1', publicUrl: undefined, allowedOrigins: ['https://friend.example'] });
const behindProxy = new AllowList({ host: '0.0.0.0', publicUrl: new URL('https://ops.example'), allowedOrigins: [] });

it.each([
  ['localhost:7300', true],
  ['LocalHost:7300', true],
  ['127.0.0.1:7300', true],
  ['[::1]:7300', true],
  ['localhost', false],
  ['localhost:80', false],
  ['localhost.:7300', false],
  ['localhost:7300@evil.example', false],
  ['0.0.0.0:7300', false],
  ['', false],
  [undefined, false],
])('takes %s: %s', (host, isAllowed) => {
  expect(local.hasHost(host, 7_300)).toBe(isAllowed);
});

it.each([
  ['ops.example', true],
  ['ops.example:443', true],
  ['ops.example:80', false],
  ['localhost:7300', true],
  ['0.0.0.0:7300', false],
])('behind a proxy takes %s: %s', (host, isAllowed) => {
  expect(behindProxy.hasHost(host, 7_300)).toBe(isAllowed);
});

it('needs no port where it is the default', () => {
  expect(local.hasHost('localhost', 80)).toBe(true);
});

it.each([
  [undefined, true],
  ['https://ops.example', true],
  ['http://ops.example', false],
  ['http://localhost:7300', true],
  ['https://localhost:7300', false],
  ['null', false],
  ['', false],
  ['https://ops.example.evil', false],
])('takes the origin %s: %s', (origin, isAllowed) => {
  expect(behindProxy.hasOrigin(origin, 7_300)).toBe(isAllowed);
});

it('takes a listed origin and nothing that merely starts or ends like it', () => {
  expect(local.hasOrigin('https://friend.example', 7_300)).toBe(true);
  expect(local.hasOrigin('https://friend.example:444', 7_300)).toBe(false);
  expect(local.hasOrigin('https://a.friend.example', 7_300)).toBe(false);
});

it('never takes a name that is not its own, whatever it looks like', () => {
  const part = fc.oneof(
    fc.constantFrom('localhost', '127.0.0.1', '[::1]', ':', '.', '7300', '@', '/', '#', 'evil'),
    fc.string({ maxLength: 4 }),
  );
  const own = new Set(['localhost:7300', '127.0.0.1:7300', '[::1]:7300']);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const host = parts.join('');
      expect(local.hasHost(host, 7_300)).toBe(own.has(host.toLowerCase()));
    }),
    { numRuns: 2_000 },
  );
});
