import type { Analysis } from '../analysis.js';
import type { Line } from '../context.js';
import type { PathLook } from '../path-look.js';
import type { Where } from '../question.js';
import { isInside, lexicalPath, resolvePath } from './resolve.js';

/** Devices that every program may use. */
const HARMLESS = new Set(['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/stdin']);
/** Letters of patterns, routes and addresses rather than of file names. */
const NO_PATH = /[*?()[\]{}|^$\\<>\s]|:\/\//;
/** How a word begins when it is written as a path. */
const WRITTEN_AS_PATH = /^(\/|~|\.\.(\/|$))|\/\.\.(\/|$)/;

/**
 * Words that code of the workspace is given and that are written like paths outside it. What such code does with a
 * word cannot be known, so no word of that kind passes without a person.
 */
export function judgeStrays(where: Where & { readonly look: PathLook }, line: Line, analysis: Analysis): void {
  line.words.forEach((word, at) => {
    if (at === 0 || line.messages.has(at) || analysis.isProgram(at)) return;
    if (leadsOut(where, word.slice(word.indexOf('=') + 1).replace(/^@/, ''))) analysis.fire('path.stray', word);
  });
}

function leadsOut({ look, cwd, root }: Where & { readonly look: PathLook }, text: string): boolean {
  if (text === '/' || !WRITTEN_AS_PATH.test(text) || NO_PATH.test(text)) return false;
  const lexical = lexicalPath(cwd, text);
  if (text.startsWith('~')) return true;
  if (HARMLESS.has(lexical)) return false;
  const real = resolvePath(look, cwd, text, true)?.real ?? lexical;
  return !isInside(root, lexical) || !isInside(root, real);
}
