import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { DeliveryId, NoticeRoutes, Principal, QuietHours, WebhookId } from '#contracts';
import { Caller, EventFeed, Requires } from '#platform';
import { Deliveries } from '../deliveries.js';
import { Webhooks } from '../webhooks.js';
import {
  ChangeWebhookDto,
  CreatedWebhookDto,
  CreateWebhookDto,
  DeliveriesDto,
  DeliveriesQuery,
  DeliveryDto,
  WebhookDto,
  WebhooksDto,
} from './webhooks.dto.js';

const DEFAULT_LIMIT = 50;

/** REST door of webhooks and of the log of what was sent. */
@ApiTags('webhooks')
@Controller('webhooks')
@Requires('admin')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @ApiOkResponse({ type: WebhooksDto })
  async list(): Promise<WebhooksDto> {
    const seq = this.feed.head; // before the rows: what happens in between is told again
    return new WebhooksDto({ items: await this.webhooks.list(), seq });
  }

  @Post()
  @ApiCreatedResponse({ type: CreatedWebhookDto })
  async create(@Caller() by: Principal, @Body() { name, format, url, routes, quietHours }: CreateWebhookDto): Promise<CreatedWebhookDto> {
    const wish = { by, name, format, url, routes: toRoutes(routes), quietHours: quietHours ? toQuietHours(quietHours) : null };
    return new CreatedWebhookDto(await this.webhooks.create(wish));
  }

  @Patch(':id')
  @ApiOkResponse({ type: WebhookDto })
  async change(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: WebhookId,
    @Body() { name, format, url, routes, quietHours, alwaysLoud, isEnabled }: ChangeWebhookDto,
  ): Promise<WebhookDto> {
    const changes = {
      ...(name !== undefined && { name }),
      ...(format !== undefined && { format }),
      ...(url !== undefined && { url }),
      ...(routes !== undefined && { routes: toRoutes(routes) }),
      ...(quietHours !== undefined && { quietHours: toQuietHours(quietHours) }),
      ...(alwaysLoud === true && { quietHours: null }),
      ...(isEnabled !== undefined && { isEnabled }),
    };
    return new WebhookDto(await this.webhooks.change(by, id, changes));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async remove(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: WebhookId): Promise<void> {
    await this.webhooks.remove(by, id);
  }

  @Post(':id/secret')
  @ApiCreatedResponse({ type: CreatedWebhookDto })
  async renewSecret(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: WebhookId): Promise<CreatedWebhookDto> {
    return new CreatedWebhookDto(await this.webhooks.renewSecret(by, id));
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOkResponse({ type: DeliveryDto })
  async test(@Param('id', ParseUUIDPipe) id: WebhookId): Promise<DeliveryDto> {
    return new DeliveryDto(await this.deliveries.test(id));
  }

  @Get(':id/deliveries')
  @ApiOkResponse({ type: DeliveriesDto })
  async log(
    @Param('id', ParseUUIDPipe) webhookId: WebhookId,
    @Query() { status, before, limit = DEFAULT_LIMIT }: DeliveriesQuery,
  ): Promise<DeliveriesDto> {
    const found = await this.deliveries.page({ webhookId, status, before, limit: limit + 1 });
    const items = found.slice(0, limit);
    return new DeliveriesDto({ items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null });
  }

  @Post(':id/deliveries/:deliveryId/retry')
  @HttpCode(200)
  @ApiOkResponse({ type: DeliveryDto })
  async retry(@Param('id', ParseUUIDPipe) id: WebhookId, @Param('deliveryId', ParseUUIDPipe) deliveryId: DeliveryId): Promise<DeliveryDto> {
    return new DeliveryDto(await this.deliveries.retry(id, deliveryId));
  }
}

/** Without routes: everything. */
function toRoutes({ types = [], workspaces = [], leastRisk = 'low', deciders = [] }: Partial<NoticeRoutes> = {}): NoticeRoutes {
  return { types, workspaces, leastRisk, deciders };
}

function toQuietHours({ zone, days, from, to }: QuietHours): QuietHours {
  return { zone, days, from, to };
}
