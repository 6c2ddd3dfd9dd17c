/** A path pattern, cut into segments. `**` stands for any number of them; `*` and `?` stay inside one. */
export interface PathGlob {
  readonly segments: readonly string[];
  /** The part before the first segment that is a pattern: everything that matches lies below it. */
  readonly base: readonly string[];
}

const SPECIAL = /[*?]/;
/** Forms that other matchers know and this one does not: refused, so that nobody believes they mean something. */
const UNKNOWN = /[[\]{}!\\()|]/;

/** Undefined: this is no pattern that can be matched. */
export function pathGlob(text: string): PathGlob | undefined {
  if (text === '' || text.startsWith('/') || text.startsWith('~') || UNKNOWN.test(text)) return undefined;
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length > 32 || segments.some((segment) => segment === '..' || (segment.includes('**') && segment !== '**')))
    return undefined;
  const first = segments.findIndex((segment) => SPECIAL.test(segment));
  return { segments, base: first < 0 ? segments : segments.slice(0, first) };
}

/** Whether the whole path matches. Time grows with path times pattern, whatever they are made of. */
export function matchesPath({ segments }: PathGlob, path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const name of [...path, null]) {
    const open = closure(reached, segments);
    if (name === null) return open.has(segments.length);
    reached = new Set();
    for (const at of open) {
      const segment = segments[at];
      if (segment === undefined) continue;
      if (segment === '**') reached.add(at);
      else if (matchesName(segment, name)) reached.add(at + 1);
    }
    if (reached.size === 0) return false;
  }
  return false;
}

/** Places that are reached without another name: `**` may stand for none. */
function closure(reached: ReadonlySet<number>, segments: readonly string[]): ReadonlySet<number> {
  const open = new Set<number>();
  for (const start of reached) {
    let at = start;
    open.add(at);
    while (segments[at] === '**') open.add((at += 1));
  }
  return open;
}

/** Whether something that matches may lie below this folder, or is the folder. */
export function reachesBelow({ base, segments }: PathGlob, folder: readonly string[]): boolean {
  const shared = Math.min(base.length, folder.length);
  for (let at = 0; at < shared; at += 1) if (base[at] !== folder[at]) return false;
  return folder.length <= base.length || base.length < segments.length;
}

/** `*` for any run of characters, `?` for one. Only the last star is ever tried again. */
export function matchesName(pattern: string, name: string): boolean {
  let [at, token, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[token] === '*') {
      [star, resume] = [token, at];
      token += 1;
    } else if (pattern[token] !== undefined && (pattern[token] === '?' || pattern[token] === name[at])) {
      at += 1;
      token += 1;
    } else if (star >= 0) {
      resume += 1;
      [at, token] = [resume, star + 1];
    } else return false;
  }
  while (pattern[token] === '*') token += 1;
  return token === pattern.length;
}
