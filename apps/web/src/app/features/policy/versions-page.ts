import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import type { PolicyVersion, PolicyVersionInfo, ReplayResult } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { lineDiff } from '../../core/text/line-diff.js';
import { Copy } from '../../shared/copy.js';
import { Diff } from '../../shared/diff.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { DraftStore } from './draft.store.js';
import { Paged } from './paged.js';
import { PolicyStore } from './policy.store.js';
import { ReplaySummary } from './replay-summary.js';
import { ReplayTable } from './replay-table.js';
import { RuleChanges } from './rule-changes.js';
import { YamlText } from './yaml-text.js';

const RESTORE_DAYS = 7;

/** Every version with who saved it and why; one of them against another; and the way back to it. */
@Component({
  selector: 'cs-versions-page',
  imports: [
    Copy,
    Diff,
    Empty,
    Failure,
    Icon,
    MatFormField,
    MatInput,
    MatLabel,
    ReplaySummary,
    ReplayTable,
    RouterLink,
    RuleChanges,
    Skeleton,
    Text,
    Time,
    YamlText,
  ],
  templateUrl: './versions-page.html',
  styleUrl: './versions-page.css',
})
export class VersionsPage {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #draft = inject(DraftStore);
  readonly #toast = inject(MatSnackBar);
  readonly #params = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  readonly #known = signal<ReadonlyMap<number, PolicyVersion>>(new Map());

  protected readonly store = inject(PolicyStore);
  protected readonly me = inject(Me);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly list = new Paged<PolicyVersionInfo>('policy/versions', (event) => event.type === 'policy.changed');
  protected readonly chosen = computed(() => numberOf(this.#params().get('version')) ?? this.list.items()?.[0]?.version);
  protected readonly against = computed(() => numberOf(this.#params().get('against')));
  protected readonly version = computed(() => this.#known().get(this.chosen() ?? 0));
  protected readonly againstName = computed(() => {
    const against = this.against() ?? (this.chosen() ?? 1) - 1;
    return against === 0 ? this.t('nothing_before') : this.t('version_n', { n: against });
  });
  /** Against the version before, the server's own difference; against any other, drawn here. */
  protected readonly difference = computed(() => {
    const one = this.version();
    const against = this.against();
    if (one === undefined || against === undefined) return one?.diff.lines;
    const other = this.#known().get(against);
    return other === undefined ? undefined : lineDiff(other.yaml, one.yaml);
  });
  protected readonly isRestoring = signal(false);
  protected readonly isBusy = signal(false);
  protected readonly replay = signal<ReplayResult | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('tab_versions'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
    void this.list.load();
    effect(() => {
      for (const wanted of [this.chosen(), this.against()]) {
        if (wanted !== undefined && wanted > 0) untracked(() => void this.#fetch(wanted));
      }
    });
    effect(() => {
      this.chosen();
      this.isRestoring.set(false);
      this.failure.set(undefined);
    });
  }

  protected compare(version: string): void {
    void this.#router.navigate([], {
      queryParams: { version: this.chosen(), against: version === '' ? null : version },
      replaceUrl: true,
    });
  }

  protected async startRestore(one: PolicyVersion): Promise<void> {
    this.isRestoring.set(!this.isRestoring());
    if (!this.isRestoring()) return;
    this.replay.set(undefined);
    this.failure.set(undefined);
    try {
      this.replay.set(await this.#api.post<ReplayResult>('policy/replay', { yaml: one.yaml, days: RESTORE_DAYS }));
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }

  protected async restore(one: PolicyVersion, note: string): Promise<void> {
    if (this.isBusy() || this.replay() === undefined || note.trim() === '') return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const body = { previous: this.store.inForce()?.version ?? 0, note: note.trim() };
      const saved = await this.#api.post<PolicyVersion>(`policy/versions/${String(one.version)}/restore`, body);
      await this.store.load();
      this.#toast.open(this.t('saved_version', { n: saved.version }), undefined, { duration: 4_000 });
      await this.#router.navigate([], { queryParams: { version: saved.version } });
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  protected edit(one: PolicyVersion): void {
    this.#draft.use(one.yaml);
    void this.#router.navigate(['/policy/edit'], { queryParams: { side: 'difference' } });
  }

  async #fetch(version: number): Promise<void> {
    if (this.#known().has(version)) return;
    try {
      const one = await this.#api.get<PolicyVersion>(`policy/versions/${String(version)}`);
      this.#known.update((known) => new Map(known).set(version, one));
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
