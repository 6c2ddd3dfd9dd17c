import { Module } from '@nestjs/common';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { AskKinds } from './asks-kinds.js';
import { Asks } from './asks.js';
import { AskRepository } from './asks.ports.js';
import { AsksController } from './edge/asks.controller.js';

/** Owns policy, decisions, asks and votes. */
@Module({
  controllers: [AsksController],
  providers: [Asks, AskKinds, { provide: AskRepository, useClass: KyselyAskRepository }],
  exports: [Asks, AskKinds],
})
export class PolicyModule {}
