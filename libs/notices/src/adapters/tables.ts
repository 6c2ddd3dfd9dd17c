import type { AskId, Delivery, DeliveryId, DeliveryStatus, NoticeRoutes, QuietHours, WebhookFormat, WebhookId } from '#contracts';
import type { Notice } from '../core/notice.js';
import type { HeldWebhook } from '../ports.js';

export interface WebhookRow {
  id: WebhookId;
  name: string;
  format: WebhookFormat;
  place: string;
  sealed_url: string;
  sealed_secret: string;
  routes: string;
  quiet_hours: string | null;
  is_enabled: number;
  stopped: string | null;
  created_at: number;
  changed_at: number;
}

export interface DeliveryRow {
  id: DeliveryId;
  webhook_id: WebhookId;
  notice: string;
  status: DeliveryStatus;
  attempts: number;
  next_at: number | null;
  leased_until: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  ended_at: number | null;
}

/** The tables of notices as both engines give them. */
// A type, not an interface: $extendTables wants an index signature.
export type NoticesTables = {
  webhooks: WebhookRow;
  deliveries: DeliveryRow;
  notice_cursor: { slot: number; last: number };
  notice_reminders: { ask_id: AskId; at: number; share: number };
};

export function toHeld(row: WebhookRow): HeldWebhook {
  const webhook = {
    id: row.id,
    name: row.name,
    format: row.format,
    place: row.place,
    routes: JSON.parse(row.routes) as NoticeRoutes, // only `toRow` writes these texts
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
    isEnabled: row.is_enabled === 1,
    stopped: row.stopped,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
  return { webhook, sealedUrl: row.sealed_url, sealedSecret: row.sealed_secret };
}

export function toRow({ webhook, sealedUrl, sealedSecret }: HeldWebhook): WebhookRow {
  return {
    id: webhook.id,
    name: webhook.name,
    format: webhook.format,
    place: webhook.place,
    sealed_url: sealedUrl,
    sealed_secret: sealedSecret,
    routes: JSON.stringify(webhook.routes),
    quiet_hours: webhook.quietHours && JSON.stringify(webhook.quietHours),
    is_enabled: webhook.isEnabled ? 1 : 0,
    stopped: webhook.stopped,
    created_at: webhook.createdAt,
    changed_at: webhook.changedAt,
  };
}

export function toNotice(text: string): Notice {
  return JSON.parse(text) as Notice; // only `insert` writes it
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { type, title } = toNotice(row.notice);
  return {
    id: row.id,
    webhookId: row.webhook_id,
    type,
    title,
    status: row.status,
    attempts: row.attempts,
    nextAt: row.next_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}
