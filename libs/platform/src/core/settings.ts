import * as z from 'zod';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };
const whole = (min: number, max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max));
const url = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text));

/** The settings that platform owns, as documented in docs/configuration.md (checked). */
export const PlatformEnv = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(0, 65_535).default(7_300),
  /** Address under which people and agents reach the server, without a trailing slash. */
  PUBLIC_URL: url.optional(),
  /** Path under which a proxy shows the server, such as `/countersign`. */
  BASE_PATH: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/)
    .transform((path) => path.replace(/\/$/, ''))
    .default(''),
  /** Exact origins, separated by commas, whose pages may call the API. */
  ALLOWED_ORIGINS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(url.refine(({ href, origin }) => href === `${origin}/`)))
    .transform((urls) => urls.map(({ origin }) => origin))
    .default([]),
  /** Whose forwarding headers count: `false`, `true`, a number of hops, or addresses separated by commas. */
  TRUST_PROXY: z
    .string()
    .regex(/^[0-9A-Za-z.:/, ]*$/)
    .transform((text): boolean | number | string => FLAGS[text] ?? (/^\d+$/.test(text) ? Number(text) : text))
    .default(false),
  /** Hosts (`name` or `name:port`), separated by commas, that this server may reach although they are not on the public Internet. */
  EGRESS_PRIVATE_HOSTS: z
    .string()
    .regex(/^[A-Za-z0-9.:_[\], -]*$/)
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim().toLowerCase())
        .filter((part) => part !== ''),
    )
    .default([]),
  COUNTERSIGN_DATA: z.string().min(1).default('data'),
  COUNTERSIGN_SECRET_KEY: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MAX_REQUEST_BYTES: whole(1_024, 16 * 1_048_576).default(65_536),
  RATE_LIMIT_PER_MINUTE: whole(1, 10_000_000).default(6_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});
