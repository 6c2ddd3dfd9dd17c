import { closeSync, constants, fstatSync, ftruncateSync, openSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Redirect } from '#contracts';
import { explain, NotStarted } from './not-started.js';
import type { SandboxWish } from './protocol.js';
import { SYSTEM_SECRETS } from './sandbox/bwrap-profile.js';
import { isInside, isProtected } from './sandbox/protected-paths.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/** File handles that replace a stage's streams; undefined: not redirected. To be closed after the spawn. */
export interface Redirected {
  readonly stdin: number | undefined;
  readonly stdout: number | undefined;
  readonly stderr: number | undefined;
}

/**
 * Opens the files of a stage. We do it ourselves, outside the sandbox, so the rules of the sandbox are checked here once more:
 * writes only inside a writable workspace, never to protected or hidden paths, and never through a symbolic link.
 */
export function openRedirects(redirects: readonly Redirect[], wish: SandboxWish): Redirected {
  const opened: { stdin?: number; stdout?: number; stderr?: number } = {};
  const handles: number[] = [];
  try {
    for (const redirect of redirects) {
      const handle = openOne(redirect, wish);
      handles.push(handle);
      if (redirect.stream === 'both') opened.stdout = opened.stderr = handle;
      else opened[redirect.stream] = handle;
    }
  } catch (thrown) {
    handles.forEach(closeSync);
    throw thrown;
  }
  for (const handle of handles) if (!Object.values(opened).includes(handle)) closeSync(handle);
  return { stdin: opened.stdin, stdout: opened.stdout, stderr: opened.stderr };
}

export function closeRedirects({ stdin, stdout, stderr }: Redirected): void {
  for (const handle of new Set([stdin, stdout, stderr])) if (handle !== undefined) closeSync(handle);
}

function openOne(redirect: Redirect, wish: SandboxWish): number {
  const { path, stream, append } = redirect;
  const writes = stream !== 'stdin';
  if (path === '/dev/null') return openSync(path, writes ? O_WRONLY : O_RDONLY);
  checkPlace(path, writes, wish);
  const flags = writes ? O_WRONLY | O_CREAT | (append ? O_APPEND : 0) : O_RDONLY;
  let handle: number;
  try {
    handle = openBelow(path, flags | O_NOFOLLOW | O_NONBLOCK);
  } catch (thrown) {
    throw explain(thrown, `The file ${path} of a redirection cannot be opened`);
  }
  if (!fstatSync(handle).isFile()) {
    closeSync(handle);
    throw new NotStarted(`${path} is not a plain file, so nothing is redirected to or from it`);
  }
  if (writes && !append) ftruncateSync(handle);
  return handle;
}

function checkPlace(path: string, writes: boolean, wish: SandboxWish): void {
  const { workspaceRoot: root, hidden } = wish;
  if ([...SYSTEM_SECRETS, ...hidden].some((place) => isInside(path, place) && !(isInside(root, place) && isInside(path, root)))) {
    throw new NotStarted(`${path} is hidden from runs`);
  }
  if (!writes) return;
  if (!wish.workspaceWritable || !isInside(path, root)) throw new NotStarted(`This run may not write to ${path}`);
  if (isProtected(path, wish)) throw new NotStarted(`${path} is protected and may not be written`);
}

/** Opens the folder first and the file inside that very folder, so that a swapped folder is not followed. */
function openBelow(path: string, flags: number): number {
  if (process.platform !== 'linux') return openSync(path, flags, 0o666);
  const folder = openSync(dirname(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (readlinkSync(`/proc/self/fd/${String(folder)}`) !== dirname(path)) {
      throw new NotStarted(`The folder of ${path} is reached through a symbolic link`);
    }
    return openSync(`/proc/self/fd/${String(folder)}/${basename(path)}`, flags, 0o666);
  } finally {
    closeSync(folder);
  }
}
