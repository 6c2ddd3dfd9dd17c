import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Decision, Mode, PolicyText, Principal, Result, Stage, Workspace } from '#contracts';
import { AppError, PlatformConfig, unwrap } from '#platform';
import { checkMayRead } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { BASE_POLICY } from './core/index.js';
import { Policy } from './policy.js';
import { Rulings } from './rulings.js';

export type FoundWorkspace = Pick<Workspace, 'id' | 'name' | 'root' | 'mode' | 'toolPaths'>;

export type FindWorkspace = (reference: string | undefined, principal: Principal) => Promise<FoundWorkspace>;

/** Where policy learns about workspaces: whoever owns them says once how to find one. */
@Injectable()
export class WorkspaceFinder {
  #find: FindWorkspace | undefined;

  use(find: FindWorkspace): void {
    this.#find = find;
  }

  async find(reference: string | undefined, principal: Principal): Promise<FoundWorkspace> {
    if (!this.#find) throw new AppError('WORKSPACE_NOT_FOUND', 'No workspace is registered');
    return this.#find(reference, principal);
  }
}

export interface ExplainCommand {
  readonly principal: Principal;
  readonly workspace?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Absolute, or counted from the workspace. */
  readonly cwd?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly command?: string | undefined;
  /** A draft to decide by, instead of the document in force. */
  readonly yaml?: string | undefined;
}

export interface Explanation {
  readonly decision: Decision;
  readonly mode: Mode;
  readonly cwd: string;
  readonly stages: readonly Stage[];
}

/** Owner of explanations: what policy would say to a command, without a plan and without running anything. */
@Injectable()
export class Explanations {
  constructor(
    private readonly policy: Policy,
    private readonly rulings: Rulings,
    private readonly workspaces: WorkspaceFinder,
    private readonly platform: PlatformConfig,
  ) {}

  /** The verdict counts a machine that can contain a run, so that it is the same everywhere. */
  async explain({ principal, workspace, mode, cwd, argv, command, yaml }: ExplainCommand): Promise<Explanation> {
    if ((argv === undefined) === (command === undefined)) {
      throw new AppError('INPUT_INVALID', 'Send either command or argv', { paths: ['command', 'argv'] });
    }
    const draft = yaml === undefined ? undefined : draftFor(principal, yaml);
    const found = await this.workspaces.find(workspace, principal);
    const { root, mode: ownMode, toolPaths } = found;
    const folder = resolve(root, cwd ?? '.');
    const parsed: Result<readonly Stage[]> = argv
      ? { ok: true, value: [{ join: 'first', argv, redirects: [] }] }
      : this.policy.parse(command ?? '', { root, cwd: folder });
    const asked = { root, cwd: folder, command: command ?? null, mode: mode ?? ownMode, env: {}, toolPaths, sandbox: 'full' } as const;
    const question = { ...asked, dataDir: this.platform.dataDir };
    if (parsed.ok) {
      const base = this.policy.decide({ ...question, stages: parsed.value });
      const circumstances = {
        workspace: found,
        requester: await this.rulings.requester(principal, found.id),
        sessionId: null,
        mode: question.mode,
        cwd: folder,
      };
      return {
        decision: await this.rulings.rule(base, parsed.value, circumstances, draft),
        mode: question.mode,
        cwd: folder,
        stages: parsed.value,
      };
    }
    return { decision: this.#refusal(parsed), mode: question.mode, cwd: folder, stages: [] };
  }

  #refusal({ message, details }: Extract<Result<readonly Stage[]>, { ok: false }>): Decision {
    return {
      outcome: 'deny',
      risk: 'blocked',
      reasons: [message],
      rules: [String(details['rule'])],
      stages: [],
      policyVersion: BASE_POLICY.version,
      quorum: 1,
      notRequester: false,
    };
  }
}

/** Drafts are for those who may read the document that they would replace. */
function draftFor(principal: Principal, yaml: string): PolicyText {
  unwrap(checkMayRead(principal));
  const read = readDocument(yaml);
  if (read.ok) return read.document;
  throw new AppError('POLICY_INVALID', 'The document cannot be read', { issues: read.issues });
}
