import { isWellFormed } from './primitives.js';

/** RFC 8785. Throws on what has no canonical form: NaN, infinity, lone surrogates. Members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  // What is in order already, as all that was read from canonical text, is written by the engine at once.
  return isInOrder(value) ? JSON.stringify(value) : ordered(value);
}

function ordered(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`;
  let members = '';
  // The default order of `sort` is by UTF-16 units, as the RFC wants it.
  for (const name of Object.keys(value).sort()) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${ordered(member)}`;
  }
  return `{${members}}`;
}

/** Whether the engine would write it in canonical form. Throws on what has none. */
function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) throw new TypeError('The text holds half a character');
      return true;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('The number has no JSON form');
      return true;
    case 'boolean':
      return true;
    case 'object':
      return value === null || (Array.isArray(value) ? areInOrder(value) : isObjectInOrder(value));
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new TypeError('The value has no JSON form');
  }
}

/** Looks at every item, since each may have no form. */
function areInOrder(items: readonly unknown[]): boolean {
  let answer = true;
  for (const item of items) answer = isInOrder(item) && answer;
  return answer;
}

function isObjectInOrder(value: object): boolean {
  let answer = !('toJSON' in value);
  let before: string | undefined;
  for (const name of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (before !== undefined && name < before) answer = false;
    before = name;
    if (member === undefined) answer = false;
    else answer = isInOrder(name) && isInOrder(member) && answer;
  }
  return answer;
}
