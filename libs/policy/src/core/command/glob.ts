import type { PathLook } from '../path-look.js';
import { isInside, resolvePath } from '../paths/resolve.js';
import type { Where } from '../question.js';
import type { PatternPart } from './words.js';

const MAX_MATCHES = 256;

/** How many names the patterns of one command may still look at: each look takes time from everybody. */
export interface GlobBudget {
  names: number;
}

export function globBudget(): GlobBudget {
  return { names: 20_000 };
}

export type Expanded =
  { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly why: string; readonly limit: boolean };

/** `star` stands for any run of characters; the others for exactly one. */
type Token =
  { readonly kind: 'star' } | { readonly kind: 'character'; readonly text: string } | { readonly kind: 'set'; readonly one: RegExp };

/** One segment of a pattern: plain text, or something to match names with. */
interface Segment {
  readonly text: string;
  readonly match: readonly Token[] | null;
  readonly dotted: boolean;
}

/**
 * Expands an unquoted pattern as a shell does in the C locale, but only inside the workspace: hidden names only for a
 * leading dot, in byte order, and the pattern itself when nothing matches.
 */
export function expandGlob(parts: readonly PatternPart[], { cwd, root }: Where, look: PathLook, budget: GlobBudget): Expanded {
  const segments = segmentsOf(parts);
  if (!segments) return { ok: false, why: 'a pattern that is not understood', limit: false };
  let paths: readonly string[] = [''];
  for (const [at, segment] of segments.entries()) {
    const last = at === segments.length - 1;
    const next: string[] = [];
    for (const path of paths) {
      const prefix = at === 0 ? '' : `${path}/`;
      if (!segment.match) {
        if (last && at > 0 && segment.text !== '' && !look.lstat(absolute(look, cwd, `${prefix}${segment.text}`))) continue;
        next.push(`${prefix}${segment.text}`);
        continue;
      }
      const folder = resolvePath(look, cwd, prefix === '' ? '.' : prefix, true);
      if (!folder || !isInside(root, folder.real)) return { ok: false, why: 'a pattern that looks outside the workspace', limit: false };
      for (const name of look.list(folder.real) ?? []) {
        if ((budget.names -= 1) < 0) return { ok: false, why: 'a pattern that has to look at too many names', limit: true };
        if (name.startsWith('.') && !segment.dotted) continue;
        if (!matches(segment.match, name) || (!last && !isFolder(look, folder.real, name))) continue;
        next.push(`${prefix}${name}`);
      }
    }
    paths = next;
  }
  if (paths.length > MAX_MATCHES) return { ok: false, why: 'a pattern that matches too many names', limit: true };
  const words = paths.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return { ok: true, words: words.length > 0 ? words : [literalOf(parts)] };
}

function absolute(look: PathLook, cwd: string, text: string): string {
  return resolvePath(look, cwd, text, false)?.real ?? '/dev/null/absent';
}

function isFolder(look: PathLook, folder: string, name: string): boolean {
  return resolvePath(look, folder, name, true)?.fact?.kind === 'directory';
}

function literalOf(parts: readonly PatternPart[]): string {
  return parts.map((part) => ('literal' in part ? part.literal : part.glob)).join('');
}

/** In time proportional to name times pattern: only the last star is ever tried again. */
function matches(tokens: readonly Token[], name: string): boolean {
  const characters = Array.from(name);
  let [at, token, star, resume] = [0, 0, -1, 0];
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      [star, resume] = [token, at];
      token += 1;
    } else if (current && fits(current, characters[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (star >= 0) {
      resume += 1;
      [at, token] = [resume, star + 1];
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star');
}

function fits(token: Exclude<Token, { kind: 'star' }>, character: string): boolean {
  return token.kind === 'character' ? token.text === character : token.one.test(character);
}

/** Cuts at every unquoted or quoted slash; null for bracket forms beyond plain sets and ranges. */
function segmentsOf(parts: readonly PatternPart[]): readonly Segment[] | null {
  const segments: { text: string; tokens: Token[]; globs: boolean }[] = [{ text: '', tokens: [], globs: false }];
  for (const part of parts) {
    if ('glob' in part) {
      const token = globToken(part.glob);
      const current = segments.at(-1);
      if (token === null || !current) return null;
      current.text += part.glob;
      current.tokens.push(token);
      current.globs = true;
      continue;
    }
    part.literal.split('/').forEach((piece, at) => {
      if (at > 0) segments.push({ text: '', tokens: [], globs: false });
      const current = segments.at(-1);
      if (!current) return;
      current.text += piece;
      current.tokens.push(...Array.from(piece, (text): Token => ({ kind: 'character', text })));
    });
  }
  return segments.map(({ text, tokens, globs }) => ({ text, match: globs ? tokens : null, dotted: text.startsWith('.') }));
}

function globToken(glob: string): Token | null {
  if (/^\*+$/.test(glob)) return { kind: 'star' };
  if (glob === '?') return { kind: 'set', one: /^.$/su };
  const set = /^\[([!^]?)([\w .,@%+=#~-]+)\]$/.exec(glob);
  if (!set) return null;
  const [, negation = '', members = ''] = set;
  if (/[^\w]-.|.-[^\w]/.test(members)) return null;
  for (const [, from = '', to = ''] of members.matchAll(/(\w)-(\w)/g)) if (from > to) return null;
  return { kind: 'set', one: new RegExp(`^[${negation === '' ? '' : '^'}${members}]$`, 'su') };
}
