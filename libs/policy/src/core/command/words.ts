import type { Word, WordPart } from 'unbash';

/** A word that means the same whatever the state of a shell, or why it does not. */
export type PlainWord =
  | {
      readonly ok: true;
      readonly text: string;
      /** Set when unquoted `*`, `?` or `[` stand in it. */ readonly pattern: readonly PatternPart[] | null;
    }
  | { readonly ok: false; readonly why: string };

/** Literal text, or a part that matches names. */
export type PatternPart = { readonly literal: string } | { readonly glob: string };

const REFUSED: Readonly<Record<string, string>> = {
  AnsiCQuoted: "the quoting $'…'",
  LocaleString: 'the quoting $"…"',
  SimpleExpansion: 'a variable',
  ParameterExpansion: 'a variable',
  CommandExpansion: 'a command substitution',
  ArithmeticExpansion: 'arithmetic',
  ProcessSubstitution: 'a process substitution',
  ExtendedGlob: 'an extended pattern',
  BraceExpansion: 'a brace expansion',
};

/** Takes a word apart and refuses everything a shell would replace by something else. */
export function plainWord(word: Word): PlainWord {
  const active = activeLetter(word.text);
  if (!word.parts) return active === null ? { ok: true, text: word.value, pattern: null } : { ok: false, why: active };
  const pattern: PatternPart[] = [];
  for (const part of word.parts) {
    const why = REFUSED[part.type] ?? (part.type === 'DoubleQuoted' ? insideQuotes(part.parts) : null);
    if (why !== null) return { ok: false, why };
    pattern.push(...partsOf(part));
  }
  if (active !== null) return { ok: false, why: active };
  const text = pattern.map((part) => ('literal' in part ? part.literal : part.glob)).join('');
  return { ok: true, text, pattern: pattern.some((part) => 'glob' in part) ? pattern : null };
}

function insideQuotes(parts: readonly WordPart[]): string | null {
  for (const part of parts) if (part.type !== 'Literal') return REFUSED[part.type] ?? 'something inside quotes';
  return null;
}

function partsOf(part: WordPart): readonly PatternPart[] {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return [{ literal: part.value }];
  if (part.type === 'Glob') return [{ glob: part.text }];
  if (part.type !== 'DoubleQuoted') return []; // refused before
  return [{ literal: part.parts.map((inner) => (inner.type === 'Literal' ? inner.value : '')).join('') }];
}

/** Letters that mean something to a shell outside quotes, whatever the parser made of them. */
const META = /[`()<>|&;\n]/;
/** What makes a dollar sign more than itself. */
const AFTER_DOLLAR = /[A-Za-z0-9_{([@*#?$!'"-]/;

/**
 * Reads a raw word a second time, letter by letter and independent of the parser: nothing in it may be replaced or
 * started by a shell. Gives what was found, or null.
 */
function activeLetter(text: string): string | null {
  const raw = text.replace(/^(\\\n)+/, ''); // a line that goes on before the word begins
  let quote = '';
  for (let at = 0; at < raw.length; at += 1) {
    const letter = raw[at] ?? '';
    const next = raw[at + 1] ?? '';
    if (quote === "'") {
      if (letter === "'") quote = '';
    } else if (letter === '\\') {
      if (next === '\n') return 'a line break inside a word';
      at += 1;
    } else if (letter === '$' && AFTER_DOLLAR.test(quote === '"' ? next.replace(/['"]/, '') : next)) return 'a variable or a substitution';
    else if (letter === '`') return 'a command substitution';
    else if (quote === '"') {
      if (letter === '"') quote = '';
    } else if (letter === "'" || letter === '"') quote = letter;
    else if (META.test(letter)) return `the sign ${letter === '\n' ? 'of a line break' : letter} inside a word`;
    else if (letter === '~' && (at === 0 || raw[at - 1] === '=' || raw[at - 1] === ':')) return 'a tilde; give the path itself';
  }
  return quote === '' ? null : 'a quote that does not end';
}
