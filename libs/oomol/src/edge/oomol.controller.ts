import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { hasScope } from '#contracts';
import type {
  ActionGuide,
  ActionList,
  ActionRun,
  ConnectAnswer,
  Connector,
  ConnectorAccount,
  ConnectorConfiguration,
  ConnectorId,
  ConnectorStatus,
  Plan,
  Principal,
  ProviderDetail,
  ProviderList,
  Scope,
} from '#contracts';
import { Planner } from '#execution';
import { AppError, BodyLimit, Caller, RequiresSomewhere } from '#platform';
import { ActionRuns } from '../action-runs.js';
import { Connections } from '../connections.js';
import { Connectors, type OpenConnector } from '../connectors.js';
import { Discovery } from '../discovery.js';
import { RuntimeTokens } from '../runtime-tokens.js';
import { ConnectorStatuses } from '../statuses.js';
import { ConsoleOnly } from './console-only.js';
import {
  AccountRefDto,
  ActionRefDto,
  ActionRunRefDto,
  ActionRunsDto,
  ChangeConnectorDto,
  ConnectDto,
  ConnectorRefDto,
  CreateConnectorDto,
  OAuthClientDto,
  PlanActionDto,
  ProviderRefDto,
  SearchDto,
  SetKeyDto,
  SettleDto,
} from './oomol.dto.js';

const PAGE = 50;
/** Credentials may be certificates. */
const CONNECT_BYTES = 768 * 1_024;

/** REST door of connectors, for people at the console: one exact route for each operation, with cookie and CSRF token. */
@ApiTags('oomol')
@Controller('oomol')
@RequiresSomewhere('connector:read')
@UseGuards(ConsoleOnly)
export class OomolController {
  constructor(
    private readonly connectors: Connectors,
    private readonly statuses: ConnectorStatuses,
    private readonly connections: Connections,
    private readonly discovery: Discovery,
    private readonly tokens: RuntimeTokens,
    private readonly planner: Planner,
    private readonly runs: ActionRuns,
  ) {}

  @Post('connectors')
  @HttpCode(200)
  async list(@Caller() by: Principal): Promise<{ readonly items: readonly Connector[] }> {
    return { items: await this.connectors.list(by) };
  }

  @Post('create')
  create(@Caller() by: Principal, @Body() { workspaces = [], ...wish }: CreateConnectorDto): Promise<Connector> {
    return this.connectors.create(admin(by), wish, workspaces);
  }

  @Post('change')
  @HttpCode(200)
  change(@Caller() by: Principal, @Body() { connector, ...changes }: ChangeConnectorDto): Promise<Connector> {
    return this.connectors.change(admin(by), connector, changes);
  }

  @Post('remove')
  @HttpCode(204)
  async remove(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<void> {
    await this.connectors.remove(admin(by), connector);
  }

  @Post('key')
  @HttpCode(200)
  setKey(@Caller() by: Principal, @Body() { connector, which, key }: SetKeyDto): Promise<Connector> {
    return this.connectors.setKey(admin(by), connector, which, key ?? null);
  }

  @Post('configuration')
  @HttpCode(200)
  async configuration(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<ConnectorConfiguration> {
    return (await this.connectors.get(by, connector)).configuration;
  }

  @Post('status')
  @HttpCode(200)
  async status(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<ConnectorStatus> {
    return this.statuses.get(await this.#open(by, connector));
  }

  @Post('test')
  @HttpCode(200)
  async test(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<ConnectorStatus> {
    return this.statuses.reload(await this.#open(by, connector));
  }

  @Post('providers')
  @HttpCode(200)
  async providers(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<ProviderList> {
    return this.connections.list(await this.#open(by, connector));
  }

  @Post('provider')
  @HttpCode(200)
  async provider(@Caller() by: Principal, @Body() { connector, service }: ProviderRefDto): Promise<ProviderDetail> {
    return this.connections.provider(await this.#open(by, connector), service);
  }

  @Post('connect')
  @HttpCode(200)
  @BodyLimit(CONNECT_BYTES)
  async connect(@Caller() by: Principal, @Body() { connector, kind, ...wish }: ConnectDto): Promise<ConnectAnswer> {
    return this.connections.connect(by, await this.#open(by, connector, 'connector:use'), kind, wish);
  }

  @Post('disconnect')
  @HttpCode(204)
  async disconnect(@Caller() by: Principal, @Body() { connector, accountId }: AccountRefDto): Promise<void> {
    await this.connections.disconnect(by, await this.#open(by, connector, 'connector:use'), accountId);
  }

  @Post('set-default')
  @HttpCode(200)
  async setDefault(@Caller() by: Principal, @Body() { connector, accountId }: AccountRefDto): Promise<ConnectorAccount> {
    return this.connections.setDefault(by, await this.#open(by, connector, 'connector:use'), accountId);
  }

  @Post('oauth-client')
  @HttpCode(204)
  async oauthClient(@Caller() by: Principal, @Body() { connector, service, clientId, clientSecret }: OAuthClientDto): Promise<void> {
    const open = await this.#open(admin(by), connector);
    const isWhole = clientId !== undefined && clientSecret !== undefined;
    await this.connections.setOAuthClient(by, open, service, isWhole ? { service, clientId, clientSecret } : null);
  }

  @Post('rotate-token')
  @HttpCode(204)
  async rotateToken(@Caller() by: Principal, @Body() { connector }: ConnectorRefDto): Promise<void> {
    await this.tokens.rotate(await this.#open(admin(by), connector));
  }

  @Post('search')
  @HttpCode(200)
  async search(@Caller() by: Principal, @Body() { connector, query, service, limit = 20 }: SearchDto): Promise<ActionList> {
    return this.discovery.search(await this.#open(by, connector), query, service, limit);
  }

  @Post('guide')
  @HttpCode(200)
  async guide(@Caller() by: Principal, @Body() { connector, action }: ActionRefDto): Promise<ActionGuide> {
    return this.discovery.guide(await this.#open(by, connector), action);
  }

  @Post('plan')
  async plan(@Caller() by: Principal, @Body() { connector, workspace, action, account, input }: PlanActionDto): Promise<Plan> {
    if (!hasScope(by, 'connector:use', workspace)) throw missing('connector:use');
    const wish = { connector, action, account, input };
    return this.planner.plan({ principal: by, workspace, scope: 'connector:use', request: { kind: 'connector_action', action: wish } });
  }

  @Post('runs')
  @HttpCode(200)
  async page(
    @Caller() by: Principal,
    @Body() { connector, status, before }: ActionRunsDto,
  ): Promise<{ readonly items: readonly ActionRun[] }> {
    return { items: await this.runs.page(by, { connectorId: connector, status, before, limit: PAGE }) };
  }

  @Post('run')
  @HttpCode(200)
  run(@Caller() by: Principal, @Body() { run }: ActionRunRefDto): Promise<ActionRun> {
    return this.runs.get(by, run);
  }

  @Post('look')
  @HttpCode(200)
  look(@Caller() by: Principal, @Body() { run }: ActionRunRefDto): Promise<ActionRun> {
    return this.runs.look(by, run);
  }

  @Post('settle')
  @HttpCode(200)
  settle(@Caller() by: Principal, @Body() { run, outcome, note }: SettleDto): Promise<ActionRun> {
    return this.runs.settle(by, run, outcome, note);
  }

  #open(by: Principal, id: ConnectorId, scope: Scope = 'connector:read'): Promise<OpenConnector> {
    return this.connectors.openFor(by, id, scope);
  }
}

function admin(by: Principal): Principal {
  if (!hasScope(by, 'admin', null)) throw missing('admin');
  return by;
}

function missing(scope: Scope): AppError {
  return new AppError('SCOPE_MISSING', `This needs the scope ${scope}`, { scope });
}
