import { isWellFormed } from './primitives.js';

/** What a JSON value must look like: gives the paths that are wrong, never the values. */
export type Shape = (value: unknown, path: string) => readonly string[];

const RIGHT: readonly string[] = [];

const check =
  (isRight: (value: unknown) => boolean): Shape =>
  (value, path) =>
    isRight(value) ? RIGHT : [path];

export const text = (pattern?: RegExp): Shape =>
  check((value) => typeof value === 'string' && isWellFormed(value) && (pattern?.test(value) ?? true));
export const anything: Shape = () => RIGHT;
export const whole: Shape = check((value) => Number.isSafeInteger(value));
export const truth: Shape = check((value) => typeof value === 'boolean');
export const exactly = (wanted: unknown): Shape => check((value) => value === wanted);
export const oneOf = (wanted: readonly unknown[]): Shape => check((value) => wanted.includes(value));

export const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? RIGHT : shape(value, path);

export const list =
  (item: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return [path];
    let wrong = RIGHT;
    for (const [index, entry] of value.entries()) wrong = joined(wrong, item(entry, `${path}/${String(index)}`));
    return wrong;
  };

/** Names that end in `?` may be absent. `others` says what a name outside the list must look like; without it there is none. */
export const object = (fields: Readonly<Record<string, Shape>>, others?: Shape): Shape => {
  const known = new Map(Object.entries(fields).map(([name, shape]) => [name.replace(/\?$/, ''), shape]));
  const needed = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value, path) => {
    if (!isRecord(value)) return [path];
    let wrong = RIGHT;
    for (const key of needed) if (!Object.hasOwn(value, key)) wrong = [...wrong, `${path}/${key}`];
    for (const key of Object.keys(value)) {
      const shape = known.get(key) ?? others;
      wrong = joined(wrong, shape ? shape(value[key], `${path}/${key}`) : [`${path}/${key}`]);
    }
    return wrong;
  };
};

function joined(one: readonly string[], other: readonly string[]): readonly string[] {
  return other.length === 0 ? one : [...one, ...other];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
