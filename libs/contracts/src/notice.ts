import type { Risk } from './decision.js';
import type { DeliveryId, WebhookId, WorkspaceId } from './id.js';
import type { Weekday } from './policy.js';
import type { Role } from './principal.js';

/** What people are told about. `ask.reminder` comes when half, and when nine tenths, of an ask's time are over. */
export const NOTICE_TYPES = ['ask.opened', 'ask.reminder', 'ask.closed', 'run.failed', 'policy.changed', 'webhook.test'] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

/** The shapes of messages; `json` is the notice itself. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'teams', 'discord', 'ntfy', 'feishu'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Which notices a webhook gets. An empty list means all of them. */
export interface NoticeRoutes {
  readonly types: readonly NoticeType[];
  readonly workspaces: readonly WorkspaceId[];
  /** Notices of a lower risk are left out. */
  readonly leastRisk: Risk;
  /** Of asks that only certain roles may decide, those of these roles. */
  readonly deciders: readonly Role[];
}

/** Messages that fall into it are sent when it is over. `from` after `to` reaches into the next day. */
export interface QuietHours {
  /** IANA name. */
  readonly zone: string;
  /** Days on which it begins; an empty list means every day. */
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly from: string;
  readonly to: string;
}

export interface Webhook {
  readonly id: WebhookId;
  readonly name: string;
  readonly format: WebhookFormat;
  /** Without what comes after the host: chat services put their secret there. */
  readonly place: string;
  readonly routes: NoticeRoutes;
  readonly quietHours: QuietHours | null;
  readonly isEnabled: boolean;
  /** Why it was switched off by the server; null: it was not. */
  readonly stopped: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** The one time that the signing secret (`whsec_…`) is shown. */
export interface CreatedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One message to one webhook. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly type: NoticeType;
  readonly title: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** When it is tried next; null once it is over. */
  readonly nextAt: number | null;
  /** HTTP status of the last answer; null: there was none. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}
