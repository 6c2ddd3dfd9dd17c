import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputStream, RunId, StageJoin } from '#contracts';
import { newId } from '#platform';
import type { RunSignal } from '../ports.js';
import { ExecutorOptions, ExecutorProcess } from './executor-process.js';
import type { RunResult, RunSpec, SandboxChoice, SandboxReport, SandboxWish, StageSpec } from './protocol.js';

/** A stage as a spec writes it: a program by name, or by path, and how it is joined to the one before. */
export interface Step {
  readonly argv: readonly string[];
  readonly join?: StageJoin;
  readonly redirects?: StageSpec['redirects'];
  readonly stderrToStdout?: boolean;
}

export interface Started {
  readonly runId: RunId;
  readonly signals: readonly RunSignal[];
  readonly ended: Promise<RunResult>;
  /** Waits until the run has shown this text. */
  shows(text: string): Promise<void>;
  shown(stream: OutputStream): string;
}

type Change = Partial<Omit<RunSpec, 'sandbox'>> & { readonly sandbox?: Partial<SandboxWish> };

/** The real executor with a workspace of its own, for specs. */
export class Bench {
  readonly workspace = realpathSync(mkdtempSync(join(tmpdir(), 'executor-spec-')));

  private constructor(
    readonly executor: ExecutorProcess,
    readonly report: SandboxReport,
  ) {}

  static async open(choice: SandboxChoice = 'auto', standIns: Readonly<Record<string, string>> = {}): Promise<Bench> {
    const executor = new ExecutorProcess(new ExecutorOptions(choice, undefined, standIns));
    return new Bench(executor, await executor.report());
  }

  /** Whether the kernel keeps the processes of a run together here. */
  get isContained(): boolean {
    return this.report.facts.kind === 'bwrap';
  }

  spec(steps: readonly Step[], { sandbox, ...change }: Change = {}): RunSpec {
    return {
      runId: newId<RunId>(),
      stages: steps.map(({ argv, join: joint, redirects = [], stderrToStdout = false }, index) => ({
        join: index === 0 ? 'first' : (joint ?? 'pipe'),
        redirects,
        stderrToStdout,
        executable: programAt(argv[0] ?? '', this.workspace),
        argv,
      })),
      cwd: this.workspace,
      env: { PATH: PROGRAM_FOLDERS.join(':'), LANG: 'C.UTF-8' },
      timeoutMs: 60_000,
      maxOutputBytes: 1_048_576,
      sandbox: { workspaceRoot: this.workspace, workspaceWritable: true, gitWritable: false, network: 'none', hidden: [], ...sandbox },
      sandboxRequired: false,
      ...change,
    };
  }

  start(steps: readonly Step[], change: Change = {}): Started {
    const spec = this.spec(steps, change);
    const signals: RunSignal[] = [];
    let tell: () => void = () => undefined;
    const shown = (stream: OutputStream): string =>
      signals.map((signal) => (signal.type === 'output' && signal.stream === stream ? signal.text : '')).join('');
    let end!: (result: RunResult) => void;
    const ended = new Promise<RunResult>((resolve) => (end = resolve));
    this.executor.start(spec, (signal) => {
      signals.push(signal);
      tell();
      if (signal.type === 'ended') end(signal.result);
    });
    const shows = async (text: string): Promise<void> => {
      while (!shown('stdout').includes(text) && signals.at(-1)?.type !== 'ended') await new Promise<void>((resolve) => (tell = resolve));
    };
    return { runId: spec.runId, signals, ended, shows, shown };
  }

  run(steps: readonly Step[], change: Change = {}): Promise<RunResult> {
    return this.start(steps, change).ended;
  }

  /** Runs a text of JavaScript: Node.js is the one program that is there wherever these specs run. */
  script(code: string, ...args: string[]): readonly Step[] {
    return [{ argv: [process.execPath, '-e', code, '--', ...args] }];
  }

  shell(code: string): readonly Step[] {
    return [{ argv: ['sh', '-c', code] }];
  }

  async close(): Promise<void> {
    await this.executor.stop();
    rmSync(this.workspace, { recursive: true, force: true });
  }
}

const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function programAt(name: string, workspace: string): string {
  if (name.includes('/')) return existsSync(name) ? realpathSync(name) : join(workspace, name);
  const path = PROGRAM_FOLDERS.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  return path === undefined ? `/nowhere/${name}` : realpathSync(path);
}

/** Processes whose command line holds this text, looked up from outside. */
export function processesWith(text: string): readonly number[] {
  return commandLines().flatMap(([pid, line]) => (pid !== process.pid && line.includes(text) ? [pid] : []));
}

function commandLines(): readonly (readonly [pid: number, line: string])[] {
  if (process.platform !== 'linux') {
    const table = execFileSync('/bin/ps', ['-axo', 'pid=,args='], { encoding: 'utf8' });
    return table.split('\n').map((line) => [parseInt(line, 10), line]);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), commandLine(name)]);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended
  }
}

/** A number of seconds to sleep that no other process uses. */
export function uniqueSeconds(): string {
  return `${String(500 + Math.floor(Math.random() * 400))}.${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
}

/** Waits a moment for something to become true. */
export async function soon(isTrue: () => boolean, ms = 5_000): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until;) {
    if (isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return isTrue();
}

/** A folder outside any workspace and outside the temporary folder, as far as this account has one. */
export function outsideFolder(): string {
  return mkdtempSync(join(homedir(), '.executor-spec-'));
}
