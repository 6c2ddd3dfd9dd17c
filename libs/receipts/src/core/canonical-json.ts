import { isWellFormed } from './primitives.js';

/** RFC 8785. Throws on what has no canonical form: NaN, infinity, lone surrogates. Members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('The number has no JSON form');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : canonicalObject(value);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new TypeError('The value has no JSON form');
  }
}

function canonicalString(value: string): string {
  if (!isWellFormed(value)) throw new TypeError('The text holds half a character');
  return JSON.stringify(value);
}

function canonicalObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  // The default order of `sort` is by UTF-16 units, as the RFC wants it.
  for (const name of Object.keys(value).sort()) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${canonicalString(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
