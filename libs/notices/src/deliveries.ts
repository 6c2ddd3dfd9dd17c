import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import type { Delivery, DeliveryId, WebhookId } from '#contracts';
import { AppError, Clock, Egress, type EgressAnswer, EventFeed, newId, PlatformConfig, ScheduledWork } from '#platform';
import { waitAfter } from './core/backoff.js';
import { testNotice } from './core/notice.js';
import { render } from './core/render.js';
import { type Attempt, type DeliveryFilter, DeliveryRepository, type DueDelivery } from './ports.js';
import { type OpenWebhook, Webhooks } from './webhooks.js';

const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
const LEASE_MS = 60_000;
const ANSWER_BYTES = 4_096;
const KEPT_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
const LOOK_AGAIN_MS = 100;
const GONE = 410;

/** Owner of messages on their way: sends them, signed, at least once, tries again ever more slowly, and keeps a log. */
@Injectable()
export class Deliveries implements OnModuleInit {
  constructor(
    private readonly rows: DeliveryRepository,
    private readonly webhooks: Webhooks,
    private readonly egress: Egress,
    private readonly feed: EventFeed,
    private readonly config: PlatformConfig,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(HOUR_MS, 'Forgetting old deliveries', () => this.rows.trim(this.clock.now() - KEPT_MS));
  }

  /** Sends what is due, a few at once, until nothing is. */
  async sendDue(): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const due = await this.rows.claimDue(now, now + LEASE_MS, AT_ONCE);
      await Promise.all(due.map((delivery) => this.#send(delivery)));
      if (due.length < AT_ONCE) return;
    }
  }

  /** Sends a test message now, whatever the routes and the quiet hours say, and answers with how it went. */
  async test(webhookId: WebhookId): Promise<Delivery> {
    const { name } = await this.webhooks.get(webhookId);
    const now = this.clock.now();
    const id = newId<DeliveryId>();
    const message = { id, webhookId, notice: testNotice(name, now), createdAt: now, nextAt: now };
    await this.feed.write((tx) => this.rows.insert(tx, [message]));
    await this.sendDue();
    return this.#settled(webhookId, id);
  }

  async page(filter: DeliveryFilter): Promise<readonly Delivery[]> {
    await this.webhooks.get(filter.webhookId);
    return this.rows.page(filter);
  }

  /** Has a dead message sent again. */
  async retry(webhookId: WebhookId, id: DeliveryId): Promise<Delivery> {
    await this.#find(webhookId, id);
    if (await this.rows.revive(id, this.clock.now())) await this.sendDue();
    return this.#settled(webhookId, id);
  }

  /** Another look may have taken the message and be about to send it. */
  async #settled(webhookId: WebhookId, id: DeliveryId): Promise<Delivery> {
    const giveUpAt = performance.now() + TIMEOUT_MS;
    for (;;) {
      const delivery = await this.#find(webhookId, id);
      const isUntried = delivery.status === 'waiting' && delivery.attempts === 0;
      if (!isUntried || performance.now() > giveUpAt) return delivery;
      await pause(LOOK_AGAIN_MS);
    }
  }

  async #find(webhookId: WebhookId, id: DeliveryId): Promise<Delivery> {
    const delivery = await this.rows.find(id);
    if (delivery?.webhookId !== webhookId) throw new AppError('WEBHOOK_NOT_FOUND', 'No such delivery', { webhookId, deliveryId: id });
    return delivery;
  }

  async #send(delivery: DueDelivery): Promise<void> {
    const open = await this.webhooks.open(delivery.webhookId);
    if (!open) return; // removed, and its messages with it
    const isWanted = open.webhook.isEnabled || delivery.notice.type === 'webhook.test';
    const answer: EgressAnswer = isWanted ? await this.#post(open, delivery) : { ok: false, reason: 'The webhook is switched off' };
    await this.rows.attempted(delivery.id, this.#attempt(delivery, answer, isWanted));
    if (answer.ok && answer.status === GONE) await this.webhooks.stop(delivery.webhookId, 'The receiver says that it is gone (410)');
  }

  #post({ webhook, url, secret }: OpenWebhook, { id, notice }: DueDelivery): Promise<EgressAnswer> {
    const { contentType, headers, body } = render(webhook.format, id, notice, this.config.publicUrl);
    const now = new Date(this.clock.now());
    return this.egress.send({
      method: 'POST',
      url: new URL(url),
      headers: {
        ...headers,
        'content-type': contentType,
        'user-agent': `countersign/${this.config.version}`,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Signer(secret).sign(id, now, body),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: ANSWER_BYTES,
    });
  }

  #attempt({ attempts, notice }: DueDelivery, answer: EgressAnswer, mayTryAgain: boolean): Attempt {
    const now = this.clock.now();
    const lastStatus = answer.ok ? answer.status : null;
    if (answer.ok && answer.status >= 200 && answer.status < 300)
      return { status: 'delivered', nextAt: null, lastStatus, lastError: null, endedAt: now };
    const lastError = answer.ok ? `The receiver answered ${String(answer.status)}` : answer.reason;
    const mayHelp = mayTryAgain && lastStatus !== GONE && notice.type !== 'webhook.test';
    const retryAfter = answer.ok ? answer.headers['retry-after'] : undefined;
    const wait = mayHelp ? waitAfter(attempts + 1, Math.random(), retryAfter, now) : null;
    if (wait === null) return { status: 'dead', nextAt: null, lastStatus, lastError, endedAt: now };
    return { status: 'waiting', nextAt: now + wait, lastStatus, lastError, endedAt: null };
  }
}
