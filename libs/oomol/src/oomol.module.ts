import { Module } from '@nestjs/common';
import { ExecutionModule } from '#execution';
import { PolicyModule } from '#policy';
import { ReceiptsModule } from '#receipts';
import { ConnectorActionKind } from './action-kind.js';
import { ActionRuns } from './action-runs.js';
import { EgressConnectorWire } from './adapters/egress-connector-wire.js';
import { KyselyActionRunRepository } from './adapters/kysely-action-run.repository.js';
import { KyselyConnectorRepository } from './adapters/kysely-connector.repository.js';
import { SdkMcpWire } from './adapters/sdk-mcp-wire.js';
import { Calls } from './calls.js';
import { Connections } from './connections.js';
import { Connectors } from './connectors.js';
import { Discovery } from './discovery.js';
import { ConnectorTools } from './edge/connector.tools.js';
import { ConsoleOnly } from './edge/console-only.js';
import { OomolController } from './edge/oomol.controller.js';
import { ActionRunRepository, ConnectorRepository, ConnectorWire, McpWire } from './ports.js';
import { ConnectorRequests } from './requests.js';
import { RuntimeTokens } from './runtime-tokens.js';
import { ConnectorStatuses } from './statuses.js';

/** Actions of services through connectors, as plans like any other. */
@Module({
  imports: [ReceiptsModule, PolicyModule, ExecutionModule],
  controllers: [OomolController],
  providers: [
    { provide: ConnectorRepository, useClass: KyselyConnectorRepository },
    { provide: ActionRunRepository, useClass: KyselyActionRunRepository },
    { provide: ConnectorWire, useClass: EgressConnectorWire },
    { provide: McpWire, useClass: SdkMcpWire },
    ...[Connectors, ConnectorStatuses, ConnectorRequests, Connections, Discovery, RuntimeTokens],
    ...[Calls, ActionRuns, ConnectorActionKind, ConnectorTools, ConsoleOnly],
  ],
})
export class OomolModule {}
