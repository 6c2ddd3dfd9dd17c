import { isWellFormed } from './primitives.js';

/** What a JSON value must look like: gives the paths that are wrong, from the value on, and never the values. */
export type Shape = (value: unknown) => readonly string[];

const RIGHT: readonly string[] = [];
const WRONG: readonly string[] = [''];

const check =
  (isRight: (value: unknown) => boolean): Shape =>
  (value) =>
    isRight(value) ? RIGHT : WRONG;

/** With a pattern it allows plain characters only. */
export const text = (pattern?: RegExp): Shape =>
  check(
    pattern ? (value) => typeof value === 'string' && pattern.test(value) : (value) => typeof value === 'string' && isWellFormed(value),
  );
export const anything: Shape = () => RIGHT;
export const whole: Shape = check((value) => Number.isSafeInteger(value));
export const truth: Shape = check((value) => typeof value === 'boolean');
export const exactly = (wanted: unknown): Shape => check((value) => value === wanted);
export const oneOf = (wanted: readonly unknown[]): Shape => check((value) => wanted.includes(value));

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? RIGHT : shape(value);

export const list =
  (item: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return WRONG;
    let wrong = RIGHT;
    for (let index = 0; index < value.length; index += 1) wrong = joined(wrong, String(index), item(value[index]));
    return wrong;
  };

interface Field {
  readonly shape: Shape;
  readonly isNeeded: boolean;
}

/** Names that end in `?` may be absent. `others` says what a name outside the list must look like; without it there is none. */
export const object = (fields: Readonly<Record<string, Shape>>, others: Shape = () => WRONG): Shape => {
  const known = new Map<string, Field>();
  for (const [name, shape] of Object.entries(fields)) known.set(name.replace(/\?$/, ''), { shape, isNeeded: !name.endsWith('?') });
  const needed = [...known].filter(([, { isNeeded }]) => isNeeded).map(([name]) => name);
  return (value) => {
    if (!isRecord(value)) return WRONG;
    let wrong = RIGHT;
    let met = 0;
    for (const name of Object.keys(value)) {
      const field = known.get(name);
      if (field?.isNeeded) met += 1;
      wrong = joined(wrong, name, (field?.shape ?? others)(value[name]));
    }
    return met === needed.length ? wrong : [...needed.filter((name) => !Object.hasOwn(value, name)).map((name) => `/${name}`), ...wrong];
  };
};

/** Paths are written for what is wrong only: nearly all that is looked at is right. */
function joined(wrong: readonly string[], name: string, below: readonly string[]): readonly string[] {
  return below.length === 0 ? wrong : [...wrong, ...below.map((path) => `/${name}${path}`)];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
