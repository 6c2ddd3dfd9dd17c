import { Injectable } from '@nestjs/common';
import type { CommandBody, Decision, FilePin, Pins, StageFacts, Workspace } from '#contracts';
import { isInside } from './core/paths.js';
import { toolFolders } from './core/run-env.js';
import { isSameFile } from './core/same-file.js';
import { Files, type FoundProgram } from './ports.js';

/** Programs of the stages, in order; undefined where none is installed. */
export type Programs = readonly (FoundProgram | undefined)[];

/** Pins what a command was seen to be, and compares it again before it runs. */
@Injectable()
export class CommandPins {
  constructor(private readonly files: Files) {}

  programs({ stages, cwd }: Pick<CommandBody, 'stages' | 'cwd'>, workspace: Workspace): Programs {
    const folders = toolFolders(workspace).filter((folder) => !isInside(folder, workspace.root));
    return stages.map(({ argv: [word = ''] }) => this.files.findProgram(word, cwd, folders));
  }

  async take(body: CommandBody, workspace: Workspace, decision: Decision, programs: Programs): Promise<Pins> {
    const executables = await Promise.all(programs.map((program) => this.#pinProgram(program, workspace)));
    const paths = [...new Set(decision.stages.flatMap(scriptsOf))].sort();
    const scripts = await Promise.all(paths.map((path) => this.files.pinFile(path, true)));
    return {
      cwd: this.#pinFolder(body.cwd),
      root: this.#pinFolder(workspace.root),
      executables: executables.map((pin) => pin ?? null),
      files: scripts.filter((pin) => pin !== undefined),
      envNames: Object.keys(body.env).sort(),
      policyVersion: decision.policyVersion,
    };
  }

  /** Names of what is no longer as it was pinned. */
  async changes(pins: Pins, programs: Programs, workspace: Workspace): Promise<readonly string[]> {
    const changes: string[] = [];
    if (!isSameFile(pins.root, this.files.pinFolder(pins.root.path))) changes.push('root');
    if (!isSameFile(pins.cwd, this.files.pinFolder(pins.cwd.path)) || this.files.realFolder(pins.cwd.path) !== pins.cwd.path)
      changes.push('cwd');
    for (const [index, then] of pins.executables.entries()) {
      if (!(await this.#isSameProgram(then, programs[index], workspace))) changes.push(`executable:${String(index + 1)}`);
    }
    for (const then of pins.files) {
      if (!isSameFile(then, await this.files.pinFile(then.path, true))) changes.push(`file:${then.path}`);
    }
    return changes;
  }

  async #isSameProgram(then: FilePin | null, now: FoundProgram | undefined, workspace: Workspace): Promise<boolean> {
    if (then === null) return now === undefined;
    return isSameFile(then, await this.#pinProgram(now, workspace));
  }

  /** What lies in the workspace can be rewritten in place by a run before this one, so it is pinned by content. */
  #pinProgram(program: FoundProgram | undefined, { root }: Workspace): Promise<FilePin | undefined> {
    return program ? this.files.pinFile(program.path, isInside(program.path, root)) : Promise.resolve(undefined);
  }

  #pinFolder(path: string): FilePin {
    return this.files.pinFolder(path) ?? { path, dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };
  }
}

/** Files whose content a stage carries out. */
export function scriptsOf(stage: StageFacts | undefined): readonly string[] {
  const paths = (stage?.touches ?? []).filter(({ kind, role }) => kind === 'path' && role === 'execute').map(({ target }) => target);
  return [...new Set(paths)].sort();
}
