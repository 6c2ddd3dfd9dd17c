import { ERRORS, TOOLS } from '#contracts';
import frozen from '../e2e/frozen-wire.json' with { type: 'json' };

// The expectation is a literal file, never computed from source: that is what makes it a pin.
it('the wire has exactly the frozen error codes with their HTTP status', () => {
  const codes = Object.entries(ERRORS).map(([code, { http }]) => `${code} ${String(http)}`);
  expect(codes.sort()).toEqual([...frozen.errors].sort());
});

it('the wire has exactly the frozen tool names', () => {
  expect([...TOOLS].sort()).toEqual([...frozen.tools].sort());
});

it('tool names are few and short', () => {
  expect(TOOLS.length).toBeLessThanOrEqual(40);
  for (const name of TOOLS) expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
});
