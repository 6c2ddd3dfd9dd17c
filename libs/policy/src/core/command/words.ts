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
  if (hasTilde(word.text)) return { ok: false, why: 'a tilde; give the path itself' };
  if (!word.parts) return { ok: true, text: word.value, pattern: null };
  const pattern: PatternPart[] = [];
  for (const part of word.parts) {
    const why = REFUSED[part.type] ?? (part.type === 'DoubleQuoted' ? insideQuotes(part.parts) : null);
    if (why !== null) return { ok: false, why };
    pattern.push(...partsOf(part));
  }
  const text = pattern.map((part) => ('literal' in part ? part.literal : part.glob)).join('');
  return { ok: true, text, pattern: pattern.some((part) => 'glob' in part) ? pattern : null };
}

function insideQuotes(parts: readonly WordPart[]): string | null {
  for (const part of parts) if (part.type !== 'Literal') return REFUSED[part.type] ?? 'something inside quotes';
  return null;
}

function partsOf(part: WordPart): readonly PatternPart[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [{ literal: part.value }];
    case 'DoubleQuoted':
      return [{ literal: part.parts.map((inner) => (inner.type === 'Literal' ? inner.value : '')).join('') }];
    case 'Glob':
      return [{ glob: part.text }];
    default:
      return []; // refused above
  }
}

/** A tilde that a shell would replace: unquoted, at the beginning or behind `=` or `:`. */
function hasTilde(raw: string): boolean {
  let quote = '';
  for (let at = 0; at < raw.length; at += 1) {
    const letter = raw[at] ?? '';
    if (quote === "'") {
      if (letter === "'") quote = '';
    } else if (letter === '\\') at += 1;
    else if (quote === '"') {
      if (letter === '"') quote = '';
    } else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '~' && (at === 0 || raw[at - 1] === '=' || raw[at - 1] === ':')) return true;
  }
  return false;
}
