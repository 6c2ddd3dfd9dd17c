import type * as z from 'zod';
import { ConfigError } from './start-error.js';

/**
 * Reads the keys of one schema from the environment; the only reader of `process.env` besides the entry points. An empty
 * value counts as absent. A bad value stops the start and names the key, never the value.
 */
export function readConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.keys(schema.shape).flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])));
  const parsed = schema.safeParse(given);
  if (parsed.success) {
    Object.freeze(parsed.data);
    return parsed.data;
  }
  const keys = [...new Set(parsed.error.issues.map(({ path: [key] }) => String(key)))];
  throw new ConfigError(keys, `Cannot use the setting ${keys.join(', ')}: see docs/configuration.md for what it may be`);
}
