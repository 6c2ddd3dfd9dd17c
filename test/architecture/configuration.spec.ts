import type * as z from 'zod';
import { ExecutionEnv } from '#execution';
import { PlatformEnv } from '#platform';
import { read } from '../support/tree.js';

const SCHEMAS = [PlatformEnv, ExecutionEnv];

/** Rows of the table: name → the default as it is written there. */
const documented = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` *\| ([^|]*) \|/gm)].map(([, name, preset]) => [
    name ?? '',
    (preset ?? '').trim(),
  ]),
);

function presetOf(field: z.ZodType<string | number | boolean | readonly string[] | undefined>): string {
  const { data } = field.safeParse(undefined);
  if (data === undefined || (Array.isArray(data) && data.length === 0)) return 'none';
  return `\`${String(data)}\``;
}

const inCode = new Map(
  SCHEMAS.flatMap((schema) => Object.entries(schema.shape).map(([name, field]) => [name, presetOf(field as z.ZodType<string>)] as const)),
);

it('documents exactly the settings that the schemas know', () => {
  expect([...documented.keys()].sort()).toEqual([...inCode.keys()].sort());
});

it.each([...inCode])('documents the default of %s as %s', (name, preset) => {
  expect(documented.get(name)).toBe(preset);
});
