import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

const REQUEST_ID: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'Optional key of your choice. The same call with the same key is carried out once and gets its first answer again.',
};

/** The rule for `request_id`, which the registry adds to every tool that changes something. */
export const RequestIdSchema = z.string().min(1).max(128);

/** What clients see of an input: one plain object, nothing that only some of them understand. */
export function toInputSchema(input: z.ZodObject, takesRequestId: boolean): JsonSchema {
  const { type, properties, required, ...rest } = plain(z.toJSONSchema(input, { io: 'input', reused: 'inline', cycles: 'throw' }));
  refuseCombinators(rest);
  const own = (properties ?? {}) as Record<string, JsonSchema>;
  if ('request_id' in own) throw new Error('request_id is added by the registry');
  return {
    type,
    properties: takesRequestId ? { ...own, request_id: REQUEST_ID } : own,
    ...(Array.isArray(required) && required.length > 0 && { required: required as readonly string[] }),
    additionalProperties: false,
  };
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Stands alone in a result that is an error.',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    retry: { type: 'string', enum: ['never', 'after_change', 'later'] },
    details: { type: 'object' },
  },
  required: ['code', 'message', 'retry', 'details'],
};

/**
 * What clients see of an output: an object at the top that also fits a refusal, since older clients hold refusals
 * against it too. Fields may be added later, so it does not forbid others.
 */
export function toOutputSchema(output: z.ZodType): JsonSchema {
  const whole = plain(z.toJSONSchema(output, { io: 'output', reused: 'inline', cycles: 'throw' }));
  const { type, properties, required: _required, anyOf, oneOf } = withoutKey(whole, 'additionalProperties') as Record<string, unknown>;
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms))
    return { type: 'object', anyOf: [...(forms as unknown[]), { type: 'object', properties: { error: ERROR }, required: ['error'] }] };
  const own = properties as Record<string, unknown> | undefined;
  if (type !== 'object' || own === undefined) throw new Error('A tool answers with an object');
  if ('error' in own) throw new Error('error is the name of a refusal');
  return { type: 'object', properties: { ...own, error: ERROR } };
}

function refuseCombinators(rest: JsonSchema): void {
  const found = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$defs'].filter((key) => key in rest);
  if (found.length > 0) throw new Error(`An input schema is one plain object, without ${found.join(', ')} at the top`);
}

/** Some clients drop all tools over one unknown `format`; the pattern beside it says the same. */
function plain(schema: object): Record<string, unknown> {
  const { $schema: _draft, ...rest } = withoutKey(schema, 'format') as Record<string, unknown>;
  return rest;
}

/** Removes a keyword everywhere, but leaves properties of that name alone. */
function withoutKey(node: unknown, keyword: string, isNames = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutKey(item, keyword));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => isNames || key !== keyword || typeof value === 'object');
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutKey(value, keyword, !isNames && (key === 'properties' || key === '$defs'))]),
  );
}
