import { Module } from '@nestjs/common';
import { ReceiptsModule } from '#receipts';
import { DiskLook } from './adapters/disk-look.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { KyselyPolicyVersionRepository } from './adapters/kysely-policy-version.repository.js';
import { KyselyRememberedRepository } from './adapters/kysely-remembered.repository.js';
import { RememberedController } from './edge/remembered.controller.js';
import { KyselyProposalRepository } from './adapters/kysely-proposal.repository.js';
import { AskReceipts } from './ask-receipts.js';
import { AskVotes } from './asks-votes.js';
import { Delegations } from './delegations.js';
import { DelegationRepository } from './delegations.ports.js';
import { Escalations } from './escalations.js';
import { Extensions } from './extensions.js';
import { Proofs } from './proofs.js';
import { Rights } from './rights.js';
import { KyselyDelegationRepository } from './adapters/kysely-delegation.repository.js';
import { AskAnswers } from './asks-answers.js';
import { AskEnds } from './asks-ends.js';
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
import { DelegationsController } from './edge/delegations.controller.js';
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
  controllers: [
    AsksController,
    DelegationsController,
    ExplainController,
    DocumentsController,
    LearningController,
    ProposalsController,
    RememberedController,
  ],
  providers: [
    Asks,
    AskAnswers,
    AskEnds,
    AskReceipts,
    AskVotes,
    Delegations,
    { provide: DelegationRepository, useClass: KyselyDelegationRepository },
    Escalations,
    Extensions,
    Proofs,
    Rights,
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
