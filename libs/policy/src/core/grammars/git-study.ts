import type { Operand } from '../grammar/shapes.js';
import type { ToolUse } from '../grammar/tool.js';
import { isSecret, protection } from '../paths/names.js';
import { isInside, lexicalPath, resolvePath, segmentsBelow, segmentsOf } from '../paths/resolve.js';

const GPG_FORMAT = /%G|%\(\s*signature/;

/** Operands that name commits or paths, as most of git's reading subcommands take them. */
export function studyRevisions(use: ToolUse, operands: readonly Operand[] = use.operands): void {
  for (const { text, at } of operands) {
    if (use.dashes !== null && at > use.dashes) judgePathspec(use, text);
    else judgeRevision(use, text);
  }
  judgeFormats(use);
}

/** Formats that make git ask a signing program. */
export function judgeFormats(use: ToolUse): void {
  for (const format of use.values('--format', '--pretty', '--sort'))
    if (GPG_FORMAT.test(format)) use.fire('git.program', `--format=${format}`);
  const [submodules] = use.values('--ignore-submodules');
  if (submodules !== undefined && submodules !== 'all' && submodules !== 'dirty')
    use.fire('git.settings', `--ignore-submodules=${submodules}`);
  if (use.values('--submodule').includes('diff')) use.fire('git.settings', '--submodule=diff');
  // `-L start,end:file` and `-L :function:file`
  if (use.name.startsWith('git log') || use.name.startsWith('git show')) {
    for (const range of use.values('-L')) judgePathspec(use, range.slice(range.lastIndexOf(':') + 1));
  }
}

/** A word that is a commit, a range, `commit:path`, or a path. Only what could be a path is judged as one. */
export function judgeRevision(use: ToolUse, text: string): void {
  const colon = text.indexOf(':');
  if (colon >= 0 && !text.startsWith(':(') && !text.startsWith(':!') && !text.startsWith(':^') && !text.includes('^{/')) {
    const path = text.slice(colon + 1).replace(/^[0-3]:/, '');
    return judgeStored(use, path);
  }
  const { look, cwd, root } = use.context;
  const lexical = lexicalPath(cwd, text);
  const below = segmentsBelow(root, lexical);
  const resolved = resolvePath(look, cwd, text, true);
  const leadsOut = !isInside(root, lexical) || !resolved || !isInside(root, resolved.real);
  const mayBePath = /^[./~:]/.test(text) || leadsOut || isSecret(below) || protection(below) !== null;
  if (mayBePath || resolved.fact) judgePathspec(use, text);
}

/** A path inside a commit: nothing on disk, but a secret is a secret there too. */
function judgeStored(use: ToolUse, path: string): void {
  if (isSecret(segmentsOf(path))) use.fire('path.secret', path);
}

/** A pathspec: a path, perhaps with magic in front. */
export function judgePathspec(use: ToolUse, text: string, role: 'read' | 'write' | 'delete' | 'list' = 'read'): void {
  const magic = /^:(\([^)]*\)|[!^/]+)/.exec(text)?.[0] ?? '';
  const path = text.slice(magic.length);
  if (/exclude|[!^]/.test(magic) || path === '') return;
  const fromTop = /top|\//.test(magic);
  use.path(path, role, fromTop ? use.context.root : undefined);
}

/** The whole work tree at once. */
export function isWholeTree(text: string): boolean {
  return /^(\.\/?|:\/|:\(top\)|\*)$/.test(text);
}

export function judgePathspecs(use: ToolUse, role: 'read' | 'write' | 'delete' | 'list'): void {
  for (const text of use.texts()) judgePathspec(use, text, role);
}
