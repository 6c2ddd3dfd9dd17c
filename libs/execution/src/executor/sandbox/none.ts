import type { SandboxFacts } from '#contracts';
import type { RunFolder } from '../private-folders.js';
import { GroupProcesses, MARKER, markOf } from '../processes/group-processes.js';
import type { RunSpec, SandboxReport } from '../protocol.js';
import type { Confinement, Launch, Sandbox } from './sandbox.js';

export const UNCONTAINED: SandboxFacts = {
  kind: 'none',
  version: null,
  enforcement: 'none',
  network: 'open',
  fileSystem: 'open',
  pidNamespace: false,
  seccomp: false,
};

/** No sandbox: only what every run gets, which is a bare environment, a private HOME, limits, and an end of all that is found. */
export class NoSandbox implements Sandbox {
  readonly report: SandboxReport;

  constructor(advice: string | null) {
    this.report = { facts: UNCONTAINED, advice };
  }

  confine({ runId, cwd, env }: RunSpec, { home, scratch }: RunFolder): Confinement {
    const mark = markOf(runId);
    const variables = { ...env, HOME: home, TMPDIR: scratch, [MARKER]: mark };
    return {
      facts: UNCONTAINED,
      processes: new GroupProcesses(mark),
      complaint: null,
      launch: ({ executable, argv: [argv0, ...args] }): Launch => ({
        file: executable,
        args,
        ...(argv0 === undefined ? {} : { argv0 }),
        cwd,
        env: variables,
        handles: [],
        status: null,
      }),
      close: () => undefined,
    };
  }
}
