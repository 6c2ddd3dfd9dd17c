import { Module } from '@nestjs/common';
import { DiskLook } from './adapters/disk-look.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { AskKinds } from './asks-kinds.js';
import { Asks } from './asks.js';
import { AskRepository } from './asks.ports.js';
import { PathLook } from './core/index.js';
import { AsksController } from './edge/asks.controller.js';
import { ExplainController } from './edge/explain.controller.js';
import { ExplainTools } from './edge/explain.tools.js';
import { Explanations, WorkspaceFinder } from './explanations.js';
import { Policy } from './policy.js';

/** Owns policy, decisions, asks and votes. */
@Module({
  controllers: [AsksController, ExplainController],
  providers: [
    Asks,
    AskKinds,
    { provide: AskRepository, useClass: KyselyAskRepository },
    Policy,
    Explanations,
    WorkspaceFinder,
    ExplainTools,
    { provide: PathLook, useClass: DiskLook },
  ],
  exports: [Asks, AskKinds, Policy, WorkspaceFinder],
})
export class PolicyModule {}
