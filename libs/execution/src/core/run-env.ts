import type { Workspace } from '#contracts';

/** Where tools are looked for. Never a folder of a workspace. */
const FIXED_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;

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

export function toolFolders({ toolPaths }: Pick<Workspace, 'toolPaths'>): readonly string[] {
  return [...FIXED_PATH, ...toolPaths];
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
    ...gitEnv(workspace.gitIdentity),
    PATH: toolFolders(workspace).join(':'),
  };
}

/** No configuration from outside the repository, no prompt, no pager; the identity that the workspace was given. */
function gitEnv(identity: Workspace['gitIdentity']): Record<string, string> {
  const fixed = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
  };
  if (!identity) return fixed;
  const { name, email } = identity;
  return { ...fixed, GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
