import * as z from 'zod';
import { toInputSchema, toOutputSchema } from './tool-schema.js';

const Input = z.object({
  id: z.uuid().describe('The plan'),
  format: z.string().optional(),
  limits: z.object({ timeout_ms: z.int().min(1).default(5) }).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

describe('toInputSchema', () => {
  it('gives one plain object without format keywords, and keeps a property of that name', () => {
    const schema = toInputSchema(Input, false);
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'string', description: 'The plan' }, format: { type: 'string' } },
    });
    expect(JSON.stringify(schema)).not.toMatch(/"format":"/);
    expect(schema).not.toHaveProperty('$schema');
    expect(schema).toHaveProperty('properties.env.additionalProperties.type', 'string');
    expect(JSON.stringify(schema)).not.toContain('propertyNames');
  });

  it('adds an optional request_id where it is asked to', () => {
    expect(toInputSchema(Input, true)).toHaveProperty('properties.request_id.type', 'string');
    expect(toInputSchema(Input, true)).toHaveProperty('required', ['id']);
  });

  it('gives properties even to an empty input', () => {
    expect(toInputSchema(z.object({}), false)).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('inlines what is used twice', () => {
    const Both = z.object({ id: z.uuid() });
    expect(JSON.stringify(toInputSchema(z.object({ a: Both, b: Both }), false))).not.toContain('$ref');
  });

  it('refuses a schema that brings its own request_id', () => {
    expect(() => toInputSchema(z.object({ request_id: z.string() }), true)).toThrow('added by the registry');
  });
});

describe('toOutputSchema', () => {
  it('gives an object that does not forbid later fields, at any depth', () => {
    const schema = toOutputSchema(z.object({ ok: z.boolean(), inner: z.object({ at: z.int() }) }));
    expect(schema).toMatchObject({ type: 'object', properties: { ok: { type: 'boolean' }, inner: { required: ['at'] } } });
    expect(JSON.stringify(schema)).not.toContain('additionalProperties');
  });

  it('fits an answer and a refusal alike', () => {
    const schema = toOutputSchema(z.object({ ok: z.boolean() }));
    expect(schema).not.toHaveProperty('required');
    expect(schema).toHaveProperty('properties.error.required');
  });

  it('says "or null" and "anything" in words that every client knows', () => {
    const schema = toOutputSchema(z.object({ name: z.string().nullable().describe('Its name'), any: z.looseObject({ a: z.int() }) }));
    expect(schema).toMatchObject({
      properties: {
        name: { description: 'Its name', anyOf: [{ type: 'string' }, { type: 'null' }] },
        any: { type: 'object', properties: { a: { type: 'integer' } } },
      },
    });
    expect(JSON.stringify(schema)).not.toMatch(/additionalProperties|"type":\[/);
  });

  it('takes a union of objects', () => {
    const schema = toOutputSchema(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]));
    expect(schema).toMatchObject({ type: 'object', anyOf: [{ type: 'object' }, { type: 'object' }, { required: ['error'] }] });
  });

  it('refuses what is not an object, or takes the name of a refusal', () => {
    expect(() => toOutputSchema(z.string())).toThrow('answers with an object');
    expect(() => toOutputSchema(z.record(z.string(), z.string()))).toThrow('answers with an object');
    expect(() => toOutputSchema(z.object({ error: z.string() }))).toThrow('name of a refusal');
  });
});
