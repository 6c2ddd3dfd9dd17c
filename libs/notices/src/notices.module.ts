import { Module } from '@nestjs/common';
import { ExecutionModule } from '#execution';
import { PolicyModule } from '#policy';
import { ReceiptsModule } from '#receipts';
import { KyselyDeliveryRepository } from './adapters/kysely-delivery.repository.js';
import { KyselyNoticeProgressRepository } from './adapters/kysely-notice-progress.repository.js';
import { KyselyWebhookRepository } from './adapters/kysely-webhook.repository.js';
import { Deliveries } from './deliveries.js';
import { WebhooksController } from './edge/webhooks.controller.js';
import { NoticeBoard } from './notice-board.js';
import { DeliveryRepository, NoticeProgressRepository, WebhookRepository } from './ports.js';
import { Webhooks } from './webhooks.js';

/** Tells people, outside of the console, what waits for them and what went wrong. */
@Module({
  imports: [ReceiptsModule, PolicyModule, ExecutionModule],
  controllers: [WebhooksController],
  providers: [
    Webhooks,
    Deliveries,
    NoticeBoard,
    { provide: WebhookRepository, useClass: KyselyWebhookRepository },
    { provide: DeliveryRepository, useClass: KyselyDeliveryRepository },
    { provide: NoticeProgressRepository, useClass: KyselyNoticeProgressRepository },
  ],
})
export class NoticesModule {}
