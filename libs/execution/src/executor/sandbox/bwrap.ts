import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SandboxFacts } from '#contracts';
import { proxySocketOf, rulesOf } from '../network/egress.js';
import { LAUNCHER, LAUNCHER_NODE, PROXY_PORT, PROXY_SOCKET, proxyEnv } from '../network/proxy-env.js';
import { explain, NotStarted } from '../not-started.js';
import type { PrivateFolders, RunFolder } from '../private-folders.js';
import { NamespaceProcesses } from '../processes/namespace-processes.js';
import { callPath } from '../program.js';
import type { RunSpec, SandboxReport, SandboxWish, StageSpec } from '../protocol.js';
import { type BwrapAbilities, bwrapProfile } from './bwrap-profile.js';
import { sandboxFactsFor } from './facts.js';
import type { MountPoints } from './mount-points.js';
import { isInside, protectedGitPaths, protectedPaths } from './protected-paths.js';
import type { Confinement, InsideStatus, Launch, Sandbox } from './sandbox.js';

/** What is the same for all runs. */
export interface BwrapInstallation {
  readonly program: string;
  readonly able: BwrapAbilities;
  /** File that holds the system call filter; null: none is known for this processor. */
  readonly seccomp: string | null;
  readonly folders: PrivateFolders;
  readonly mountPoints: MountPoints;
}

/** Bubblewrap: own mounts, pid, ipc, uts and network namespaces, no capabilities, a system call filter. */
export class Bwrap implements Sandbox {
  constructor(
    readonly report: SandboxReport,
    private readonly installation: BwrapInstallation,
  ) {}

  confine(spec: RunSpec, folder: RunFolder): Confinement {
    return new BwrapRun(spec, folder, sandboxFactsFor(this.report.facts, spec.sandbox), this.installation);
  }
}

/** Numbers the handles have inside bubblewrap. */
const PROFILE = 3;
const STATUS = 4;
const NEXT = 5;

class BwrapRun implements Confinement {
  readonly processes = new NamespaceProcesses();
  readonly complaint = { exitCode: null, begins: 'bwrap: ' };
  readonly #profiles = new Map<boolean, string>();
  readonly #release: (() => void)[] = [];
  /** Files that bubblewrap reads or writes. */
  readonly #papers: string[] = [];
  #launched = 0;

  constructor(
    private readonly spec: RunSpec,
    private readonly folder: RunFolder,
    readonly facts: SandboxFacts,
    private readonly installation: BwrapInstallation,
  ) {}

  launch(stage: StageSpec): Launch {
    const { sandbox } = this.spec;
    const profile = this.#profile(writesGit(stage, sandbox));
    const status = this.#paper(`status-${String((this.#launched += 1))}`);
    return {
      file: this.installation.program,
      args: ['--args', String(PROFILE), ...this.#program(stage), ...stage.argv.slice(1)],
      cwd: '/',
      env: {},
      handles: this.#open(profile, status),
      status: () => readStatus(status),
    };
  }

  close(): void {
    for (const release of this.#release.splice(0)) release();
    for (const paper of this.#papers) rmSync(paper, { force: true });
  }

  #program(stage: StageSpec): readonly string[] {
    const { cwd, env } = this.spec;
    const [name = ''] = stage.argv;
    if (this.#isLaunched) {
      const [socket, terminal] = [this.#reachesHosts ? PROXY_SOCKET : '', this.spec.terminal ? 'new' : ''];
      return ['--', LAUNCHER_NODE, LAUNCHER, socket, String(PROXY_PORT), terminal, name, stage.executable];
    }
    return this.installation.able.ownName ? ['--argv0', name, '--', stage.executable] : ['--', callPath(stage, cwd, env['PATH'])];
  }

  get #isLaunched(): boolean {
    return this.#reachesHosts || this.spec.terminal !== undefined;
  }

  get #reachesHosts(): boolean {
    return this.facts.network === 'hosts';
  }

  /** A file with the options, so that neither they nor the environment show in the process list. */
  #profile(git: boolean): string {
    const known = this.#profiles.get(git);
    if (known !== undefined) return known;
    const { sandbox: wish, cwd, env } = this.spec;
    const { seccomp, able, folders, mountPoints } = this.installation;
    const wanted = git ? protectedGitPaths(wish, cwd) : protectedPaths(wish, cwd);
    const { paths, release } = mountPoints.acquire(wish.workspaceWritable ? wanted : []);
    this.#release.push(release);
    const root = this.#byHandle ? NEXT + (seccomp === null ? 0 : 1) : null;
    const options = bwrapProfile(this.spec, this.folder, {
      own: folders.all,
      able,
      readOnly: paths,
      status: STATUS,
      seccomp: seccomp === null ? null : NEXT,
      root,
      launched: this.#isLaunched,
      proxy: this.#reachesHosts ? proxySocketOf(this.folder) : null,
    });
    const proxied = this.#reachesHosts ? proxyEnv(rulesOf(wish)) : {};
    const variables = { ...env, ...proxied, HOME: '/tmp/home', TMPDIR: '/tmp' };
    const setenv = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
    const file = this.#paper(git ? 'profile-git' : 'profile');
    writeFileSync(file, [...options, ...setenv].map((option) => `${option}\0`).join(''), { mode: 0o600 });
    this.#profiles.set(git, file);
    return file;
  }

  #paper(name: string): string {
    const path = join(this.folder.path, name);
    this.#papers.push(path);
    return path;
  }

  get #byHandle(): boolean {
    return this.installation.able.byHandle && this.spec.sandbox.rootPin !== undefined;
  }

  /** Fresh handles for each stage: bubblewrap reads them to their end. */
  #open(profile: string, status: string): readonly number[] {
    const handles = [openSync(profile, 'r'), openSync(status, 'wx', 0o600)];
    if (this.installation.seccomp !== null) handles.push(openSync(this.installation.seccomp, 'r'));
    if (!this.#byHandle) return handles;
    try {
      return [...handles, openRoot(this.spec.sandbox)];
    } catch (thrown) {
      handles.forEach(closeSync);
      throw thrown;
    }
  }
}

/** Only git itself, and not a program of the workspace that calls itself so. */
function writesGit({ executable }: StageSpec, wish: SandboxWish): boolean {
  return wish.gitWritable && basename(executable) === 'git' && !isInside(executable, wish.workspaceRoot);
}

function openRoot({ workspaceRoot, rootPin }: SandboxWish): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let handle: number;
  try {
    handle = openSync(workspaceRoot, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (thrown) {
    throw explain(thrown, `The workspace ${workspaceRoot} cannot be opened`);
  }
  const { dev, ino } = fstatSync(handle);
  if (dev === rootPin?.dev && ino === rootPin.ino) return handle;
  closeSync(handle);
  throw new NotStarted(`The workspace ${workspaceRoot} is not the folder that it was when the run was planned`, 'PLAN_STALE');
}

/** Bubblewrap writes one JSON object a line: first the ids, at the end the exit code, the latter only if the program was reached. */
function readStatus(path: string): InsideStatus {
  const facts: Record<string, unknown> = {};
  if (!existsSync(path)) return { inside: null, exitCode: null }; // the run was over before this stage
  const wholeLines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  for (const line of wholeLines) if (line !== '') Object.assign(facts, JSON.parse(line));
  const { 'child-pid': pid, 'pid-namespace': namespace, 'exit-code': exitCode } = facts;
  return {
    inside: typeof pid === 'number' ? { pid, namespace: String(namespace) } : null,
    exitCode: typeof exitCode === 'number' ? exitCode : null,
  };
}
