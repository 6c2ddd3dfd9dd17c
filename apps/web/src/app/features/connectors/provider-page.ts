import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import type { ActionGuide, ActionList, ConnectAnswer, ConnectorAccount, Plan, ProviderDetail } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { connectorWords } from './connector-words.js';
import { type SignInEnd, signInElsewhere } from './oauth-window.js';

const END_WORDS = { blocked: 'oauth_blocked', late: 'oauth_late', closed: 'oauth_closed', connected: 'account_active' } as const;

/** One provider: its accounts, how to connect one, and its actions, which are planned here and never run. */
@Component({
  selector: 'cs-provider-page',
  imports: [Failure, Icon, Skeleton, Text],
  templateUrl: './provider-page.html',
  styleUrl: './connectors.css',
})
export class ProviderPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #router = inject(Router);
  readonly #me = inject(Me);
  readonly #params = toSignal(inject(ActivatedRoute).paramMap, { requireSync: true });
  protected readonly t = inject(Words).say;
  protected readonly words = connectorWords;
  protected readonly workspaces = inject(Workspaces);
  protected readonly mayUse = computed(() => this.#me.can('connector:use'));
  protected readonly detail = signal<ProviderDetail | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly ended = signal<SignInEnd | 'waiting' | undefined>(undefined);
  protected readonly again = signal<ConnectorAccount | undefined>(undefined);
  protected readonly actions = signal<ActionList | undefined>(undefined);
  protected readonly guide = signal<ActionGuide | undefined>(undefined);
  protected readonly isBadInput = signal(false);
  protected readonly endWords = END_WORDS;

  constructor() {
    inject(Place).at(() => ({ title: this.detail()?.name ?? '', path: [{ text: this.t('connectors'), link: '/connectors' }] }));
    effect(() => {
      this.#params();
      untracked(() => void this.load());
    });
  }

  async load(): Promise<void> {
    await this.#busily(async () => this.detail.set(await this.#read()));
  }

  protected async signIn(scopes: readonly string[]): Promise<void> {
    this.ended.set('waiting');
    const wish = { ...this.#place(), kind: 'oauth2', ...(scopes.length > 0 && { scopes }), ...this.#again() };
    await this.#busily(async () => {
      const end = await signInElsewhere(
        async () => {
          const answer = await this.#api.post<ConnectAnswer>('oomol/connect', wish);
          return 'authorizationUrl' in answer ? answer.authorizationUrl : 'about:blank';
        },
        async () => (await this.#read()).connected.map(({ id, status, updatedAt }) => `${id}:${status}:${String(updatedAt)}`).join(),
      );
      this.ended.set(end);
      this.again.set(undefined);
      this.detail.set(await this.#read());
    });
    if (this.ended() === 'waiting') this.ended.set(undefined);
  }

  /** Secrets are gone from the form whatever comes of it. */
  protected async connect(kind: 'api_key' | 'custom_credential' | 'no_auth', form: HTMLFormElement): Promise<void> {
    const given = [...new FormData(form)].flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' ? [[key, value] as const] : [],
    );
    const { ['.key']: apiKey, ['.name']: connectionName, ...fields } = Object.fromEntries(given);
    form.reset();
    const values = kind === 'api_key' ? { apiKey, extra: fields } : kind === 'custom_credential' ? { values: fields } : {};
    const wish = { ...this.#place(), kind, ...values, ...(connectionName !== undefined && { connectionName }), ...this.#again() };
    await this.#busily(async () => {
      await this.#api.post('oomol/connect', wish);
      this.again.set(undefined);
      this.detail.set(await this.#read());
    });
  }

  protected async makeDefault({ id }: ConnectorAccount): Promise<void> {
    await this.#busily(async () => {
      await this.#api.post('oomol/set-default', { connector: this.#place().connector, accountId: id });
      this.detail.set(await this.#read());
    });
  }

  protected async disconnect({ id, label }: ConnectorAccount): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('account_disconnect_title', { name: label }),
      text: this.t('account_disconnect_text'),
      act: this.t('account_disconnect'),
      isDanger: true,
    });
    if (!isSure) return;
    await this.#busily(async () => {
      await this.#api.post('oomol/disconnect', { connector: this.#place().connector, accountId: id });
      this.detail.set(await this.#read());
    });
  }

  protected async search(query: string): Promise<void> {
    if (query.trim() === '') return;
    await this.#busily(async () =>
      this.actions.set(await this.#api.post<ActionList>('oomol/search', { ...this.#place(), query: query.trim() })),
    );
  }

  protected async choose(action: string): Promise<void> {
    const { connector } = this.#place();
    await this.#busily(async () => this.guide.set(await this.#api.post<ActionGuide>('oomol/guide', { connector, action })));
  }

  /** The plan says what comes next: it runs, it waits for a person, or it is blocked. */
  protected async plan(action: string, workspace: string, account: string, text: string): Promise<void> {
    const input = parsed(text);
    this.isBadInput.set(input === undefined);
    if (input === undefined) return;
    const wish = { connector: this.#place().connector, action, workspace, input, ...(account !== '' && { account }) };
    await this.#busily(async () => {
      const plan = await this.#api.post<Plan>('oomol/plan', wish);
      await this.#router.navigate(plan.askId === null ? ['/plans', plan.id] : ['/asks', plan.askId]);
    });
  }

  protected chosen(form: HTMLFormElement): readonly string[] {
    return [...new FormData(form).getAll('scope')].filter((one) => typeof one === 'string');
  }

  #place(): { readonly connector: string; readonly service: string } {
    return { connector: this.#params().get('connector') ?? '', service: this.#params().get('service') ?? '' };
  }

  #again(): { readonly accountId?: string } {
    const again = this.again();
    return again === undefined ? {} : { accountId: again.id };
  }

  #read(): Promise<ProviderDetail> {
    return this.#api.post<ProviderDetail>('oomol/provider', this.#place());
  }

  async #busily(work: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    try {
      await work();
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // no JSON: the page says so
  }
}
