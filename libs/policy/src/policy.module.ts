import { Module } from '@nestjs/common';
import { ReceiptsModule } from '#receipts';
import { DiskLook } from './adapters/disk-look.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { KyselyPolicyVersionRepository } from './adapters/kysely-policy-version.repository.js';
import { AskKinds } from './asks-kinds.js';
import { Asks } from './asks.js';
import { AskRepository } from './asks.ports.js';
import { PathLook } from './core/index.js';
import { PolicyDocuments } from './documents.js';
import { PolicyVersionRepository } from './documents.ports.js';
import { Drafts } from './drafts.js';
import { AsksController } from './edge/asks.controller.js';
import { DocumentsController } from './edge/documents.controller.js';
import { ExplainController } from './edge/explain.controller.js';
import { ExplainTools } from './edge/explain.tools.js';
import { Explanations, WorkspaceFinder } from './explanations.js';
import { KeptAsks } from './kept-asks.js';
import { Policy } from './policy.js';
import { Rulings } from './rulings.js';
import { Voters } from './voters.js';

/** Owns policy, decisions, asks and votes. */
@Module({
  imports: [ReceiptsModule],
  controllers: [AsksController, ExplainController, DocumentsController],
  providers: [
    Asks,
    AskKinds,
    KeptAsks,
    Voters,
    { provide: AskRepository, useClass: KyselyAskRepository },
    Policy,
    PolicyDocuments,
    Rulings,
    Drafts,
    { provide: PolicyVersionRepository, useClass: KyselyPolicyVersionRepository },
    Explanations,
    WorkspaceFinder,
    ExplainTools,
    { provide: PathLook, useClass: DiskLook },
  ],
  exports: [Asks, AskKinds, Policy, PolicyDocuments, Rulings, WorkspaceFinder],
})
export class PolicyModule {}
