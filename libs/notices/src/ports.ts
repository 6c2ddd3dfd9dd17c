import type { AskId, Delivery, DeliveryId, DeliveryStatus, Webhook, WebhookId } from '#contracts';
import type { Tx } from '#platform';
import type { Notice } from './core/notice.js';

/** A webhook with what nobody is shown; address and secret are sealed. */
export interface HeldWebhook {
  readonly webhook: Webhook;
  readonly sealedUrl: string;
  readonly sealedSecret: string;
}

export abstract class WebhookRepository {
  abstract list(): Promise<readonly HeldWebhook[]>;
  abstract find(id: WebhookId): Promise<HeldWebhook | undefined>;
  abstract insert(tx: Tx, held: HeldWebhook): Promise<void>;
  /** False when it was changed since `before`, or is gone. */
  abstract update(tx: Tx, held: HeldWebhook, before: number): Promise<boolean>;
  /** Its deliveries go too. */
  abstract remove(tx: Tx, id: WebhookId): Promise<boolean>;
}

/** A message that is to be sent. */
export interface NewDelivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly notice: Notice;
  readonly createdAt: number;
  readonly nextAt: number;
}

export interface DueDelivery extends NewDelivery {
  /** Failed attempts so far. */
  readonly attempts: number;
}

export interface Attempt {
  readonly status: DeliveryStatus;
  readonly nextAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly endedAt: number | null;
}

export interface DeliveryFilter {
  readonly webhookId: WebhookId;
  readonly status?: DeliveryStatus | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

export abstract class DeliveryRepository {
  abstract insert(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void>;
  /** Due ones that nobody else is sending; they are the caller's until `leaseUntil`. */
  abstract claimDue(now: number, leaseUntil: number, limit: number): Promise<readonly DueDelivery[]>;
  abstract attempted(id: DeliveryId, attempt: Attempt): Promise<void>;
  abstract find(id: DeliveryId): Promise<Delivery | undefined>;
  abstract page(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Makes a dead one wait again. False: it is not dead. */
  abstract revive(id: DeliveryId, now: number): Promise<boolean>;
  /** Forgets what ended before. */
  abstract trim(endedBefore: number): Promise<void>;
}

export interface Reminder {
  readonly askId: AskId;
  readonly at: number;
  /** Which part of the ask's time is then over. */
  readonly share: number;
}

/** How far events were looked at, and what is to be said later. */
export abstract class NoticeProgressRepository {
  /** Where a first look begins; a server that was here before has said so already. */
  abstract begin(head: number): Promise<void>;
  /** The last event that was looked at. */
  abstract cursor(): Promise<number>;
  /** False: another server was first. */
  abstract move(tx: Tx, from: number, to: number): Promise<boolean>;
  abstract remind(tx: Tx, reminders: readonly Reminder[]): Promise<void>;
  abstract dueReminders(now: number, limit: number): Promise<readonly Reminder[]>;
  /** False: another server has taken it. */
  abstract takeReminder(tx: Tx, reminder: Reminder): Promise<boolean>;
}
