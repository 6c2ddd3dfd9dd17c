import { lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { SandboxWish } from '../protocol.js';

/** A path of the workspace that no run may write, because something outside the sandbox acts on it later. */
export interface ProtectedPath {
  readonly path: string;
  /** What stands in for it while it is absent; null: it is protected only where it exists. */
  readonly absent: 'file' | 'folder' | null;
}

/** Also while absent: what a tool on this machine would act on by itself as soon as it is there. */
const FOLDERS = ['.git', '.husky', '.github', '.vscode', '.idea', '.cursor', '.claude'];
const FILES = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.gitconfig', '.envrc', '.mcp.json'];
const WHERE_PRESENT = [
  ...['.circleci', '.devcontainer', '.githooks', '.fleet', '.zed', '.codex', '.gemini', '.yarn', '.buildkite', '.gitea', '.forgejo'],
  ...['.gitmodules', '.gitattributes', '.lfsconfig', '.pnpmfile.cjs', '.bunfig.toml', 'bunfig.toml', 'pip.conf', '.pypirc', '.netrc'],
  ...['.gitlab-ci.yml', '.travis.yml', '.drone.yml', 'Jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'cloudbuild.yaml'],
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', '.huskyrc'],
];
/** Read by a shell only at home. */
const SHELL_FILES = ['.profile', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.zshrc', '.zprofile', '.zshenv', '.zlogin'];
const NAMES = new Set([...FOLDERS, ...FILES, ...WHERE_PRESENT, ...SHELL_FILES].map((name) => name.toLowerCase()));

/** What of a git folder stays read-only also for git itself: all that makes a later git run a program. */
const GIT_PARTS = [
  { name: 'hooks', absent: 'folder' },
  { name: 'info', absent: 'folder' },
  { name: 'config', absent: null },
  { name: 'config.worktree', absent: null },
] as const;

/** For a stage that may write the workspace but not git. */
export function protectedPaths({ workspaceRoot, unprotected = [], analysed = false }: SandboxWish, cwd: string): readonly ProtectedPath[] {
  const shell = SHELL_FILES.map((name) => ({
    path: join(workspaceRoot, name),
    absent: workspaceRoot === homedir() ? ('file' as const) : null,
  }));
  const atRoot = [
    ...FOLDERS.map((name) => ({ path: join(workspaceRoot, name), absent: 'folder' as const })),
    ...FILES.map((name) => ({ path: join(workspaceRoot, name), absent: 'file' as const })),
    ...WHERE_PRESENT.map((name) => ({ path: join(workspaceRoot, name), absent: null })),
    ...shell,
  ];
  const below = foldersBetween(cwd, workspaceRoot).flatMap((folder) =>
    [...FOLDERS, ...FILES].map((name) => ({ path: join(folder, name), absent: null })),
  );
  return [...atRoot, ...below]
    .map((entry) => (analysed ? { ...entry, absent: null } : entry))
    .filter(({ path }) => !unprotected.some((open) => isInside(open, path)));
}

/** For a stage that is git and may write git: the working tree is git's own business then. */
export function protectedGitPaths({ workspaceRoot }: SandboxWish, cwd: string): readonly ProtectedPath[] {
  return [...foldersBetween(cwd, workspaceRoot), workspaceRoot]
    .map((folder) => join(folder, '.git'))
    .filter(isFolder)
    .flatMap((git) => [git, ...innerGitFolders(git)])
    .flatMap((git) => GIT_PARTS.map(({ name, absent }) => ({ path: join(git, name), absent })));
}

/** A path that is protected, or lies in something protected, by its name alone. */
export function isProtected(path: string, { workspaceRoot, unprotected = [] }: SandboxWish): boolean {
  const isNamed = (place: string): boolean =>
    place
      .slice(workspaceRoot.length)
      .split(sep)
      .some((name) => NAMES.has(name.toLowerCase()));
  // a person who approves a write into an ordinary folder has not opened what is protected inside it
  return isNamed(path) && !unprotected.some((open) => isNamed(open) && isInside(path, open));
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** From `cwd` up to the root, the root itself not included. */
function foldersBetween(cwd: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; folder !== root && isInside(folder, root); folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Submodules and linked worktrees keep a git folder of their own inside the main one. */
function innerGitFolders(git: string): readonly string[] {
  return ['modules', 'worktrees']
    .map((name) => join(git, name))
    .filter(isFolder)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter(isFolder);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
