import { Module } from '@nestjs/common';
import { ReceiptsModule } from '#receipts';
import { DiskLook } from './adapters/disk-look.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { KyselyPolicyVersionRepository } from './adapters/kysely-policy-version.repository.js';
import { KyselyRememberedRepository } from './adapters/kysely-remembered.repository.js';
import { RememberedController } from './edge/remembered.controller.js';
import { KyselyProposalRepository } from './adapters/kysely-proposal.repository.js';
import { AskKinds } from './asks-kinds.js';
import { Asks } from './asks.js';
import { AskRepository } from './asks.ports.js';
import { PathLook } from './core/index.js';
import { PolicyDocuments } from './documents.js';
import { PolicyVersionRepository, ProposalRepository } from './documents.ports.js';
import { Drafts } from './drafts.js';
import { LearningController } from './edge/learning.controller.js';
import { ProposalsController } from './edge/proposals.controller.js';
import { AsksController } from './edge/asks.controller.js';
import { DocumentsController } from './edge/documents.controller.js';
import { ExplainController } from './edge/explain.controller.js';
import { ExplainTools } from './edge/explain.tools.js';
import { Explanations, WorkspaceFinder } from './explanations.js';
import { KeptAsks } from './kept-asks.js';
import { Learnings } from './learnings.js';
import { PlanHistory } from './plan-history.js';
import { Policy } from './policy.js';
import { Proposals } from './proposals.js';
import { Remembered } from './remembered.js';
import { RememberedRepository } from './remembered.ports.js';
import { Replays } from './replays.js';
import { Rulings } from './rulings.js';
import { Voters } from './voters.js';

/** Owns policy, decisions, asks and votes. */
@Module({
  imports: [ReceiptsModule],
  controllers: [AsksController, ExplainController, DocumentsController, LearningController, ProposalsController, RememberedController],
  providers: [
    Asks,
    AskKinds,
    KeptAsks,
    Voters,
    Remembered,
    { provide: RememberedRepository, useClass: KyselyRememberedRepository },
    { provide: AskRepository, useClass: KyselyAskRepository },
    Policy,
    PolicyDocuments,
    Rulings,
    PlanHistory,
    Replays,
    Learnings,
    Proposals,
    { provide: ProposalRepository, useClass: KyselyProposalRepository },
    Drafts,
    { provide: PolicyVersionRepository, useClass: KyselyPolicyVersionRepository },
    Explanations,
    WorkspaceFinder,
    ExplainTools,
    { provide: PathLook, useClass: DiskLook },
  ],
  exports: [Asks, AskKinds, Policy, PlanHistory, PolicyDocuments, Remembered, Rulings, WorkspaceFinder],
})
export class PolicyModule {}
