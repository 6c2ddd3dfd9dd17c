import { CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport } from '@angular/cdk/scrolling';
import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { CONNECTOR_AUTH_TYPES, PROVIDER_STATES } from '#contracts';
import type { ActionRun, Connector, ConnectorAuthType, ConnectorStatus, ProviderList, ProviderState } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { connectorWords } from './connector-words.js';
import { categoriesOf, found, type ProviderQuery, searched, type SearchedProvider } from './find-providers.js';

const NOTHING: ProviderQuery = { text: '', category: '', auth: '', state: '' };

/** Connectors: where they are, whether they answer, their providers, and calls whose outcome nobody knows. */
@Component({
  selector: 'cs-connectors-page',
  imports: [CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport, Empty, Failure, Icon, RouterLink, Skeleton, Text],
  templateUrl: './connectors-page.html',
  styleUrl: './connectors.css',
})
export class ConnectorsPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #router = inject(Router);
  readonly #params = toSignal(inject(ActivatedRoute).paramMap, { requireSync: true });
  protected readonly t = inject(Words).say;
  protected readonly words = connectorWords;
  protected readonly isAdmin = inject(Me).isAdmin;
  readonly #workspaces = inject(Workspaces);
  protected readonly auths = CONNECTOR_AUTH_TYPES;
  protected readonly states = PROVIDER_STATES;
  protected readonly all = signal<readonly Connector[] | undefined>(undefined);
  protected readonly status = signal<ConnectorStatus | undefined>(undefined);
  protected readonly unknown = signal<readonly ActionRun[]>([]);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly isOpen = signal(false);
  protected readonly query = signal<ProviderQuery>(NOTHING);
  protected readonly note = signal('');
  readonly #rows = signal<readonly SearchedProvider[] | undefined>(undefined);
  protected readonly open = computed(() => {
    const id = this.#params().get('connector');
    const all = this.all() ?? [];
    return all.find((one) => one.id === id) ?? all[0];
  });
  protected readonly rows = computed(() => {
    const rows = this.#rows();
    return rows && found(rows, this.query());
  });
  protected readonly categories = computed(() => categoriesOf(this.#rows() ?? []));

  constructor() {
    inject(Place).at(() => ({ title: this.t('connectors') }));
    void this.load();
    effect(() => {
      const id = this.open()?.id;
      untracked(() => {
        this.#rows.set(undefined);
        if (id !== undefined) void this.#look(id);
      });
    });
  }

  async load(): Promise<void> {
    await this.#busily(async () => this.all.set((await this.#api.post<{ items: readonly Connector[] }>('oomol/connectors')).items));
  }

  protected narrow(change: Partial<ProviderQuery>): void {
    this.query.update((query) => ({ ...query, ...change }));
  }

  protected authOf(value: string): ConnectorAuthType | '' {
    return this.auths.find((one) => one === value) ?? '';
  }

  protected stateOf(value: string): ProviderState | '' {
    return this.states.find((one) => one === value) ?? '';
  }

  protected byService(_: number, { service }: SearchedProvider): string {
    return service;
  }

  protected async create(name: string, endpoint: string): Promise<void> {
    const workspaces = this.#workspaces.all().map(({ id }) => id);
    await this.#busily(async () => {
      const made = await this.#api.post<Connector>('oomol/create', { name: name.trim(), endpoint: endpoint.trim(), workspaces });
      this.isOpen.set(false);
      await this.load();
      await this.#router.navigate(['/connectors', made.id]);
    });
  }

  /** The field is emptied whatever comes of it; a key is never shown again. */
  protected async setKey(field: HTMLInputElement, which: 'key' | 'admin_token'): Promise<void> {
    const connector = this.open();
    const key = field.value.trim();
    field.value = '';
    if (!connector || key === '') return;
    await this.#busily(async () => {
      await this.#api.post('oomol/key', { connector: connector.id, which, key });
      await this.load();
      this.status.set(await this.#api.post<ConnectorStatus>('oomol/test', { connector: connector.id }));
    });
    await this.#look(connector.id);
  }

  protected async removeKey(connector: Connector, which: 'key' | 'admin_token'): Promise<void> {
    await this.#busily(async () => {
      await this.#api.post('oomol/key', { connector: connector.id, which });
      await this.load();
    });
  }

  protected async test({ id }: Connector): Promise<void> {
    await this.#busily(async () => this.status.set(await this.#api.post<ConnectorStatus>('oomol/test', { connector: id })));
  }

  protected async remove({ id, name }: Connector): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('connector_remove_title', { name }),
      text: this.t('connector_remove_text'),
      act: this.t('connector_remove'),
      isDanger: true,
    });
    if (!isSure) return;
    await this.#busily(() => this.#api.post('oomol/remove', { connector: id }));
    await this.#router.navigate(['/connectors']);
    await this.load();
  }

  protected async look({ runId, connectorId }: ActionRun): Promise<void> {
    await this.#busily(() => this.#api.post('oomol/look', { run: runId }));
    await this.#loadUnknown(connectorId);
  }

  protected async settle({ runId, connectorId }: ActionRun, outcome: 'succeeded' | 'failed'): Promise<void> {
    if (this.note().trim().length < 3) return;
    await this.#busily(() => this.#api.post('oomol/settle', { run: runId, outcome, note: this.note().trim() }));
    this.note.set('');
    await this.#loadUnknown(connectorId);
  }

  async #look(connector: string): Promise<void> {
    await this.#busily(() =>
      Promise.all([
        this.#api.post<ProviderList>('oomol/providers', { connector }).then(({ items }) => this.#rows.set(searched(items))),
        this.#api.post<ConnectorStatus>('oomol/status', { connector }).then((status) => this.status.set(status)),
        this.#loadUnknown(connector),
      ]),
    );
  }

  async #loadUnknown(connector: string): Promise<void> {
    const { items } = await this.#api.post<{ items: readonly ActionRun[] }>('oomol/runs', { connector, status: 'unknown' });
    this.unknown.set(items.filter(({ resolution }) => resolution === null));
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
