import type * as z from 'zod';
import { ExecutionEnv } from '#execution';
import { PlatformEnv } from '#platform';
import { read } from '../support/tree.js';

const SCHEMAS = [PlatformEnv, ExecutionEnv];

/** Rows of the table: name → the default as it is written there. */
const documented = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \|/gm)].map(([, name, preset]) => [
    name ?? '',
    (preset ?? '').trim(),
  ]),
);

function presetOf(field: z.ZodType): string {
  const parsed = field.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return 'none';
  return Array.isArray(parsed.data) && parsed.data.length === 0 ? 'none' : `\`${String(parsed.data as unknown)}\``;
}

const inCode = new Map(
  SCHEMAS.flatMap((schema) => Object.entries(schema.shape).map(([name, field]) => [name, presetOf(field as z.ZodType)] as const)),
);

it('documents exactly the settings that the schemas know', () => {
  expect([...documented.keys()].sort()).toEqual([...inCode.keys()].sort());
});

it.each([...inCode])('documents the default of %s as %s', (name, preset) => {
  expect(documented.get(name)).toBe(preset);
});
