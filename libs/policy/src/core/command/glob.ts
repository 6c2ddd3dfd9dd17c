import type { PathLook } from '../path-look.js';
import { isInside, resolvePath } from '../paths/resolve.js';
import type { Where } from '../question.js';
import type { PatternPart } from './words.js';

const MAX_MATCHES = 256;
const MAX_NAMES = 20_000;

export type Expanded =
  { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly why: string; readonly limit: boolean };

/** One segment of a pattern: plain text, or something to match names with. */
interface Segment {
  readonly text: string;
  readonly match: RegExp | null;
  readonly dotted: boolean;
}

/**
 * Expands an unquoted pattern as a shell does in the C locale, but only inside the workspace: hidden names only for a
 * leading dot, in byte order, and the pattern itself when nothing matches.
 */
export function expandGlob(parts: readonly PatternPart[], { cwd, root }: Where, look: PathLook): Expanded {
  const segments = segmentsOf(parts);
  if (!segments) return { ok: false, why: 'a pattern that is not understood', limit: false };
  let seen = 0;
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
        if ((seen += 1) > MAX_NAMES) return { ok: false, why: 'a pattern that has to look at too many names', limit: true };
        if (name.startsWith('.') && !segment.dotted) continue;
        if (!segment.match.test(name) || (!last && !isFolder(look, folder.real, name))) continue;
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

/** Cuts at every unquoted or quoted slash; null for bracket forms beyond plain sets and ranges. */
function segmentsOf(parts: readonly PatternPart[]): readonly Segment[] | null {
  const segments: { text: string; source: string; globs: boolean }[] = [{ text: '', source: '', globs: false }];
  for (const part of parts) {
    if ('glob' in part) {
      const source = globSource(part.glob);
      const current = segments.at(-1);
      if (source === null || !current) return null;
      current.text += part.glob;
      current.source += source;
      current.globs = true;
      continue;
    }
    part.literal.split('/').forEach((piece, at) => {
      if (at > 0) segments.push({ text: '', source: '', globs: false });
      const current = segments.at(-1);
      if (!current) return;
      current.text += piece;
      current.source += escaped(piece);
    });
  }
  return segments.map(({ text, source, globs }) => ({
    text,
    match: globs ? new RegExp(`^${source}$`, 'su') : null,
    dotted: text.startsWith('.'),
  }));
}

function globSource(glob: string): string | null {
  if (/^\*+$/.test(glob)) return '.*';
  if (glob === '?') return '.';
  const set = /^\[([!^]?)([\w .,@%+=#~-]+)\]$/.exec(glob);
  if (!set) return null;
  const [, negation = '', members = ''] = set;
  if (/[^\w]-.|.-[^\w]/.test(members)) return null;
  for (const [, from = '', to = ''] of members.matchAll(/(\w)-(\w)/g)) if (from > to) return null;
  return `[${negation === '' ? '' : '^'}${members}]`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
