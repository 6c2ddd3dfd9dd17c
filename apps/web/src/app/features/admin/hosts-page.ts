import { Component, computed, inject, signal } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { HOST_KINDS } from '#contracts';
import type { HostKind, HostPackage, HostSettings, HostState, HostView, Snapshot } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Copy } from '../../shared/copy.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Proved } from '../../shared/proved.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Listed } from './listed.js';

const KIND_WORDS: Readonly<Record<HostKind, WordKey>> = { bridge: 'host_bridge', attach: 'host_attach', acp: 'host_acp' };
const STATE_WORDS: Readonly<Record<HostState, WordKey>> = {
  stopped: 'host_is_stopped',
  starting: 'host_is_starting',
  connected: 'host_is_connected',
  gone: 'host_is_gone',
  failed: 'host_is_failed',
};

/** What stands in the form. */
interface Draft {
  /** Null: a new host. */
  readonly of: HostView | null;
  readonly kind: HostKind;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly url: string;
  readonly argv: string;
  readonly key: string;
  readonly autoApproveEscalations: boolean;
}

const NEW: Draft = {
  of: null,
  kind: 'bridge',
  name: '',
  provider: 'deepseek-official',
  model: 'deepseek-v4-flash',
  baseUrl: '',
  url: '',
  argv: '',
  key: '',
  autoApproveEscalations: false,
};

/** Agent hosts: what is set, how they do, and starting and stopping them. */
@Component({
  selector: 'cs-hosts-page',
  imports: [Copy, Empty, Failure, Icon, MatCheckbox, MatFormField, MatHint, MatInput, MatLabel, Skeleton, Text],
  templateUrl: './hosts-page.html',
  styleUrls: ['./admin.css', './hosts-page.css'],
})
export class HostsPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #proved = inject(Proved);
  readonly #snack = inject(MatSnackBar);
  protected readonly t = inject(Words).say;
  protected readonly kinds = HOST_KINDS;
  protected readonly kindWords = KIND_WORDS;
  protected readonly stateWords = STATE_WORDS;
  protected readonly list = new Listed<HostView>('hosts', (event) => event.type === 'host.changed');
  protected readonly package = signal<HostPackage | undefined>(undefined);
  protected readonly draft = signal<Draft | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isWhole = computed(() => {
    const draft = this.draft();
    if (!draft || draft.name.trim() === '') return false;
    if (draft.kind === 'attach') return draft.url.trim() !== '';
    return draft.kind === 'acp' ? draft.argv.trim() !== '' : draft.provider.trim() !== '' && draft.model.trim() !== '';
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('hosts'), path: [{ text: this.t('admin'), link: '/admin/hosts' }] }));
    void this.#loadPackage();
  }

  protected open(): void {
    this.draft.set(NEW);
  }

  protected edit(of: HostView): void {
    const { settings, name, autoApproveEscalations } = of;
    const given = settings.kind === 'bridge' ? { ...settings, baseUrl: settings.baseUrl ?? '' } : { kind: settings.kind };
    const url = settings.kind === 'attach' ? settings.url : '';
    const argv = settings.kind === 'acp' ? settings.argv.join('\n') : '';
    this.draft.set({ ...NEW, ...given, url, argv, of, name, autoApproveEscalations });
  }

  protected set(changes: Partial<Draft>): void {
    this.draft.update((draft) => draft && { ...draft, ...changes });
  }

  protected toKind(value: string): HostKind {
    return HOST_KINDS.find((kind) => kind === value) ?? 'bridge';
  }

  protected seams(host: HostView): readonly { readonly name: string; readonly isThere: boolean }[] {
    return Object.entries(host.health?.seams ?? {}).map(([name, isThere]) => ({ name, isThere }));
  }

  protected where({ settings }: HostView): string {
    if (settings.kind === 'attach') return settings.url;
    return settings.kind === 'acp' ? settings.argv.join(' ') : `${settings.provider} / ${settings.model}`;
  }

  protected async save(): Promise<void> {
    const draft = this.draft();
    if (!draft || this.isBusy() || !this.isWhole()) return;
    const { name, key, autoApproveEscalations } = draft;
    const wish = { name: name.trim(), settings: toSettings(draft), autoApproveEscalations, ...(key !== '' && { key }) };
    await this.#busily(async () => {
      if (draft.of) await this.#api.patch(`hosts/${draft.of.id}`, wish);
      else await this.#api.post('hosts', wish);
      this.draft.set(undefined);
    });
  }

  protected async start({ id }: HostView): Promise<void> {
    await this.#busily(() => this.#api.post(`hosts/${id}/start`));
  }

  protected async stop({ id, name }: HostView): Promise<void> {
    const texts = { title: this.t('host_stop_title', { name }), text: this.t('host_stop_text'), act: this.t('host_stop_act', { name }) };
    if (await this.#askFirst.confirm({ ...texts, isDanger: true })) await this.#busily(() => this.#api.post(`hosts/${id}/stop`));
  }

  protected async restart({ id, name }: HostView): Promise<void> {
    const texts = {
      title: this.t('host_restart_title', { name }),
      text: this.t('host_stop_text'),
      act: this.t('host_restart_act', { name }),
    };
    if (await this.#askFirst.confirm({ ...texts, isDanger: true })) await this.#busily(() => this.#api.post(`hosts/${id}/restart`));
  }

  protected async test({ id, name }: HostView): Promise<void> {
    await this.#busily(async () => {
      const { tookMs } = await this.#api.post<{ readonly tookMs: number }>(`hosts/${id}/test`);
      this.#snack.open(this.t('host_tested', { name, ms: Math.round(tookMs) }), undefined, { duration: 6000 });
    });
  }

  protected async remove({ id, name }: HostView): Promise<void> {
    const texts = {
      title: this.t('host_remove_title', { name }),
      text: this.t('host_remove_text'),
      act: this.t('host_remove_act', { name }),
    };
    const isSure = await this.#askFirst.confirm({ ...texts, isDanger: true, typed: name });
    if (isSure) await this.#busily(() => this.#api.delete(`hosts/${id}`));
  }

  async #loadPackage(): Promise<void> {
    try {
      this.package.set((await this.#api.get<Snapshot<HostView> & { readonly package: HostPackage }>('hosts')).package);
    } catch {
      // the list says it
    }
  }

  async #busily(work: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await this.#proved.run(work);
      void this.list.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}

function toSettings({ kind, provider, model, baseUrl, url, argv, of }: Draft): HostSettings {
  if (kind === 'attach') return { kind, url: url.trim() };
  const env = of?.settings.kind === 'acp' ? of.settings.env : {};
  if (kind === 'acp') return { kind, argv: argv.split('\n').filter((word) => word !== ''), env };
  const given = { kind, provider: provider.trim(), model: model.trim() };
  return { ...given, ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }) } as HostSettings; // no address: the server puts null
}
