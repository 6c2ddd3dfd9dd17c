import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunId, SandboxFacts } from '#contracts';
import type { PrivateFolders } from '../private-folders.js';
import type { RunSpec, SandboxChoice } from '../protocol.js';
import type { BwrapAbilities } from './bwrap-profile.js';
import { Bwrap, type BwrapInstallation } from './bwrap.js';
import { Landlock } from './landlock.js';
import { MountPoints } from './mount-points.js';
import { NoSandbox } from './none.js';
import type { Sandbox } from './sandbox.js';
import { seccompFilter } from './seccomp.js';
import { SANDBOX_EXEC, Seatbelt } from './seatbelt.js';

const BWRAP_PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const PROBE_MS = 5_000;
/** Strongest first; what is missing in a later one is missing on this machine, in many containers for example. */
const TRIES: readonly Pick<BwrapAbilities, 'ownNetwork' | 'ownProc'>[] = [
  { ownNetwork: true, ownProc: true },
  { ownNetwork: false, ownProc: true },
  { ownNetwork: true, ownProc: false },
  { ownNetwork: false, ownProc: false },
];

/** Finds the strongest sandbox that really works here, by running a program in it and looking at what the kernel says about that program. */
export async function chooseSandbox(choice: SandboxChoice, folders: PrivateFolders): Promise<Sandbox> {
  if (choice === 'off') return new NoSandbox('Set SANDBOX=auto to contain commands.');
  const asked = (kind: SandboxFacts['kind']): boolean => choice === 'auto' || choice === kind;
  const bwrap = asked('bwrap') ? findBwrap(folders) : { advice: null };
  if ('sandbox' in bwrap) return bwrap.sandbox;
  const landlock = asked('landlock') ? await findLandlock(folders, bwrap.advice) : null;
  if (landlock) return landlock;
  const seatbelt = asked('seatbelt') ? findSeatbelt(folders) : null;
  return seatbelt ?? new NoSandbox(bwrap.advice);
}

function findBwrap(folders: PrivateFolders): { readonly sandbox: Sandbox } | { readonly advice: string | null } {
  if (process.platform !== 'linux') return { advice: null };
  const program = BWRAP_PLACES.find((path) => existsSync(path));
  if (program === undefined) return { advice: `For full containment install bubblewrap: ${installCommand('bubblewrap')}.` };
  const version = /\d[\d.]*/.exec(answerOf(program, ['--version']).stdout)?.[0] ?? null;
  const help = answerOf(program, ['--help']).stdout;
  const options = { byHandle: help.includes('--bind-fd'), ownName: help.includes('--argv0') };
  const installation = { program, seccomp: writeFilter(folders), folders, mountPoints: new MountPoints(folders.base) };
  let trouble = '';
  for (const tried of TRIES) {
    const { ownNetwork, ownProc } = tried;
    const able = { ...tried, ...options };
    const probed = probe({ ...installation, able }, tried, folders);
    if (!probed.works) {
      trouble ||= probed.trouble;
      continue;
    }
    const enforcement = ownNetwork && ownProc && probed.seccomp ? ('full' as const) : ('partial' as const);
    const network = ownNetwork ? ('none' as const) : ('open' as const);
    const facts = {
      kind: 'bwrap',
      version,
      enforcement,
      network,
      fileSystem: 'workspace_write',
      pidNamespace: true,
      seccomp: probed.seccomp,
    } as const;
    const advice = enforcement === 'full' ? null : `bubblewrap works only in part here (${trouble}); ${NAMESPACES_ADVICE}`;
    return { sandbox: new Bwrap({ facts, advice }, { ...installation, able }) };
  }
  return { advice: `bubblewrap is installed but does not work here (${trouble}); ${NAMESPACES_ADVICE}` };
}

const NAMESPACES_ADVICE =
  'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, an AppArmor profile for bwrap; in a container: its seccomp and mount rules).';

interface Probed {
  readonly works: boolean;
  readonly seccomp: boolean;
  readonly trouble: string;
}

/** Runs `cat` on the kernel's own account of the process, and believes only that. */
function probe(installation: BwrapInstallation, tried: (typeof TRIES)[number], folders: PrivateFolders): Probed {
  const folder = folders.open(`probe-${String(TRIES.indexOf(tried))}`, false);
  const cat = ['/bin/cat', '/usr/bin/cat', '/run/current-system/sw/bin/cat'].find((path) => existsSync(path)) ?? '/bin/cat';
  const argv = ['cat', '/proc/self/status', '/proc/self/mounts', '/proc/net/dev'];
  const stage = { join: 'first', redirects: [], executable: cat, argv } as const;
  const spec: RunSpec = {
    runId: 'probe' as RunId,
    stages: [stage],
    cwd: folder.path,
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: PROBE_MS,
    maxOutputBytes: 65_536,
    sandbox: { workspaceRoot: folder.path, workspaceWritable: false, gitWritable: false, network: 'none', hidden: [] },
    sandboxRequired: false,
  };
  const facts = {
    kind: 'bwrap',
    version: null,
    enforcement: 'none',
    network: 'none',
    fileSystem: 'read_only',
    pidNamespace: true,
    seccomp: false,
  } as const;
  const run = new Bwrap({ facts, advice: null }, installation).confine(spec, folder);
  const { file, args, cwd, env, handles } = run.launch(stage);
  const { stdout, stderr, status } = answerOf(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', ...handles] });
  handles.forEach(closeSync);
  run.close();
  folders.remove(folder);
  const { ownNetwork } = installation.able;
  const contained =
    status === 0 &&
    /^\S+ \/ \S+ ro[, ]/m.test(stdout) &&
    /^NoNewPrivs:\s+1$/m.test(stdout) &&
    /^CapEff:\s+0+$/m.test(stdout) &&
    (!ownNetwork || interfaces(stdout).every((name) => name === 'lo'));
  return { works: contained, seccomp: /^Seccomp:\s+2$/m.test(stdout), trouble: stderr.trim().split('\n')[0] ?? 'it could not be started' };
}

/** What a program says; one that cannot be started says why. */
function answerOf(file: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const { stdout, stderr, status, error } = spawnSync(file, args, { timeout: PROBE_MS, ...options, encoding: 'utf8' });
  return error ? { stdout: '', stderr: error.message, status: null } : { stdout, stderr, status };
}

function interfaces(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(\S+):\s+\d+(?:\s+\d+){15}$/gm)].map(([, name]) => name ?? '');
}

function writeFilter(folders: PrivateFolders): string | null {
  const filter = seccompFilter(process.arch);
  if (!filter) return null;
  const path = join(folders.base, 'seccomp');
  writeFileSync(path, filter, { mode: 0o600 });
  return path;
}

/** The package is optional; where it is missing or the kernel does not enforce, there is no Landlock. */
async function findLandlock(folders: PrivateFolders, advice: string | null): Promise<Sandbox | null> {
  if (process.platform !== 'linux') return null;
  const loaded = await import('@deepseek-ai/node-addon-landlock-run').catch(() => null);
  if (!loaded) return null;
  const path = loaded.launcherPath();
  if (loaded.probe(path) === 'unusable') return null;
  const version = versionOf(path);
  const facts = {
    kind: 'landlock',
    version,
    enforcement: 'partial',
    network: 'open',
    fileSystem: 'workspace_write',
    pidNamespace: false,
    seccomp: false,
  } as const;
  return new Landlock({ facts, advice }, { path, grantArgs: loaded.grantArgs }, folders);
}

function versionOf(launcher: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(launcher, '..', '..', 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null; // laid out in another way
  }
}

function findSeatbelt(folders: PrivateFolders): Sandbox | null {
  if (process.platform !== 'darwin' || !existsSync(SANDBOX_EXEC)) return null;
  if (answerOf(SANDBOX_EXEC, ['-p', '(version 1)(allow default)', '/usr/bin/true']).status !== 0) return null;
  const facts = {
    kind: 'seatbelt',
    version: null,
    enforcement: 'partial',
    network: 'none',
    fileSystem: 'workspace_write',
    pidNamespace: false,
    seccomp: false,
  } as const;
  return new Seatbelt({ facts, advice: null }, folders);
}

const INSTALLERS = [
  ['/usr/bin/apt-get', 'apt-get install'],
  ['/usr/bin/dnf', 'dnf install'],
  ['/usr/bin/zypper', 'zypper install'],
  ['/usr/bin/pacman', 'pacman -S'],
  ['/sbin/apk', 'apk add'],
] as const;

function installCommand(name: string): string {
  const [, command] = INSTALLERS.find(([path]) => existsSync(path)) ?? ['', 'your package manager, package'];
  return `${command} ${name}`;
}
