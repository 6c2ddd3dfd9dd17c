import { Injectable } from '@nestjs/common';
import { ACCOUNT_STATUSES, ACTION_EFFECTS, CONNECTOR_MODES, CONNECTOR_PHASES, hasScope, OUTCOMES, PLAN_STATUSES, RISKS } from '#contracts';
import type { ActionRow, Connector, ConnectorAccount, PlanId, Principal, SessionId } from '#contracts';
import { ConsoleLinks, PlanCalls, Planner, type RunAnswer, RunOutput } from '#execution';
import { McpTool, McpTools, type NeedsInput, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import * as z from 'zod';
import { Connections } from '../connections.js';
import { Connectors, type OpenConnector } from '../connectors.js';
import { Discovery } from '../discovery.js';
import { ConnectorStatuses } from '../statuses.js';

const MOST_ACCOUNTS = 100;
const MAX_SCHEMA_CHARACTERS = 48_000;

const Reference = z.string().min(1).max(64).optional().describe('Id or name of the connector; may be left out when there is one');
const Effect = z.object({ effect: z.enum(ACTION_EFFECTS), why: z.string() });
const Account = z.object({ id: z.string(), name: z.string().nullable(), label: z.string(), status: z.enum(ACCOUNT_STATUSES), default: z.boolean() }); // prettier-ignore
const Action = z.object({
  ...{ id: z.string(), provider: z.string(), description: z.string(), effect: Effect },
  ...{ scopes: z.array(z.string()), allowed_there: z.boolean(), needs_account: z.boolean() },
});

const StatusInput = z.strictObject({ connector: Reference, provider: z.string().regex(/^[\w-]{1,160}$/).optional() }); // prettier-ignore
const StatusOutput = z.object({
  connectors: z.array(
    z.object({
      ...{ id: z.uuid(), name: z.string(), mode: z.enum(CONNECTOR_MODES), phase: z.enum(CONNECTOR_PHASES) },
      ...{ open_to_anyone: z.boolean(), checked_at: z.string().nullable() },
      connections: z.array(z.object({ provider: z.string(), ...Account.shape })),
      connections_total: z.int(),
    }),
  ),
});
const SearchInput = z.strictObject({
  connector: Reference,
  query: z.string().min(1).max(256).describe('What the action should do'),
  provider: z.string().regex(/^[\w-]{1,160}$/).optional(), // prettier-ignore
  limit: z.int().min(1).max(50).optional().describe('10 when left out'),
});
const SearchOutput = z.object({ connector_id: z.uuid(), actions: z.array(Action), total: z.int() });
const GuideInput = z.strictObject({ connector: Reference, action: z.string().min(3).max(330) });
const GuideOutput = Action.extend({
  ...{ connector_id: z.uuid(), input_schema: z.record(z.string(), z.unknown()).nullable(), schema_sha256: z.string() },
  ...{ guide: z.string(), accounts: z.array(Account), accounts_total: z.int() },
});
const PlanInput = z.strictObject({
  session_id: z.uuid().optional().describe('Your open session for the workspace is used when left out'),
  workspace: z.string().min(1).max(64).optional().describe('Name or id of a registered workspace'),
  connector: Reference,
  action: z.string().min(3).max(330).describe('As connector_search names it'),
  account: z.string().min(1).max(300).optional().describe('Id or name of the account; the default when left out'),
  input: z.record(z.string(), z.unknown()).describe('As the schema of connector_guide wants it'),
});
const PlanOutput = z.object({
  ...{ plan_id: z.uuid(), session_id: z.uuid(), status: z.enum(PLAN_STATUSES), digest: z.string(), expires_at: z.int() },
  decision: z.object({ outcome: z.enum(OUTCOMES), risk: z.enum(RISKS), reasons: z.array(z.string()), rules: z.array(z.string()) }),
  ...{ provider: z.string(), action: z.string(), effect: Effect, input_sha256: z.string(), schema_sha256: z.string() },
  account: z.object({ id: z.string(), label: z.string() }).nullable(),
  ...{ ask_id: z.uuid().optional(), approval_url: z.string().optional() },
});
const PlanRef = z.strictObject({ session_id: z.uuid().optional(), plan_id: z.uuid().describe('As connector_plan named it') });
const WaitInput = PlanRef.extend({ wait_ms: z.int().min(0).max(50_000).optional() });

/** MCP door to connectors. Actions are found, described and planned here; none is carried out but through its plan. */
@Injectable()
@McpTools()
export class ConnectorTools {
  constructor(
    private readonly connectors: Connectors,
    private readonly statuses: ConnectorStatuses,
    private readonly connections: Connections,
    private readonly discovery: Discovery,
    private readonly planner: Planner,
    private readonly calls: PlanCalls,
    private readonly links: ConsoleLinks,
  ) {}

  @McpTool({
    name: 'connector_status',
    title: 'Connectors and their accounts',
    description: 'Tells which connectors you may use, whether they can be reached, and which accounts are connected there.',
    effect: 'read',
    scope: 'connector:read',
    perWorkspace: true,
    input: StatusInput,
    output: StatusOutput,
    openWorld: true,
  })
  async status({ connector, provider }: z.output<typeof StatusInput>, { principal }: ToolCall): Promise<z.input<typeof StatusOutput>> {
    const all = await this.connectors.list(principal);
    const wanted = connector === undefined ? all : all.filter(({ id, name }) => id === connector || name === connector);
    return { connectors: await Promise.all(wanted.map((one) => this.#status(principal, one, provider))) };
  }

  @McpTool({
    name: 'connector_search',
    title: 'Find actions',
    description: 'Finds actions of services by what they do. Each hit says what it does to the service and why that is believed.',
    effect: 'read',
    scope: 'connector:read',
    perWorkspace: true,
    input: SearchInput,
    output: SearchOutput,
    openWorld: true,
  })
  async search(input: z.output<typeof SearchInput>, { principal }: ToolCall): Promise<z.input<typeof SearchOutput>> {
    const connector = await this.#named(principal, input.connector);
    const { items, total } = await this.discovery.search(connector, input.query, input.provider, input.limit ?? 10);
    return { connector_id: connector.held.id, actions: items.map(toAction), total };
  }

  @McpTool({
    name: 'connector_guide',
    title: 'How to use an action',
    description: 'Gives the guide, the input schema, the effect and the accounts of one action. The guide is text of the connector.',
    effect: 'read',
    scope: 'connector:read',
    perWorkspace: true,
    input: GuideInput,
    output: GuideOutput,
    openWorld: true,
  })
  async guide(
    { connector: reference, action }: z.output<typeof GuideInput>,
    { principal }: ToolCall,
  ): Promise<z.input<typeof GuideOutput>> {
    const connector = await this.#named(principal, reference);
    const { inputSchema, schemaDigest, guide, accounts, ...row } = await this.discovery.guide(connector, action);
    const isSmall = JSON.stringify(inputSchema).length <= MAX_SCHEMA_CHARACTERS;
    return {
      ...toAction(row),
      ...{ connector_id: connector.held.id, input_schema: isSmall ? { ...inputSchema } : null, schema_sha256: schemaDigest, guide },
      ...{ accounts: accounts.slice(0, MOST_ACCOUNTS).map(toAccount), accounts_total: accounts.length },
    };
  }

  @McpTool({
    name: 'connector_plan',
    title: 'Plan an action',
    description:
      'Describes the call of an action before it is made: as which account, with which input, and what it does. Answers what policy says ' +
      'and whether a person must approve. Nothing is sent. Repeating an identical plan while it waits gives the same plan.',
    effect: 'write',
    scope: 'connector:use',
    perWorkspace: true,
    input: PlanInput,
    output: PlanOutput,
    idempotent: true,
  })
  async plan(input: z.output<typeof PlanInput>, { principal }: ToolCall): Promise<z.input<typeof PlanOutput>> {
    const { session_id, workspace, connector, action, account, input: given } = input;
    const plan = await this.planner.plan({
      ...{ principal, sessionId: session_id as SessionId | undefined, workspace, scope: 'connector:use' },
      request: { kind: 'connector_action', action: { connector, action, account, input: given } },
    });
    if (plan.body.kind !== 'connector_action') throw new AppError('INTERNAL', 'The plan is of another kind');
    const { call } = plan.body;
    const { outcome, risk, reasons, rules } = plan.decision;
    const approvalUrl = plan.status === 'awaiting_approval' ? this.links.toAsk(plan.askId) : undefined;
    return {
      ...{ plan_id: plan.id, session_id: plan.sessionId, status: plan.status, digest: plan.digest, expires_at: plan.expiresAt },
      decision: { outcome, risk, reasons: [...reasons], rules: [...rules] },
      ...{ provider: call.provider, action: call.action, input_sha256: call.inputDigest, schema_sha256: call.schemaDigest },
      effect: { effect: call.effect.effect, why: call.effect.reason },
      account: call.account && { id: call.account.id, label: call.account.label },
      ...(plan.askId && { ask_id: plan.askId }),
      ...(approvalUrl !== undefined && { approval_url: approvalUrl }),
    };
  }

  @McpTool({
    name: 'connector_execute',
    title: 'Carry out a planned action',
    description:
      'Carries out an approved plan of connector_plan exactly once and answers with its signed receipt. A plan that waits for a person is ' +
      'put before one. An outcome of unknown means that the action may have had its effect: do not plan it again, a person has to look.',
    effect: 'destructive',
    scope: 'connector:use',
    perWorkspace: true,
    input: PlanRef,
    output: RunOutput,
    openWorld: true,
  })
  execute({ plan_id, session_id }: z.output<typeof PlanRef>, call: ToolCall): Promise<RunAnswer | NeedsInput> {
    return this.calls.execute({ planId: plan_id as PlanId, sessionId: session_id as SessionId | undefined }, call);
  }

  @McpTool({
    name: 'connector_wait',
    title: 'Wait for a planned action',
    description: 'Waits, for at most 50 seconds, until a person has decided or until the action has ended. Sends nothing.',
    effect: 'read',
    scope: 'connector:use',
    perWorkspace: true,
    input: WaitInput,
    output: RunOutput,
  })
  wait({ plan_id, session_id, wait_ms }: z.output<typeof WaitInput>, call: ToolCall): Promise<RunAnswer> {
    return this.calls.wait({ planId: plan_id as PlanId, sessionId: session_id as SessionId | undefined }, wait_ms, call);
  }

  async #status(principal: Principal, { id, name, configuration }: Connector, provider: string | undefined) {
    const connector = await this.connectors.openFor(principal, id);
    const known = this.statuses.get(connector);
    const status = known.checkedAt === null && known.phase === 'connecting' ? await this.statuses.reload(connector) : known;
    const accounts = status.phase === 'connected' ? await this.connections.accounts(connector, provider).catch(() => []) : [];
    return {
      ...{ id, name, mode: configuration.mode, phase: status.phase, open_to_anyone: status.openToAnyone, checked_at: status.checkedAt },
      connections: accounts.slice(0, MOST_ACCOUNTS).map((account) => ({ provider: account.service, ...toAccount(account) })),
      connections_total: accounts.length,
    };
  }

  /** The one that is named among those that the caller may see, or the only one. */
  async #named(principal: Principal, reference: string | undefined): Promise<OpenConnector> {
    const all = await this.connectors.list(principal);
    const found = reference === undefined ? all : all.filter(({ id, name }) => id === reference || name === reference);
    const [only, ...rest] = found.filter(({ workspaces }) => isFor(principal, workspaces));
    if (!only) throw new AppError('CONNECTOR_NOT_FOUND', 'There is no such connector, or it may not be used here');
    if (rest.length > 0) throw new AppError('INPUT_INVALID', 'There are several connectors; name one', { paths: ['connector'] });
    return this.connectors.openFor(principal, only.id);
  }
}

function isFor(principal: Principal, workspaces: Connector['workspaces']): boolean {
  return hasScope(principal, 'admin', null) || workspaces.some((id) => hasScope(principal, 'connector:read', id));
}

function toAction({ id, service, description, effect, requiredScopes, isAllowedThere, needsAccount }: ActionRow): z.input<typeof Action> {
  return {
    ...{ id, provider: service, description, effect: { effect: effect.effect, why: effect.reason } },
    ...{ scopes: [...requiredScopes], allowed_there: isAllowedThere, needs_account: needsAccount },
  };
}

function toAccount({ id, connectionName, label, status, isDefault }: ConnectorAccount): z.input<typeof Account> {
  return { id, name: connectionName, label, status, default: isDefault };
}
