import { Buffer } from 'node:buffer';

/** One spelling of a known secret, and how it is looked for. */
export interface SecretForm {
  readonly text: string;
  /** Hex and URL escapes are the same secret in either case. */
  readonly ignoreCase: boolean;
  /** Units on each side that may hold a part of the secret's first or last byte. */
  readonly margin: number;
}

/** Shorter values would hide ordinary words. */
const MIN_SECRET = 6;
const MIN_FORM = 6;

/** Every spelling in which a known secret is hidden. None holds a line break, so lines can be judged one by one. */
export function secretForms(secrets: readonly string[]): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>();
  for (const form of secrets.filter(({ length }) => length >= MIN_SECRET).flatMap(formsOf)) {
    if (form.text.length >= MIN_FORM && !/[\r\n]/.test(form.text)) forms.set(form.text, form);
  }
  return [...forms.values()];
}

function formsOf(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  const lines = /[\r\n]/.test(secret) ? secret.split(/[\r\n]+/).map((line) => line.trim()) : [secret];
  return [
    ...lines.flatMap((line) => [exact(line), exact(reversed(line))]),
    exact(JSON.stringify(secret).slice(1, -1)),
    { text: encodeUri(secret), ignoreCase: true, margin: 0 },
    { text: bytes.toString('hex'), ignoreCase: true, margin: 0 },
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
  ];
}

/** By code points, as programs do it. */
function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

const exact = (text: string): SecretForm => ({ text, ignoreCase: false, margin: 0 });

function encodeUri(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}

/** The part of the base64 text that is the same whatever stands before and after the secret. */
function base64At(bytes: Buffer, shift: number): readonly SecretForm[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const stable = text.slice(first, last);
  const url = stable.replaceAll('+', '-').replaceAll('/', '_');
  return [stable, url].map((form) => ({ text: form, ignoreCase: false, margin: 2 }));
}
