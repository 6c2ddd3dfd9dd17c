import type { Workspace } from '#contracts';
import { gitEnvironment, TOOL_FOLDERS } from '#policy/core';

/** Where tools are looked for: the fixed folders, then the workspace's own; never a folder of a workspace. */
export function toolFolders({ toolPaths }: Pick<Workspace, 'toolPaths'>): readonly string[] {
  return [...TOOL_FOLDERS, ...toolPaths];
}

/** The whole environment of a run. HOME and TMPDIR are private folders that the executor makes and adds. */
export function runEnv(
  workspace: Pick<Workspace, 'root' | 'toolPaths' | 'gitIdentity'>,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...planned,
    ...gitEnvironment(workspace.root),
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
