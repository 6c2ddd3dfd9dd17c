import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from '#contracts';
import type { PrivateFolders, RunFolder } from '../private-folders.js';
import { GroupProcesses, MARKER, markOf } from '../processes/group-processes.js';
import { callPath } from '../program.js';
import type { RunSpec, SandboxReport, StageSpec } from '../protocol.js';
import { sandboxFactsFor } from './facts.js';
import { isInside } from './protected-paths.js';
import type { Confinement, Launch, Sandbox } from './sandbox.js';

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty'];
const SETPRIV = '/usr/bin/setpriv';
/** Shared places for files of other programs. */
const SHARED = ['/tmp', '/var/tmp', '/run'];

/** What the launcher package offers; loaded only where it is installed. */
export interface LandlockLauncher {
  readonly path: string;
  grantArgs(grants: { readonly readOnly: readonly string[]; readonly readWrite: readonly string[] }): readonly string[];
}

/**
 * Landlock rules on the program itself: it writes only what is granted and cannot open what is not. Partial, because network, signals
 * and `.git` of a writable workspace stay open.
 */
export class Landlock implements Sandbox {
  constructor(
    readonly report: SandboxReport,
    private readonly launcher: LandlockLauncher,
    private readonly folders: PrivateFolders,
  ) {}

  confine(spec: RunSpec, folder: RunFolder): Confinement {
    return new LandlockRun(spec, folder, sandboxFactsFor(this.report.facts, spec.sandbox), this.launcher, this.folders);
  }
}

class LandlockRun implements Confinement {
  readonly processes: GroupProcesses;
  readonly complaint = { exitCode: 125, begins: 'landlock-run: ' };
  readonly #mark: string;

  constructor(
    private readonly spec: RunSpec,
    private readonly folder: RunFolder,
    readonly facts: SandboxFacts,
    private readonly launcher: LandlockLauncher,
    private readonly folders: PrivateFolders,
  ) {
    this.#mark = markOf(spec.runId);
    this.processes = new GroupProcesses(this.#mark);
  }

  launch(stage: StageSpec): Launch {
    const { sandbox: wish, cwd, env } = this.spec;
    const [, ...args] = stage.argv;
    const readOnly = [...openPlaces([...wish.hidden, ...this.folders.all, ...SHARED]), stage.executable, wish.workspaceRoot];
    const readWrite = [
      this.folder.path,
      this.folder.scratch,
      ...DEVICES.filter((path) => existsSync(path)),
      ...(wish.workspaceWritable ? [wish.workspaceRoot] : []),
    ];
    const confined = [
      this.launcher.path,
      ...this.launcher.grantArgs({ readOnly, readWrite }),
      '--',
      callPath(stage, cwd, env['PATH']),
      ...args,
    ];
    const [file = '', ...rest] = [...dropCapabilities(), ...confined];
    return {
      file,
      args: rest,
      cwd,
      env: { ...env, HOME: this.folder.home, TMPDIR: this.folder.scratch, [MARKER]: this.#mark },
      handles: [],
      status: null,
    };
  }

  close(): void {
    // nothing was prepared outside
  }
}

/** Root's capabilities would let it look into any process, also past Landlock. */
function dropCapabilities(): readonly string[] {
  if (process.getuid?.() !== 0 || !existsSync(SETPRIV)) return [];
  return [SETPRIV, '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--'];
}

/** Landlock only grants, so what hides is the absence of a grant: the largest places that hold nothing hidden. */
function openPlaces(hidden: readonly string[]): readonly string[] {
  const real = hidden.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  const open = (place: string): readonly string[] => {
    if (real.some((path) => isInside(place, path))) return [];
    if (!real.some((path) => isInside(path, place))) return [place];
    return readdirSync(place, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink() || place === '/')
      .flatMap(({ name }) => open(join(place, name)));
  };
  return open('/');
}
