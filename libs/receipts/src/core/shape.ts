import { isWellFormed } from './primitives.js';

/** What a JSON value must look like: gives the paths that are wrong, never the values. */
export type Shape = (value: unknown, path: string) => readonly string[];

const check =
  (isRight: (value: unknown) => boolean): Shape =>
  (value, path) =>
    isRight(value) ? [] : [path];

export const text = (pattern?: RegExp): Shape =>
  check((value) => typeof value === 'string' && isWellFormed(value) && (pattern?.test(value) ?? true));
export const anything: Shape = () => [];
export const whole: Shape = check((value) => Number.isSafeInteger(value));
export const truth: Shape = check((value) => typeof value === 'boolean');
export const exactly = (wanted: unknown): Shape => check((value) => value === wanted);
export const oneOf = (wanted: readonly unknown[]): Shape => check((value) => wanted.includes(value));

export const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);

export const list =
  (item: Shape): Shape =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((entry, index) => item(entry, `${path}/${String(index)}`)) : [path];

/** Names that end in `?` may be absent. `others` says what a name outside the list must look like; without it there is none. */
export const object =
  (fields: Readonly<Record<string, Shape>>, others?: Shape): Shape =>
  (value, path) => {
    if (!isRecord(value)) return [path];
    const known = Object.entries(fields).flatMap(([name, shape]) => {
      const key = name.replace(/\?$/, '');
      if (key in value) return shape(value[key], `${path}/${key}`);
      return name.endsWith('?') ? [] : [`${path}/${key}`];
    });
    const names = new Set(Object.keys(fields).map((name) => name.replace(/\?$/, '')));
    const unknown = Object.keys(value).filter((key) => !names.has(key));
    return [...known, ...unknown.flatMap((key) => (others ? others(value[key], `${path}/${key}`) : [`${path}/${key}`]))];
  };

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
