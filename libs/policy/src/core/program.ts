import type { Unwrap } from './grammar/tool.js';
import type { Analysis } from './analysis.js';
import type { Context } from './context.js';
import { judgePath } from './paths/judge.js';
import { isInside, lexicalPath, resolvePath } from './paths/resolve.js';
import { TOOL_FOLDERS } from './question.js';

const HEADER_BYTES = 256;
const ELF = '\u007fELF';
/** Mach-O and universal binaries. */
const MACH_O = /^(\u00cf\u00fa\u00ed\u00fe|\u00ca\u00fe\u00ba\u00be)/;

/**
 * What the first word runs. Gives the name under which its grammar is looked up, or null when only the file counts.
 * A bare name means a tool of the machine; a path is the same tool only when it stands in a folder of tools.
 */
export function judgeProgram(
  program: string,
  argv: readonly string[],
  context: Context,
  analysis: Analysis,
  unwrap: Unwrap,
): string | null {
  if (!program.includes('/')) return program;
  const base = program.slice(program.lastIndexOf('/') + 1);
  const resolved = resolvePath(context.look, context.cwd, program, true);
  const folder = lexicalPath(context.cwd, program.slice(0, program.lastIndexOf('/') + 1));
  if (isToolFolder(folder, context)) return base;
  if (resolved && !isInside(context.root, resolved.real) && isToolFolder(parentOf(resolved.real), context)) {
    // Such as the python of a virtual environment: a link in the workspace to a tool of the machine.
    analysis.fire('project.code', program);
    return base;
  }
  const real = judgePath(analysis, context, program, 'execute');
  if (real === null) return null;
  if (resolved?.fact?.kind === 'file') judgeHeader(real, program, argv, context, analysis, unwrap);
  return base;
}

/** Without a program header and `#!` the kernel refuses, and the C library would hand the file to a shell. */
function judgeHeader(real: string, program: string, argv: readonly string[], context: Context, analysis: Analysis, unwrap: Unwrap): void {
  const head = context.look.readText(real, HEADER_BYTES);
  if (head === null || head.startsWith(ELF) || MACH_O.test(head)) return;
  if (!head.startsWith('#!')) return analysis.fire('exec.script', program);
  const [interpreter = '', ...options] = (head.split('\n', 1)[0] ?? '').slice(2).trim().split(/\s+/);
  const words = [interpreter, ...options, program, ...argv.slice(1)];
  if (interpreter === program) return analysis.fire('exec.script', program);
  unwrap(words, { ...context, depth: context.depth + 1, offset: 0, line: { words, messages: new Set() } });
}

function isToolFolder(folder: string, { toolPaths, root }: Context): boolean {
  return TOOL_FOLDERS.some((known) => known === folder) || (toolPaths.includes(folder) && !isInside(root, folder));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
