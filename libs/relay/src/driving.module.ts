import { type DynamicModule, Module } from '@nestjs/common';
import { ExecutionModule } from '#execution';
import { McpModule } from '#mcp';
import { PolicyModule } from '#policy';
import { ReceiptsModule } from '#receipts';
import { DiskSessionFolders } from './adapters/disk-session-folders.js';
import { KyselyRelayRepository } from './adapters/kysely-relay.repository.js';
import { AskReceipts } from './ask-receipts.js';
import { AskVerdicts } from './ask-verdicts.js';
import { Drives } from './drives.js';
import { RelayGoalTools } from './edge/relay-goal.tools.js';
import { RelaySessionTools } from './edge/relay-session.tools.js';
import { RelayWaitTools } from './edge/relay-wait.tools.js';
import { RelayController } from './edge/relay.controller.js';
import { Goals } from './goals.js';
import { Guardian } from './guardian.js';
import { OpenAsks } from './open-asks.js';
import { RelayRepository, SessionFolders } from './driving.ports.js';
import { RelayAnswers } from './relay-answers.js';
import { RelayAsks } from './relay-asks.js';
import { RelayHealth } from './relay-health.js';
import { RelaySessions } from './relay-sessions.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';
import { SessionReads } from './session-reads.js';
import { SessionViews } from './session-views.js';
import { Stops } from './stops.js';
import { Waits } from './waits.js';
import { WorkspaceLocks } from './workspace-locks.js';

/** Owns what is done with hosts: sessions, goals, waits and asks. `hosts` is the module that gives `ConnectedHosts`. */
@Module({})
export class DrivingModule {
  static forRoot(hosts: NonNullable<DynamicModule['imports']>[number]): DynamicModule {
    return {
      module: DrivingModule,
      imports: [hosts, McpModule, ExecutionModule, PolicyModule, ReceiptsModule],
      controllers: [RelayController],
      providers: [
        { provide: RelayRepository, useClass: KyselyRelayRepository },
        { provide: SessionFolders, useClass: DiskSessionFolders },
        SessionBoard,
        OpenAsks,
        AskVerdicts,
        AskReceipts,
        RelayAsks,
        RelayAnswers,
        RelayHealth,
        RelayWorkspaces,
        Drives,
        SessionReads,
        SessionViews,
        RelaySessions,
        WorkspaceLocks,
        Goals,
        Waits,
        Stops,
        Guardian,
        RelaySessionTools,
        RelayGoalTools,
        RelayWaitTools,
      ],
    };
  }
}
