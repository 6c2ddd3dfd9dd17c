import { posix, relative, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal, Workspace } from '#contracts';
import { AppError } from '#platform';
import { Rulings } from '#policy';
import { Receipts } from '#receipts';
import { CommandDecisions } from './command-decisions.js';
import { CommandPins } from './command-pins.js';
import { isInside } from './core/paths.js';
import { Files } from './ports.js';
import { Workspaces } from './workspaces.js';

const MAX_BYTES = 262_144;

/** Reads single files of a workspace for callers that may read. Whatever `cat` would not be allowed is not there. */
@Injectable()
export class WorkspaceFiles {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly decisions: CommandDecisions,
    private readonly rulings: Rulings,
    private readonly pins: CommandPins,
    private readonly files: Files,
    private readonly receipts: Receipts,
  ) {}

  /** Redacted text, and whether it is the whole file. `reference`: id or name; the first workspace when left out. */
  async read(principal: Principal, reference: string | undefined, path: string): Promise<string> {
    const workspace = await this.workspaces.resolve(reference);
    // The door has asked callers without differences between workspaces.
    if (principal.workspaceScopes !== undefined && !hasScope(principal, 'terminal:execute', workspace.id)) throw notFound();
    this.workspaces.assertPresent(workspace);
    const absolute = await this.#allowed(principal, workspace, path);
    const head = this.files.head(absolute, MAX_BYTES);
    if (!head) throw notFound();
    const text = textOf(head.bytes);
    const left = head.size - head.bytes.length;
    const { text: redacted } = this.receipts.redactor().redact(text);
    return left > 0 ? `${redacted}\n[${String(left)} more bytes are left out]\n` : redacted;
  }

  async #allowed(principal: Principal, workspace: Workspace, path: string): Promise<string> {
    const absolute = posix.resolve(workspace.root, path);
    if (path.includes('\0') || !isInside(absolute, workspace.root) || absolute === workspace.root) throw notFound();
    const operand = relative(workspace.root, absolute).split(sep).join('/');
    const question = {
      command: null,
      stages: [{ join: 'first', argv: ['cat', '--', operand], redirects: [] }],
      cwd: workspace.root,
      env: {},
      hosts: [],
      mode: workspace.mode,
    } as const;
    const asker = { requester: await this.rulings.requester(principal, workspace.id), sessionId: null };
    const { decision } = await this.decisions.decide(question, workspace, asker, this.pins.programs(question, workspace));
    if (decision.outcome !== 'allow') throw notFound();
    return absolute;
  }
}

/** The same answer for what is absent and for what may not be read. */
function notFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'No such readable file in the workspace');
}

function textOf(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new AppError('RESOURCE_NOT_FOUND', 'The file is not text');
  return new TextDecoder('utf-8').decode(bytes);
}
