import { existsSync, realpathSync } from 'node:fs';
import type { SandboxFacts } from '#contracts';
import type { PrivateFolders, RunFolder } from '../private-folders.js';
import { GroupProcesses, MARKER, markOf } from '../processes/group-processes.js';
import { callPath } from '../program.js';
import type { RunSpec, SandboxReport, StageSpec } from '../protocol.js';
import { sandboxFactsFor } from './facts.js';
import { isInside, protectedGitPaths, protectedPaths } from './protected-paths.js';
import type { Confinement, Launch, Sandbox } from './sandbox.js';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** The macOS sandbox. Partial: processes are found by group and parent only, so one that leaves both can outlive its run. */
export class Seatbelt implements Sandbox {
  constructor(
    readonly report: SandboxReport,
    private readonly folders: PrivateFolders,
  ) {}

  confine(spec: RunSpec, folder: RunFolder): Confinement {
    const facts = sandboxFactsFor(this.report.facts, spec.sandbox);
    return new SeatbeltRun(spec, folder, facts, seatbeltProfile(spec, folder, this.folders.all));
  }
}

class SeatbeltRun implements Confinement {
  readonly processes: GroupProcesses;
  readonly complaint = { exitCode: 71, begins: 'sandbox-exec: ' };
  readonly #mark: string;

  constructor(
    private readonly spec: RunSpec,
    private readonly folder: RunFolder,
    readonly facts: SandboxFacts,
    private readonly profile: string,
  ) {
    this.#mark = markOf(spec.runId);
    this.processes = new GroupProcesses(this.#mark);
  }

  launch(stage: StageSpec): Launch {
    const { cwd, env } = this.spec;
    const [, ...args] = stage.argv;
    return {
      file: SANDBOX_EXEC,
      args: ['-p', this.profile, callPath(stage, cwd, env['PATH']), ...args],
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

/** Later rules win. */
export function seatbeltProfile({ sandbox: wish, cwd }: RunSpec, folder: RunFolder, own: readonly string[]): string {
  const guarded = wish.gitWritable ? protectedGitPaths(wish, cwd) : protectedPaths(wish, cwd);
  const hidden = [...wish.hidden, ...own].map(realPath);
  const within = hidden.filter((path) => isInside(path, wish.workspaceRoot) && path !== wish.workspaceRoot);
  const hide = (path: string): string => `(deny file-read* file-write* (subpath ${quoted(path)}))`;
  const writable = [folder.path, folder.scratch, ...(wish.workspaceWritable ? [wish.workspaceRoot] : [])];
  return [
    '(version 1)',
    '(allow default)',
    ...(wish.network === 'none' ? ['(deny network*)'] : []),
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    ...hidden.map(hide),
    `(allow file-read* (subpath ${quoted(wish.workspaceRoot)}))`,
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    ...writable.map((path) => `(allow file-read* file-write* (subpath ${quoted(path)}))`),
    ...guarded.map(({ path }) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...within.map(hide),
  ].join('\n');
}

/** The rules are about real paths. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
