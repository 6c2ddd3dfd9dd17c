import { hash } from 'node:crypto';

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
  if (!value.isWellFormed()) throw new TypeError('The text holds half a character');
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

export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The bytes of base64 text, or undefined when the text is not the one way to write them. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
