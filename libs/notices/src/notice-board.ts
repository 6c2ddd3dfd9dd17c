import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { filter, type Subscription } from 'rxjs';
import type { AppEvent, Ask, DeliveryId, Webhook, WorkspaceId } from '#contracts';
import { Workspaces } from '#execution';
import { Clock, EventFeed, newId, ScheduledWork } from '#platform';
import { Asks } from '#policy';
import { Receipts } from '#receipts';
import { askClosed, askOpened, askReminder, type Notice, policyChanged, runFailed, withoutSecrets } from './core/notice.js';
import { sendAt } from './core/quiet-hours.js';
import { wants } from './core/routes.js';
import { Deliveries } from './deliveries.js';
import { DeliveryRepository, type NewDelivery, NoticeProgressRepository, type Reminder } from './ports.js';
import { Webhooks } from './webhooks.js';

const LOOK_EVERY_MS = 5_000;
const EVENTS_A_LOOK = 200;
const REMINDERS_A_LOOK = 50;
const REMINDED_AT = [0.5, 0.9];
/** Events that nobody is told about may be this many before it is written down that they were looked at. */
const MOST_UNWRITTEN = 1_000;

/**
 * Turns events into messages that are to be sent. Events and reminders are each looked at once, whichever server does it, and the
 * messages are durable before the event counts as looked at: a crash loses none and doubles none.
 */
@Injectable()
export class NoticeBoard implements OnModuleInit, OnModuleDestroy {
  #following: Subscription | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  /** Up to here nothing was to be said; at or after the written place, or behind it. */
  #seen = 0;

  constructor(
    private readonly progress: NoticeProgressRepository,
    private readonly rows: DeliveryRepository,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly asks: Asks,
    private readonly workspaces: Workspaces,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.progress.begin(this.feed.head);
    this.#following = this.feed.live.pipe(filter(isTold)).subscribe(() => void this.look().catch(() => undefined)); // tried again soon
    this.work.every(LOOK_EVERY_MS, 'Telling people', () => this.look());
  }

  async onModuleDestroy(): Promise<void> {
    this.#following?.unsubscribe();
    await this.#looking?.catch(() => undefined); // nobody is left to hear of it
  }

  /** Looks at what is new. Calls that come meanwhile are served by one more look. */
  look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#lookWhileAsked().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const isMore = await this.#lookAtEvents();
      await this.#lookAtReminders();
      await this.deliveries.sendDue();
      if (isMore) this.#again = true;
    }
  }

  /** True: there may be more. What says nothing to anybody is remembered here only, so that ordinary work costs no write. */
  async #lookAtEvents(): Promise<boolean> {
    const from = await this.progress.cursor();
    const events = await this.feed.after(Math.max(from, this.#seen), EVENTS_A_LOOK);
    const to = events.at(-1)?.seq;
    if (to === undefined) return false;
    const { messages, reminders } = await this.#whatToSay(events.filter(isTold));
    const isMore = events.length === EVENTS_A_LOOK;
    if (messages.length + reminders.length === 0 && to - from < MOST_UNWRITTEN) {
      this.#seen = to;
      return isMore;
    }
    await this.feed.write(async (tx) => {
      if (!(await this.progress.move(tx, from, to))) return; // another server was first, and has written them
      await this.rows.insert(tx, messages);
      await this.progress.remind(tx, reminders);
    });
    return isMore;
  }

  async #whatToSay(
    events: readonly AppEvent[],
  ): Promise<{ readonly messages: readonly NewDelivery[]; readonly reminders: readonly Reminder[] }> {
    const heardBy = events.length > 0 ? await this.#enabled() : [];
    if (heardBy.length === 0) return { messages: [], reminders: [] };
    const notices: Notice[] = [];
    for (const event of events) {
      const notice = await this.#noticeOf(event);
      if (notice) notices.push(notice);
    }
    const reminders = events.flatMap((event) => (event.type === 'ask.opened' ? remindersOf(event.ask) : []));
    return { messages: this.#messagesOf(notices, heardBy), reminders };
  }

  async #lookAtReminders(): Promise<void> {
    const now = this.clock.now();
    for (const reminder of await this.progress.dueReminders(now, REMINDERS_A_LOOK)) {
      const ask = await this.asks.find(reminder.askId);
      const notices = ask?.status === 'open' ? [askReminder(ask, await this.#nameOf(ask.workspaceId), reminder.share, now)] : [];
      const messages = notices.length > 0 ? this.#messagesOf(notices, await this.#enabled()) : [];
      await this.feed.write(async (tx) => {
        if (await this.progress.takeReminder(tx, reminder)) await this.rows.insert(tx, messages);
      });
    }
  }

  async #noticeOf(event: AppEvent): Promise<Notice | undefined> {
    if (event.type === 'ask.opened') return askOpened(event.ask, await this.#nameOf(event.ask.workspaceId));
    if (event.type === 'policy.changed') return policyChanged(event.version, event.at);
    if (event.type === 'ask.closed') {
      const ask = await this.asks.find(event.askId);
      return ask && askClosed(ask, await this.#nameOf(ask.workspaceId), event.at);
    }
    if (event.type !== 'receipt.written') return undefined;
    const workspace = (await this.workspaces.list()).find(({ name }) => name === event.receipt.workspaceName);
    return runFailed(event.receipt, workspace?.id ?? null);
  }

  async #enabled(): Promise<readonly Webhook[]> {
    return (await this.webhooks.list()).filter(({ isEnabled }) => isEnabled);
  }

  #messagesOf(notices: readonly Notice[], enabled: readonly Webhook[]): readonly NewDelivery[] {
    const redactor = this.receipts.redactor();
    const told = notices.map((notice) => withoutSecrets(notice, (text) => redactor.redact(text).text));
    return told.flatMap((notice) => enabled.filter(({ routes }) => wants(routes, notice)).map((webhook) => this.#message(webhook, notice)));
  }

  #message({ id: webhookId, quietHours }: Webhook, notice: Notice): NewDelivery {
    const now = this.clock.now();
    return { id: newId<DeliveryId>(), webhookId, notice, createdAt: now, nextAt: sendAt(now, quietHours) };
  }

  async #nameOf(id: WorkspaceId | null): Promise<string> {
    return (await this.workspaces.list()).find((workspace) => workspace.id === id)?.name ?? '';
  }
}

function isTold(event: AppEvent): boolean {
  if (event.type === 'receipt.written') return event.receipt.kind === 'run' && event.receipt.outcome !== 'succeeded';
  return event.type === 'ask.opened' || event.type === 'ask.closed' || event.type === 'policy.changed';
}

function remindersOf({ id, createdAt, expiresAt }: Ask): readonly Reminder[] {
  return REMINDED_AT.map((share) => ({ askId: id, share, at: createdAt + Math.round((expiresAt - createdAt) * share) }));
}
