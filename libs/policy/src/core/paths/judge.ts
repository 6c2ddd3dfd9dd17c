import type { PathRole } from '#contracts';
import type { Analysis } from '../analysis.js';
import type { Context } from '../context.js';
import { shown } from '../display.js';
import type { RuleId } from '../rules.js';
import { isSecret, protection } from './names.js';
import { isInside, lexicalPath, MAX_PATH_LENGTH, resolvePath, segmentsBelow } from './resolve.js';

/**
 * What a path operand is to its command. `list` looks at names and dates only; `side` is written by a tool that
 * otherwise reads; `folder` is where a command works.
 */
export type PathUse = 'list' | 'read' | 'write' | 'side' | 'delete' | 'move' | 'execute' | 'folder';

const ROLES: Readonly<Record<PathUse, PathRole>> = {
  list: 'read',
  read: 'read',
  write: 'write',
  side: 'write',
  delete: 'delete',
  move: 'delete',
  execute: 'execute',
  folder: 'cwd',
};
const ORDINARY: Readonly<Record<PathUse, RuleId | null>> = {
  list: null,
  read: null,
  write: 'write.workspace',
  side: 'write.side',
  delete: 'delete.workspace',
  move: 'move.workspace',
  execute: 'project.code',
  folder: null,
};
const OPEN_DEVICES = new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']);
const MAGIC = ['/proc', '/sys', '/dev'];

/** Judges one path operand: where it really leads, and whether it is protected, secret or odd. Gives the real path. */
export function judgePath(analysis: Analysis, context: Context, text: string, use: PathUse): string | null {
  const { look, cwd, root } = context;
  if (text === '') return null;
  if (text.length > MAX_PATH_LENGTH) return refuse(analysis, 'path.too-long', shown(text), use);
  if (text.startsWith('~')) return refuse(analysis, 'path.home', text, use);
  const lexical = lexicalPath(cwd, text);
  const removes = use === 'delete' || use === 'move';
  if (OPEN_DEVICES.has(lexical) && !removes && use !== 'folder') {
    if (use === 'read' || use === 'list') analysis.effect('read');
    analysis.touch({ kind: 'path', target: lexical, role: ROLES[use], note: 'harmless device' });
    return lexical;
  }
  if (MAGIC.some((magic) => isInside(magic, lexical))) return refuse(analysis, 'path.magic', text, use);
  const resolved = resolvePath(look, cwd, text, !removes);
  if (!resolved) return refuse(analysis, 'path.loop', text, use);
  const { real, fact } = resolved;
  if (!isInside(root, real)) return refuse(analysis, 'path.outside', text, use);
  const changes = removes || use === 'write' || use === 'side';
  if (isInside(real, root) && removes) analysis.fire('path.root', text);
  const below = segmentsBelow(root, real);
  const shownBelow = lexical !== real && isInside(root, lexical) ? segmentsBelow(root, lexical) : null;
  if (touchesState(context, real, removes)) analysis.fire('path.own-data', text);
  const guard = protection(below) ?? (shownBelow && protection(shownBelow));
  if (guard === 'git') analysis.fire(use === 'list' ? 'path.git-list' : 'path.git', text);
  else if (guard === 'later' && changes) analysis.fire('path.later', text);
  if (removes && fact?.kind === 'directory' && look.lstat(`${real}/.git`)) analysis.fire('path.protected-below', `${text}/.git`);
  const secret = isSecret(below) || (shownBelow !== null && isSecret(shownBelow));
  if (secret && use !== 'list' && use !== 'folder') analysis.fire('path.secret', text);
  if (use !== 'list' && !removes && fact?.kind === 'file' && fact.links > 1) analysis.fire('path.hard-link', text);
  if (use === 'read' && fact?.kind === 'directory') analysis.walks(real);
  if (use !== 'list' && fact?.kind === 'other') analysis.fire('path.special', text);
  const rule = ORDINARY[use];
  if (rule !== null) analysis.fire(rule, text);
  else analysis.effect('read');
  const note = secret
    ? 'secret'
    : guard
      ? 'protected'
      : real === root
        ? 'the workspace itself'
        : fact
          ? 'inside the workspace'
          : 'does not exist yet';
  analysis.touch({ kind: 'path', target: real, role: ROLES[use], note });
  return real;
}

/** Our own state inside a workspace. (A workspace inside our state is what the first start makes.) */
function touchesState({ dataDir, root }: Context, real: string, removes: boolean): boolean {
  if (dataDir === null || isInside(dataDir, root)) return false;
  return isInside(dataDir, real) || (removes && isInside(real, dataDir));
}

function refuse(analysis: Analysis, rule: RuleId, text: string, use: PathUse): null {
  analysis.fire(rule, text);
  analysis.touch({ kind: 'path', target: text, role: ROLES[use], note: 'refused' });
  return null;
}
