import * as z from 'zod';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { RelayHealth } from '../relay-health.js';
import { RelaySessions } from '../relay-sessions.js';
import { SessionViews } from '../session-views.js';
import { agentOf, agentOptions, answer, maxChars, NONE, sessionId, sinceSeq, workspace } from './relay-inputs.js';

const createSession = z.object({
  workspace,
  title: z.string().min(1).max(80).describe('A short title for lists.').optional(),
  initial_message: z.string().max(20_000).describe('The first message; the agent begins to work on it at once.').optional(),
  agent_options: agentOptions.optional(),
});
const listSessions = z.object({
  limit: z.int().min(1).max(100).default(50).describe('How many rows.'),
  offset: z.int().min(0).default(0).describe('How many rows are skipped.'),
  workspace: workspace.optional(),
});
const getSession = z.object({
  session_id: sessionId,
  max_items: z.int().min(1).max(200).describe('How many messages and calls the answer may hold.').optional(),
  max_chars: maxChars.optional(),
  since_seq: sinceSeq.optional(),
});
const sendMessage = z.object({
  session_id: sessionId,
  message: z.string().max(20_000).describe('What the agent is told. It joins the session as a new turn.'),
});
const oneSession = z.object({ session_id: sessionId });
const taskStatus = z.object({ session_id: sessionId, since_seq: sinceSeq.optional() });
const getResult = z.object({ session_id: sessionId, max_chars: maxChars.optional() });

/** MCP door of sessions: reading them, talking to them. */
@McpTools()
export class RelaySessionTools {
  constructor(
    private readonly views: SessionViews,
    private readonly sessions: RelaySessions,
    private readonly health: RelayHealth,
  ) {}

  @McpTool({
    name: 'dsh_health',
    title: 'Health of the agent hosts',
    description: 'Tells which agent hosts are connected, what each can and cannot do, and which switches are on.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: NONE,
    output: answer,
  })
  async tellHealth(_input: z.output<typeof NONE>, { principal }: ToolCall) {
    return this.health.of(principal);
  }

  @McpTool({
    name: 'dsh_list_workspaces',
    title: 'Workspaces',
    description: 'Lists the folders in which agents may work here. Name one of them by id, path or title in other calls.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: NONE,
    output: answer,
  })
  async listWorkspaces(_input: z.output<typeof NONE>, { principal }: ToolCall) {
    return { workspaces: await this.health.workspaces(principal) };
  }

  @McpTool({
    name: 'dsh_credential_status',
    title: 'Credentials of the hosts',
    description: 'Tells which provider credentials are set up in the hosts, and where they come from. Values are never told.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: NONE,
    output: answer,
  })
  async tellCredentials(_input: z.output<typeof NONE>, _call: ToolCall) {
    return { credentials: await this.health.credentials() };
  }

  @McpTool({
    name: 'dsh_create_session',
    title: 'Create a session',
    description:
      'Makes a new agent session in a workspace. With initial_message the agent starts working at once: then call dsh_wait_until_action_required in the same turn.',
    effect: 'destructive',
    openWorld: true,
    idempotent: false,
    scope: 'relay:drive',
    perWorkspace: true,
    wire: { requestId: false },
    input: createSession,
    output: answer,
  })
  async create({ workspace: place, title, initial_message, agent_options }: z.output<typeof createSession>, { principal }: ToolCall) {
    const { id } = await this.sessions.create(principal, {
      workspace: place,
      title,
      initialMessage: initial_message,
      agent: agentOf(agent_options),
    });
    return this.views.status(principal, id, 0);
  }

  @McpTool({
    name: 'dsh_list_sessions',
    title: 'List sessions',
    description: 'Lists agent sessions, the newest first, with their state and what waits for a person.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: listSessions,
    output: answer,
  })
  async list(query: z.output<typeof listSessions>, { principal }: ToolCall) {
    return this.views.list(principal, query);
  }

  @McpTool({
    name: 'dsh_get_session',
    title: 'Read a session',
    description: 'Shows the messages, tool calls, todos and changed files of a session, live or not, the newest within the bounds given.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: getSession,
    output: answer,
  })
  async read({ session_id, max_items, max_chars, since_seq }: z.output<typeof getSession>, { principal }: ToolCall) {
    const budget = { ...(max_items !== undefined && { items: max_items }), ...(max_chars !== undefined && { chars: max_chars }) };
    return this.views.session(principal, session_id, budget, since_seq);
  }

  @McpTool({
    name: 'dsh_send_message',
    title: 'Send a message',
    description:
      'Tells the agent of a session something; it may start a whole turn of work. Then call dsh_wait_until_action_required in the same turn.',
    effect: 'destructive',
    openWorld: true,
    idempotent: false,
    scope: 'relay:drive',
    perWorkspace: true,
    wire: { requestId: true },
    input: sendMessage,
    output: answer,
  })
  async send({ session_id, message }: z.output<typeof sendMessage>, { principal }: ToolCall) {
    const before = await this.views.status(principal, session_id, undefined);
    await this.sessions.send(principal, session_id, message);
    return { accepted: true, ...(await this.views.status(principal, session_id, before.seq)) };
  }

  @McpTool({
    name: 'dsh_cancel_task',
    title: 'Cancel the running turn',
    description: 'Ends the turn that a session is in, and drops messages that wait. A goal that is at work there is paused by it.',
    effect: 'destructive',
    idempotent: true,
    scope: 'relay:drive',
    perWorkspace: true,
    wire: { requestId: false },
    input: oneSession,
    output: answer,
  })
  async cancel({ session_id }: z.output<typeof oneSession>, { principal }: ToolCall) {
    const { wasRunning } = await this.sessions.cancel(principal, session_id);
    return { cancelled: wasRunning, ...(await this.views.status(principal, session_id, undefined)) };
  }

  @McpTool({
    name: 'dsh_get_task_status',
    title: 'State of a session',
    description: 'Tells at once how a session stands and what happened since since_seq. To wait, call a wait tool instead of asking again.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: taskStatus,
    output: answer,
  })
  async status({ session_id, since_seq }: z.output<typeof taskStatus>, { principal }: ToolCall) {
    return this.views.status(principal, session_id, since_seq);
  }

  @McpTool({
    name: 'dsh_get_result',
    title: 'Result of a session',
    description:
      'Shows what a session has to show for its work: its answer, test counts, commits, tags, changed files, warnings and evidence.',
    effect: 'read',
    scope: 'relay:read',
    perWorkspace: true,
    wire: { requestId: false },
    input: getResult,
    output: answer,
  })
  async result({ session_id, max_chars }: z.output<typeof getResult>, { principal }: ToolCall) {
    return this.views.result(principal, session_id, max_chars);
  }
}
