import { accessSync, constants, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LAUNCHER, LAUNCHER_FILE, LAUNCHER_NODE, PROXY_SOCKET } from '../network/proxy-env.js';
import type { RunFolder } from '../private-folders.js';
import type { RunSpec } from '../protocol.js';
import { isInside } from './protected-paths.js';
import { listeningSockets } from './listening-sockets.js';

/** What bubblewrap can do on this machine; found out by trying. */
export interface BwrapAbilities {
  readonly ownNetwork: boolean;
  readonly ownProc: boolean;
  /** Folders can be mounted by handle. */
  readonly byHandle: boolean;
  /** Programs can be given another name than their path. */
  readonly ownName: boolean;
}

/** What a profile needs besides the run itself; the numbers are handles that bubblewrap gets. */
export interface BwrapSetting {
  readonly able: BwrapAbilities;
  /** Folders of the executor. */
  readonly own: readonly string[];
  /** Paths of the workspace that stay read-only. */
  readonly readOnly: readonly string[];
  readonly status: number;
  readonly seccomp: number | null;
  /** The workspace, when it is mounted by handle. */
  readonly root: number | null;
  /** The program is started by our launcher. */
  readonly launched: boolean;
  /** Socket of the proxy; null: this run reaches nothing. */
  readonly proxy: string | null;
}

/** Sockets of system services live here. */
const RUN_PUT_BACK = ['/run/current-system', '/run/opengl-driver'];
const SCRATCH_BYTES = String(256 * 1_048_576);
/** Places that a run has for itself; nothing that lies there outside is seen inside. */
const PRIVATE = ['/tmp', '/var/tmp', '/run', '/dev', '/proc'];
/** Files that root may read also without capabilities, and no run ever needs. */
export const SYSTEM_SECRETS = [
  ...['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'sudoers.d', 'ssl/private', 'krb5.keytab', 'wireguard'].map(
    (name) => `/etc/${name}`,
  ),
  '/etc/NetworkManager/system-connections',
  '/var/run/secrets',
];

/** All options of one run, in the order in which mounts must be made: later ones lie on top. */
export function bwrapProfile(spec: RunSpec, folder: RunFolder, setting: BwrapSetting): readonly string[] {
  const { sandbox: wish, stages, cwd } = spec;
  const { able, own, readOnly, status, seccomp } = setting;
  const root = wish.workspaceRoot;
  const hidden = [...[...SYSTEM_SECRETS, ...hostKeys()].filter(isReadable), ...own, ...wish.hidden]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  const around = hidden.filter((path) => !isInside(path, root) && !(isPrivate(path) && !isInside(root, path)));
  const holding = around.filter((path) => isInside(root, path));
  const within = hidden.filter((path) => isInside(path, root) && path !== root);
  const sockets = listeningSockets()
    .filter((path) => !isPrivate(path) || isInside(path, root))
    .filter((path) => !hidden.some((place) => isInside(path, place)));
  const tools = new Set(stages.map(({ executable }) => toolPlace(executable)));
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...(able.ownProc ? procMounts() : []),
    ...(isFolder('/run') ? ['--tmpfs', '/run'] : []),
    ...RUN_PUT_BACK.filter(isReadable).flatMap((path) => ['--ro-bind', path, path]),
    ...(setting.launched ? launcher() : []),
    ...(setting.proxy === null ? [] : ['--ro-bind', setting.proxy, PROXY_SOCKET]),
    ...scratch(wish.workspaceWritable ? folder.scratch : null),
    ...[...tools].filter((path) => isPrivate(path) && !isInside(path, root)).flatMap((path) => ['--ro-bind', path, path]),
    ...holding.flatMap(mask),
    ...workspace(root, wish.workspaceWritable, setting.root),
    ...(wish.workspaceWritable ? anchors(within, root).flatMap((path) => ['--bind', path, path]) : []),
    ...readOnly.filter((path) => isInside(path, root)).flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...holding.flatMap((path) => besideRoot(path, root)), ...around.filter((path) => !holding.includes(path))].flatMap(mask),
    ...within.flatMap(mask),
    ...sockets.flatMap(mask),
    ...[...around, ...within].filter(isFolder).flatMap((path) => ['--remount-ro', path]),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...(able.ownNetwork ? ['--unshare-net'] : []),
    ...['--chdir', cwd, '--json-status-fd', String(status)],
    ...(seccomp === null ? [] : ['--seccomp', String(seccomp)]),
  ];
}

/** Wherever this server lies, its own Node.js and one file of it are seen here. */
function launcher(): string[] {
  return ['--ro-bind', LAUNCHER_FILE, LAUNCHER, '--ro-bind', process.execPath, LAUNCHER_NODE];
}

/** Runs that only read need little: memory that is gone with each stage. What writes has one folder for all its stages. */
function scratch(folder: string | null): string[] {
  const places = ['/tmp', '/var/tmp'].filter(isFolder);
  if (folder !== null) return places.flatMap((path) => ['--bind', folder, path]);
  return [...places.flatMap((path) => ['--size', SCRATCH_BYTES, '--perms', '1777', '--tmpfs', path]), '--dir', '/tmp/home'];
}

function workspace(root: string, writable: boolean, handle: number | null): string[] {
  const kind = writable ? '--bind' : '--ro-bind';
  return handle === null ? [kind, root, root] : [`${kind}-fd`, String(handle), root];
}

/** Root may write what steers the machine there without any capability, so for root all of it is read-only. */
function procMounts(): string[] {
  return ['--proc', '/proc', ...(process.getuid?.() === 0 ? ['--remount-ro', '/proc'] : [])];
}

/** Tools in a place that is private inside are put back, with what lies beside them. */
function toolPlace(executable: string): string {
  const folder = dirname(executable);
  return PRIVATE.includes(folder) ? executable : folder;
}

/**
 * What lies in a hidden place that holds the workspace, the workspace itself apart. Each is hidden once more after the mounts inside
 * the workspace: another run there may put a link in the place of a folder while bubblewrap is on its way.
 */
function besideRoot(place: string, root: string): readonly string[] {
  if (place === root) return [];
  return readdirSync(place)
    .map((name) => join(place, name))
    .flatMap((path) => (isInside(root, path) ? besideRoot(path, root) : [path]));
}

/**
 * Folders of the workspace on the way to a hidden place in it. Each becomes a mount of its own, which cannot be renamed: else a run
 * could move the folder away, and the next run would find the hidden place under a name that nobody hides.
 */
function anchors(within: readonly string[], root: string): readonly string[] {
  const above = (path: string): readonly string[] => (dirname(path) === root ? [] : [...above(dirname(path)), dirname(path)]);
  return [...new Set(within.flatMap(above))];
}

function mask(path: string): string[] {
  return isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

function isPrivate(path: string): boolean {
  return PRIVATE.some((place) => isInside(path, place));
}

/** What we cannot read, a run cannot read either, and each mount costs time. */
function isReadable(path: string): boolean {
  return can(path, constants.R_OK) || can(path, constants.X_OK);
}

function can(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch {
    return false; // not there, or not for us
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function hostKeys(): readonly string[] {
  if (!existsSync('/etc/ssh')) return [];
  return readdirSync('/etc/ssh')
    .filter((name) => /^ssh_host_.*_key$/.test(name))
    .map((name) => join('/etc/ssh', name));
}
