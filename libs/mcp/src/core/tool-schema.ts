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
  const { type, properties, required, ...rest } = portable(
    z.toJSONSchema(input, { io: 'input', reused: 'inline', cycles: 'throw' }),
    false,
  );
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
  const schema = portable(z.toJSONSchema(output, { io: 'output', reused: 'inline', cycles: 'throw' }), true);
  const { type, properties, anyOf, oneOf } = schema;
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

/** Some clients drop all tools over one keyword that they do not know; what is left out says nothing that the rest does not. */
function portable(schema: object, isOpen: boolean): Record<string, unknown> {
  return asPortable(schema, isOpen, false) as Record<string, unknown>; // an object stays one
}

function asPortable(node: unknown, isOpen: boolean, isNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => asPortable(item, isOpen, false));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => isNames || !isDropped(key, value, isOpen));
  const entries = kept.map(([key, value]) => [key, asPortable(value, isOpen, !isNames && key === 'properties')] as const);
  return isNames ? Object.fromEntries(entries) : withOneType(Object.fromEntries(entries));
}

function isDropped(key: string, value: unknown, isOpen: boolean): boolean {
  if (key === 'additionalProperties') return (isOpen && value === false) || isEmpty(value);
  return key === '$schema' || key === 'format' || key === 'propertyNames'; // a pattern says what a format says; all names are text
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** "Text or null" as two forms of one type each. */
function withOneType({ type, description, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const told = description === undefined ? {} : { description };
  if (!Array.isArray(type)) return { ...(type !== undefined && { type }), ...told, ...rest };
  return { ...told, anyOf: type.map((one) => (one === 'null' ? { type: 'null' } : { type: one as unknown, ...rest })) };
}
