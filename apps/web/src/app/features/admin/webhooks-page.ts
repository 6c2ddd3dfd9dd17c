import { Component, computed, inject, signal } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { NOTICE_TYPES, RISKS, WEBHOOK_FORMATS } from '#contracts';
import type { CreatedWebhook, Delivery, NoticeType, Page, Risk, Webhook, WebhookFormat, WebhookId } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Copy } from '../../shared/copy.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { Listed } from './listed.js';

const TYPE_WORDS: Readonly<Record<NoticeType, WordKey>> = {
  'ask.opened': 'tell_opened',
  'ask.reminder': 'tell_reminder',
  'ask.closed': 'tell_closed',
  'run.failed': 'tell_failed',
  'policy.changed': 'tell_policy',
  'webhook.test': 'tell_test',
};

/** The log of one webhook, as far as it was loaded. */
interface Log {
  readonly id: WebhookId;
  readonly items: readonly Delivery[];
  readonly next: string | null;
}

/** Webhooks: who is told outside of the console, about what, and how it went. */
@Component({
  selector: 'cs-webhooks-page',
  imports: [Copy, Empty, Failure, Icon, MatCheckbox, MatFormField, MatHint, MatInput, MatLabel, Skeleton, Text, Time],
  templateUrl: './webhooks-page.html',
  styleUrls: ['./admin.css', './webhooks-page.css'],
})
export class WebhooksPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #snack = inject(MatSnackBar);
  protected readonly t = inject(Words).say;
  protected readonly formats = WEBHOOK_FORMATS;
  protected readonly risks = RISKS.filter((risk) => risk !== 'blocked');
  protected readonly types = NOTICE_TYPES.filter((type) => type !== 'webhook.test');
  protected readonly typeWords = TYPE_WORDS;
  protected readonly list = new Listed<Webhook>('webhooks', (event) => event.type === 'webhook.changed');
  protected readonly isOpen = signal(false);
  protected readonly name = signal('');
  protected readonly url = signal('');
  protected readonly format = signal<WebhookFormat>('json');
  protected readonly leastRisk = signal<Risk>('low');
  protected readonly chosen = signal<readonly NoticeType[]>(this.types);
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly created = signal<CreatedWebhook | undefined>(undefined);
  protected readonly log = signal<Log | undefined>(undefined);
  protected readonly isWhole = computed(() => this.name().trim() !== '' && this.url().trim() !== '' && this.chosen().length > 0);

  constructor() {
    inject(Place).at(() => ({ title: this.t('webhooks'), path: [{ text: this.t('admin'), link: '/admin/webhooks' }] }));
  }

  protected toFormat(value: string): WebhookFormat {
    return WEBHOOK_FORMATS.find((format) => format === value) ?? 'json';
  }

  protected toRisk(value: string): Risk {
    return RISKS.find((risk) => risk === value) ?? 'low';
  }

  protected toggle(type: NoticeType): void {
    this.chosen.update((types) => (types.includes(type) ? types.filter((one) => one !== type) : [...types, type]));
  }

  protected async create(): Promise<void> {
    if (this.isBusy() || !this.isWhole()) return;
    const types = this.chosen().length === this.types.length ? [] : this.chosen();
    const routes = { types, workspaces: [], leastRisk: this.leastRisk(), deciders: [] };
    const wish = { name: this.name().trim(), format: this.format(), url: this.url().trim(), routes };
    await this.#busily(async () => {
      this.created.set(await this.#api.post<CreatedWebhook>('webhooks', wish));
      this.isOpen.set(false);
      this.name.set('');
      this.url.set('');
    });
  }

  protected async test({ id, name }: Webhook): Promise<void> {
    await this.#busily(async () => {
      const { status, lastError } = await this.#api.post<Delivery>(`webhooks/${id}/test`);
      const said = status === 'delivered' ? this.t('hook_tested', { name }) : this.t('hook_test_failed', { name, why: lastError ?? '' });
      this.#snack.open(said, undefined, { duration: 6000 });
      if (this.log()?.id === id) await this.#load(id);
    });
  }

  protected async switchTo({ id }: Webhook, isEnabled: boolean): Promise<void> {
    await this.#busily(() => this.#api.patch(`webhooks/${id}`, { isEnabled }));
  }

  protected async renew({ id, name }: Webhook): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('hook_renew_title', { name }),
      text: this.t('hook_renew_text'),
      act: this.t('hook_renew'),
      isDanger: true,
    });
    if (isSure) await this.#busily(async () => this.created.set(await this.#api.post<CreatedWebhook>(`webhooks/${id}/secret`)));
  }

  protected async remove({ id, name }: Webhook): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('hook_remove_title', { name }),
      text: this.t('hook_remove_text'),
      act: this.t('hook_remove_act', { name }),
      isDanger: true,
      typed: name,
    });
    if (!isSure) return;
    await this.#busily(async () => {
      await this.#api.delete(`webhooks/${id}`);
      if (this.log()?.id === id) this.log.set(undefined);
    });
  }

  protected async toggleLog({ id }: Webhook): Promise<void> {
    if (this.log()?.id === id) this.log.set(undefined);
    else await this.#busily(() => this.#load(id));
  }

  protected async more({ id, items, next }: Log): Promise<void> {
    if (next === null) return;
    await this.#busily(async () => {
      const page = await this.#api.get<Page<Delivery>>(`webhooks/${id}/deliveries?before=${next}`);
      this.log.set({ id, items: [...items, ...page.items], next: page.next });
    });
  }

  protected async again({ webhookId, id }: Delivery): Promise<void> {
    await this.#busily(async () => {
      await this.#api.post(`webhooks/${webhookId}/deliveries/${id}/retry`);
      await this.#load(webhookId);
    });
  }

  async #load(id: WebhookId): Promise<void> {
    this.log.set({ id, ...(await this.#api.get<Page<Delivery>>(`webhooks/${id}/deliveries`)) });
  }

  async #busily(work: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await work();
      void this.list.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
