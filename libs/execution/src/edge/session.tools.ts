import { Injectable } from '@nestjs/common';
import type { SessionId } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import type * as z from 'zod';
import { SessionEndings } from '../session-endings.js';
import { Sessions } from '../sessions.js';
import { Workspaces } from '../workspaces.js';
import { OpenInput, SessionInput, SessionOutput, toSessionOutput } from './terminal.shapes.js';

/** MCP door to sessions. */
@Injectable()
@McpTools()
export class SessionTools {
  constructor(
    private readonly sessions: Sessions,
    private readonly endings: SessionEndings,
    private readonly workspaces: Workspaces,
  ) {}

  @McpTool({
    name: 'terminal_open_session',
    title: 'Open a session',
    description:
      'Opens a session in a workspace. terminal_plan opens one by itself when none is named; open your own for work side by side.',
    effect: 'write',
    scope: 'terminal:plan',
    perWorkspace: true,
    input: OpenInput,
    output: SessionOutput,
  })
  async open({ workspace }: z.output<typeof OpenInput>, { principal }: ToolCall): Promise<z.input<typeof SessionOutput>> {
    const session = await this.sessions.open(principal, workspace);
    return toSessionOutput(session, await this.workspaces.get(session.workspaceId));
  }

  @McpTool({
    name: 'terminal_close_session',
    title: 'Close a session',
    description: 'Closes a session: its waiting plans are cancelled and its run, if any, is ended with a receipt.',
    effect: 'destructive',
    scope: 'terminal:plan',
    perWorkspace: true,
    input: SessionInput,
    output: SessionOutput,
    idempotent: true,
  })
  async close({ session_id }: z.output<typeof SessionInput>, { principal }: ToolCall): Promise<z.input<typeof SessionOutput>> {
    const session = await this.endings.close(await this.sessions.getToAct(principal, session_id as SessionId));
    return toSessionOutput(session, await this.workspaces.get(session.workspaceId));
  }
}
