import { compile } from '../grammar/compile.js';
import { readWords } from '../grammar/words.js';
import { GIT } from './git.js';

/** Where the subcommand stands in an argv of git; null when there is none. */
export function readGitCommand(argv: readonly string[]): { readonly commandAt: number | null } {
  const grammar = GIT['git'];
  if (!grammar) return { commandAt: null };
  const { next } = readWords(compile(grammar), argv, 1, 0);
  return { commandAt: next < argv.length ? next : null };
}
