import type { Workspace } from '#contracts';
import { TOOL_FOLDERS } from '#policy/core';
import { GIT_ENV } from './hardening.js';

/** What a plan may set. Everything else that a program reads from its environment is ours to say. */
const ALLOWED_NAMES: ReadonlySet<string> = new Set([
  'CI',
  'COLUMNS',
  'FORCE_COLOR',
  'LANG',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_NUMERIC',
  'LC_TIME',
  'LINES',
  'NODE_ENV',
  'NO_COLOR',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONHASHSEED',
  'PYTHONUNBUFFERED',
  'RUST_BACKTRACE',
  'TZ',
]);
const PLAIN_VALUE = /^[\w .,:@/+=-]{0,256}$/;

/** Where tools are looked for: the fixed folders, then the workspace's own; never a folder of a workspace. */
export function toolFolders({ toolPaths }: Pick<Workspace, 'toolPaths'>): readonly string[] {
  return [...TOOL_FOLDERS, ...toolPaths];
}

/** Names that a plan may not set, or whose value is more than plain text; in the order given. */
export function refusedEnvNames(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => !ALLOWED_NAMES.has(name) || !PLAIN_VALUE.test(value))
    .map(([name]) => name);
}

/** The whole environment of a run. HOME and TMPDIR are private folders that the executor makes and adds. */
export function runEnv(
  workspace: Pick<Workspace, 'toolPaths' | 'gitIdentity'>,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...planned,
    ...GIT_ENV,
    ...identityEnv(workspace.gitIdentity),
    PATH: toolFolders(workspace).join(':'),
  };
}

/** The identity that the workspace was given; without one git refuses to commit. */
function identityEnv(identity: Workspace['gitIdentity']): Record<string, string> {
  if (!identity) return {};
  const { name, email } = identity;
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
