import { Module } from '@nestjs/common';
import { PolicyModule } from '#policy';
import { ReceiptsModule } from '#receipts';
import { KyselyLeaseRepository } from './adapters/kysely-lease.repository.js';
import { KyselyPlanRepository } from './adapters/kysely-plan.repository.js';
import { KyselyRunRepository } from './adapters/kysely-run.repository.js';
import { KyselySessionRepository } from './adapters/kysely-session.repository.js';
import { KyselyWorkspaceRepository } from './adapters/kysely-workspace.repository.js';
import { MachineFiles } from './adapters/machine-files.js';
import { MachineProcesses } from './adapters/machine-processes.js';
import { Claims } from './claims.js';
import { CommandDecisions } from './command-decisions.js';
import { CommandKind } from './command-kind.js';
import { CommandPins } from './command-pins.js';
import { CommandPlans } from './command-plans.js';
import { ApprovalLadder } from './edge/approval-ladder.js';
import { ConsoleLinks } from './edge/console-links.js';
import { ExecuteTools } from './edge/execute.tools.js';
import { PlanResources } from './edge/plan.resources.js';
import { PlanTools } from './edge/plan.tools.js';
import { PlansController } from './edge/plans.controller.js';
import { RunAnswers } from './edge/run-answers.js';
import { RunStreams } from './edge/run-streams.js';
import { RunTools } from './edge/run.tools.js';
import { RunsController } from './edge/runs.controller.js';
import { SessionTools } from './edge/session.tools.js';
import { SessionsController } from './edge/sessions.controller.js';
import { SystemController } from './edge/system.controller.js';
import { TerminalPrompts } from './edge/terminal.prompts.js';
import { WorkspaceResources } from './edge/workspace.resources.js';
import { WorkspacesController } from './edge/workspaces.controller.js';
import { ExecutionConfig } from './execution.config.js';
import { ExecutorOptions, ExecutorProcess } from './executor/executor-process.js';
import { ExecutorReadiness } from './executor-readiness.js';
import { ExplainedWorkspaces } from './explained-workspaces.js';
import { FirstWorkspace } from './first-workspace.js';
import { Housekeeping } from './housekeeping.js';
import { Interruptions } from './interruptions.js';
import { KeptData } from './kept-data.js';
import { KnownSecrets } from './known-secrets.js';
import { Lease } from './lease.js';
import { LiveRuns } from './live-runs.js';
import { PastPlans } from './past-plans.js';
import { PlanAsks } from './plan-asks.js';
import { PlanDecisions } from './plan-decisions.js';
import { PlanEndings } from './plan-endings.js';
import { PlanKinds } from './plan-kinds.js';
import { PlanWriter } from './plan-writer.js';
import { Planner } from './planner.js';
import { Plans } from './plans.js';
import { Executor, Files, Processes } from './ports.js';
import { Rechecks } from './rechecks.js';
import { Recovery } from './recovery.js';
import { RemoteWishes } from './remote-wishes.js';
import { LeaseRepository, PlanRepository, RunRepository, SessionRepository, WorkspaceRepository } from './repositories.js';
import { RunEndings } from './run-endings.js';
import { RunEvidence } from './run-evidence.js';
import { RunStarts } from './run-starts.js';
import { Runs } from './runs.js';
import { SessionEndings } from './session-endings.js';
import { Sessions } from './sessions.js';
import { RunSlots } from './run-slots.js';
import { Shutdown } from './shutdown.js';
import { Typing } from './typing.js';
import { WorkspaceFiles } from './workspace-files.js';
import { Workspaces } from './workspaces.js';

const storage = [
  { provide: WorkspaceRepository, useClass: KyselyWorkspaceRepository },
  { provide: SessionRepository, useClass: KyselySessionRepository },
  { provide: PlanRepository, useClass: KyselyPlanRepository },
  { provide: RunRepository, useClass: KyselyRunRepository },
  { provide: LeaseRepository, useClass: KyselyLeaseRepository },
];
const machine = [
  {
    provide: ExecutorOptions,
    inject: [ExecutionConfig],
    useFactory: ({ sandbox }: ExecutionConfig) => new ExecutorOptions(sandbox === 'off' ? 'off' : 'auto'),
  },
  { provide: Executor, useClass: ExecutorProcess },
  { provide: Files, useClass: MachineFiles },
  { provide: Processes, useClass: MachineProcesses },
];
const plans = [PlanKinds, Planner, PlanWriter, PlanEndings, PlanDecisions, PlanAsks, Plans];
const commands = [CommandKind, CommandPlans, CommandPins, CommandDecisions];
const runs = [
  { provide: RunSlots, useFactory: () => new RunSlots() },
  Claims,
  Rechecks,
  RunStarts,
  LiveRuns,
  RunEndings,
  RunEvidence,
  Typing,
  Runs,
  RemoteWishes,
  Interruptions,
];
const life = [
  FirstWorkspace,
  ExplainedWorkspaces,
  PastPlans,
  ExecutorReadiness,
  Lease,
  Recovery,
  Housekeeping,
  KeptData,
  KnownSecrets,
  Shutdown,
];
const doors = [
  ApprovalLadder,
  ConsoleLinks,
  ExecuteTools,
  PlanResources,
  PlanTools,
  RunAnswers,
  RunStreams,
  RunTools,
  SessionTools,
  TerminalPrompts,
  WorkspaceResources,
];

/** Owns workspaces, sessions, plans, claims and runs of every kind. */
@Module({
  imports: [PolicyModule, ReceiptsModule],
  controllers: [WorkspacesController, SessionsController, PlansController, RunsController, SystemController],
  providers: [
    { provide: ExecutionConfig, useFactory: () => ExecutionConfig.read() },
    ...storage,
    ...machine,
    Workspaces,
    WorkspaceFiles,
    Sessions,
    SessionEndings,
    ...plans,
    ...commands,
    ...runs,
    ...life,
    ...doors,
  ],
  exports: [ExecutionConfig, Workspaces, Sessions, PlanKinds, Plans, Runs],
})
export class ExecutionModule {}
