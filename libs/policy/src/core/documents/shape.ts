import * as z from 'zod';
import { EFFECTS, MODES, OUTCOMES, PATH_ROLES, PRINCIPAL_KINDS, RISKS, ROLES, WEEKDAYS } from '#contracts';
import { RULES } from '../rules.js';
import { pathGlob } from './glob.js';
import { isZone, minutesOf } from './time-window.js';
import { durationOf, sizeOf } from './units.js';

const MAX_ENTRIES = 200;
const MAX_ARGV = 256;

/** Plain text of one line, as people write names and patterns. */
const word = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'holds a control character');

/** One entry or a list of them. */
function many<T extends z.ZodType>(entry: T) {
  return z
    .union([entry, z.array(entry).min(1).max(MAX_ENTRIES)])
    .transform((value): readonly z.output<T>[] => (Array.isArray(value) ? value : [value]) as readonly z.output<T>[]); // no entry is itself a list
}

const glob = word.refine((text) => pathGlob(text) !== undefined, {
  error: 'is no path pattern: count from the workspace, with *, ? and ** as a whole segment',
});
const clock = z.string().refine((text) => minutesOf(text) !== undefined, { error: 'is no time of day such as "07:30" (with quotes)' });
const duration = z.string().transform((text, context) => {
  const ms = durationOf(text);
  if (ms !== undefined && ms > 0) return ms;
  context.addIssue({ code: 'custom', message: 'is no duration such as 90s, 30m, 4h or 2d' });
  return z.NEVER;
});
const size = z.string().transform((text, context) => {
  const bytes = sizeOf(text);
  if (bytes !== undefined && bytes > 0) return bytes;
  context.addIssue({ code: 'custom', message: 'is no size such as 64KiB or 1MiB' });
  return z.NEVER;
});

const window = z
  .strictObject({
    zone: z.string().refine(isZone, { error: 'is no IANA time zone such as Europe/Berlin' }),
    weekdays: many(z.enum(WEEKDAYS)).optional(),
    from: clock.optional(),
    to: clock.optional(),
  })
  .refine(({ from, to }) => from === undefined || from !== to, { error: 'begins and ends at the same time', path: ['to'] })
  .refine(({ weekdays, from, to }) => weekdays !== undefined || from !== undefined || to !== undefined, {
    error: 'names neither weekdays nor a time of day',
  });

const path = z.union([
  glob.transform((text) => ({ glob: text, roles: [] })),
  z.strictObject({ glob, role: many(z.enum(PATH_ROLES)) }).transform(({ glob: text, role }) => ({ glob: text, roles: role })),
]);

const match = z.strictObject({
  workspace: many(word).optional(),
  principal: many(word).optional(),
  kind: many(z.enum(PRINCIPAL_KINDS)).optional(),
  role: many(z.enum(ROLES)).optional(),
  session: many(z.uuid()).optional(),
  mode: many(z.enum(MODES)).optional(),
  tool: many(word.regex(/^[^\s/]+$/, 'is the name of a tool, without a path')).optional(),
  subcommand: many(word).optional(),
  argv: z.array(z.string().max(32_768)).min(1).max(MAX_ARGV).optional(),
  cwd: word.refine((text) => text === '.' || (pathGlob(text)?.segments.every((part) => !/[*?]/.test(part)) ?? false), {
    error: 'is no folder counted from the workspace',
  }).optional(), // prettier-ignore
  effect: many(z.enum(EFFECTS)).optional(),
  path: many(path).optional(),
  host: many(word.regex(/^(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i, 'is no host such as example.com or *.example.com')).optional(),
  risk: many(z.enum(RISKS)).optional(),
  finding: many(z.string().refine((name) => Object.hasOwn(RULES, name), { error: 'is no rule of the built-in policy' })).optional(),
  connector_action: many(word).optional(),
  time: many(window).optional(),
});

const ask = z.strictObject({
  role: many(z.enum(ROLES)).optional(),
  people: many(word).optional(),
  not_requester: z.boolean().optional(),
  quorum: z.int().min(1).max(20).optional(),
  distinct: z.literal(true).optional(),
  within: duration.optional(),
  on_expiry: z.enum(['deny', 'wait']).optional(),
  remember: z.boolean().optional(),
});

const limits = z.strictObject({
  timeout: duration.optional(),
  output: size.optional(),
  network: z.union([z.literal('none').transform((): readonly string[] => []), many(word)]).optional(),
  sandbox: z.literal('required').optional(),
});

const circumstances = {
  mode: z.enum(MODES).nullable().default(null),
  workspace: word.nullable().default(null),
  cwd: word.nullable().default(null),
  principal: word.nullable().default(null),
  kind: z.enum(PRINCIPAL_KINDS).nullable().default(null),
  roles: z.array(z.enum(ROLES)).max(4).nullable().default(null),
  session: z.uuid().nullable().default(null),
  at: z.iso.datetime({ offset: true }).nullable().default(null),
};
const text = z.string().min(1).max(8_192);
const words = z.array(z.string().max(8_192)).min(1).max(MAX_ARGV);
const plain = z.strictObject({ command: text.nullable().default(null), argv: words.nullable().default(null), ...circumstances });
const example = z
  .union([text.transform((command) => ({ command })), words.transform((argv) => ({ argv })), z.record(z.string(), z.unknown())])
  .pipe(plain)
  .refine(({ command, argv }) => (command === null) !== (argv === null), { error: 'needs either command or argv' });

const rule = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'is no name: small letters, digits and dashes, at most 64'),
  match,
  outcome: z.enum(OUTCOMES).optional(),
  ask: ask.optional(),
  limits: limits.optional(),
  reason: z.string().min(1).max(500).optional(),
  examples: z
    .strictObject({ match: z.array(example).max(50).default([]), not_match: z.array(example).max(50).default([]) })
    .default({ match: [], not_match: [] }),
});

/** A document as it is written. Nothing beyond these keys is taken. */
export const documentShape = z.strictObject({
  name: z.string().min(1).max(120),
  rules: z.array(rule).max(500),
});

export type WrittenDocument = z.output<typeof documentShape>;
export type WrittenRule = WrittenDocument['rules'][number];
