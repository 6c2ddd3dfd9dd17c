import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CreatedWebhook, NoticeRoutes, Principal, PrincipalId, QuietHours, Webhook, WebhookFormat, WebhookId } from '#contracts';
import { AppError, Clock, Egress, EventFeed, newId, SecretBox } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { isZone } from './core/quiet-hours.js';
import { type HeldWebhook, WebhookRepository } from './ports.js';

const MOST_WEBHOOKS = 50;
const SECRET_BYTES = 24;

export interface NewWebhook {
  readonly by: Principal;
  readonly name: string;
  readonly format: WebhookFormat;
  readonly url: string;
  readonly routes: NoticeRoutes;
  readonly quietHours: QuietHours | null;
}

export type WebhookChanges = Partial<Omit<NewWebhook, 'by'>> & { readonly isEnabled?: boolean };

/** Address and signing secret of a webhook, for the one who sends. */
export interface OpenWebhook {
  readonly webhook: Webhook;
  readonly url: string;
  readonly secret: string;
}

/**
 * Owner of webhooks: where people are told, and about what. Every change is a receipt; addresses and secrets are sealed, and known to
 * redaction, so that neither stands in a log or a receipt.
 */
@Injectable()
export class Webhooks implements OnModuleInit {
  constructor(
    private readonly rows: WebhookRepository,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly box: SecretBox,
    private readonly egress: Egress,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const held of await this.rows.list()) {
      const { url, secret } = this.#open(held);
      this.receipts.protect([url, secret]);
    }
  }

  async list(): Promise<readonly Webhook[]> {
    return (await this.rows.list()).map(({ webhook }) => webhook);
  }

  async get(id: WebhookId): Promise<Webhook> {
    return (await this.#held(id)).webhook;
  }

  /** Undefined: it was removed. */
  async open(id: WebhookId): Promise<OpenWebhook | undefined> {
    const held = await this.rows.find(id);
    return held && this.#open(held);
  }

  async create({ by, name, format, url, routes, quietHours }: NewWebhook): Promise<CreatedWebhook> {
    if ((await this.rows.list()).length >= MOST_WEBHOOKS)
      throw new AppError('WEBHOOK_LIMIT', `There can be ${String(MOST_WEBHOOKS)} webhooks; remove one first`, { limit: MOST_WEBHOOKS });
    const secret = newSecret();
    const now = this.clock.now();
    const place = this.#check(url, quietHours);
    const webhook: Webhook = {
      ...{ id: newId<WebhookId>(), name, format, place, routes, quietHours },
      ...{ isEnabled: true, stopped: null, createdAt: now, changedAt: now },
    };
    this.receipts.protect([url, secret]);
    await this.#record(by, 'webhook.created', `added the webhook ${name}`, null, webhook, async (tx) => {
      await this.rows.insert(tx, { webhook, sealedUrl: this.box.seal(url), sealedSecret: this.box.seal(secret) });
      return true;
    });
    return { webhook, secret };
  }

  async change(by: Principal, id: WebhookId, { url, ...changes }: WebhookChanges): Promise<Webhook> {
    const held = await this.#held(id);
    const before = held.webhook;
    const merged = { ...before, ...changes };
    const place = this.#check(url ?? this.#open(held).url, merged.quietHours);
    const stopped = changes.isEnabled === true ? null : before.stopped;
    const after: Webhook = { ...merged, place, stopped, changedAt: this.#later(before) };
    if (url !== undefined) this.receipts.protect([url]);
    const sealedUrl = url === undefined ? held.sealedUrl : this.box.seal(url);
    await this.#update(by, 'webhook.changed', `changed the webhook ${after.name}`, { ...held, webhook: after, sealedUrl }, before);
    return after;
  }

  /** The old secret is void at once. */
  async renewSecret(by: Principal, id: WebhookId): Promise<CreatedWebhook> {
    const held = await this.#held(id);
    const secret = newSecret();
    const webhook: Webhook = { ...held.webhook, changedAt: this.#later(held.webhook) };
    this.receipts.protect([secret]);
    const renewed = { ...held, webhook, sealedSecret: this.box.seal(secret) };
    await this.#update(by, 'webhook.secret_renewed', `renewed the secret of the webhook ${webhook.name}`, renewed, held.webhook);
    return { webhook, secret };
  }

  async remove(by: Principal, id: WebhookId): Promise<void> {
    const { webhook } = await this.#held(id);
    await this.#record(by, 'webhook.removed', `removed the webhook ${webhook.name}`, webhook, null, (tx) => this.rows.remove(tx, id));
  }

  /** The receiver does not want it any more. Not a person's change, so it leaves an event and no receipt. */
  async stop(id: WebhookId, why: string): Promise<void> {
    const held = await this.rows.find(id);
    if (!held?.webhook.isEnabled) return;
    const webhook: Webhook = { ...held.webhook, isEnabled: false, stopped: why, changedAt: this.#later(held.webhook) };
    await this.feed.write(async (tx, append) => {
      if (await this.rows.update(tx, { ...held, webhook }, held.webhook.changedAt))
        await append({ owner: '' as PrincipalId, sessionId: null }, { type: 'webhook.changed', webhookId: id }); // nobody's: admins see it
    });
  }

  async #held(id: WebhookId): Promise<HeldWebhook> {
    const held = await this.rows.find(id);
    if (!held) throw new AppError('WEBHOOK_NOT_FOUND', 'No such webhook', { webhookId: id });
    return held;
  }

  #open({ webhook, sealedUrl, sealedSecret }: HeldWebhook): OpenWebhook {
    return { webhook, url: this.box.open(sealedUrl), secret: this.box.open(sealedSecret) };
  }

  /** What may be shown of the address. */
  #check(text: string, quietHours: QuietHours | null): string {
    if (quietHours && !isZone(quietHours.zone))
      throw new AppError('INPUT_INVALID', 'This time zone is not known', { paths: ['quietHours.zone'] });
    if (!URL.canParse(text)) throw new AppError('WEBHOOK_URL_INVALID', 'This is not an address');
    const url = new URL(text);
    const objection = this.egress.objection(url);
    if (objection !== undefined) throw new AppError('WEBHOOK_URL_INVALID', objection);
    return url.origin;
  }

  /** Two changes never have the same time, so that the time tells whether it was changed in between. */
  #later({ changedAt }: Webhook): number {
    return Math.max(this.clock.now(), changedAt + 1);
  }

  #update(by: Principal, action: string, did: string, held: HeldWebhook, before: Webhook): Promise<void> {
    return this.#record(by, action, did, before, held.webhook, (tx) => this.rows.update(tx, held, before.changedAt));
  }

  async #record(
    by: Principal,
    action: string,
    did: string,
    before: Webhook | null,
    after: Webhook | null,
    write: (tx: Parameters<WebhookRepository['remove']>[0]) => Promise<boolean>,
  ): Promise<void> {
    const webhookId = (after ?? before)?.id as WebhookId; // one of the two is there
    await this.feed.write(async (tx, append) => {
      if (!(await write(tx)))
        throw new AppError('WEBHOOK_CONFLICT', 'Somebody else has changed or removed it; load it again', { webhookId });
      await this.receipts.write(
        tx,
        append,
        adminDraft({ by, at: this.clock.now(), action, did, details: { webhook_id: webhookId, before, after } }),
      );
      await append({ owner: by.id, sessionId: null }, { type: 'webhook.changed', webhookId });
    });
  }
}

/** As Standard Webhooks writes it. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
