import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Router, RouterLink } from '@angular/router';
import { PROPOSAL_STATUSES } from '#contracts';
import type { PolicyProposal, ProposalId, ProposalStatus, ReplayResult } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Now } from '../../core/now.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { momentText } from '../../core/time-text.js';
import type { WordKey } from '../../core/words.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Said } from '../../shared/said.js';
import { shortId } from '../../shared/short-id.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Time } from '../../shared/time.js';
import { DraftStore } from './draft.store.js';
import { Paged } from './paged.js';
import { PolicyStore } from './policy.store.js';
import { ReplaySummary } from './replay-summary.js';
import { ReplayTable } from './replay-table.js';
import { withRules } from './with-rules.js';
import { YamlText } from './yaml-text.js';

const STATUS_WORDS: Readonly<Record<ProposalStatus, WordKey>> = {
  open: 'proposal_open',
  accepted: 'proposal_accepted',
  dismissed: 'proposal_dismissed',
};
const DAYS = 7;

interface Acting {
  readonly id: ProposalId;
  readonly kind: 'accept' | 'dismiss';
}

/** Rules that somebody without the right would like: shown whole, replayed before they are accepted. */
@Component({
  selector: 'cs-proposals-page',
  imports: [Empty, Failure, Mark, MatFormField, MatInput, MatLabel, ReplaySummary, ReplayTable, RouterLink, Said, Skeleton, Time, YamlText],
  templateUrl: './proposals-page.html',
  styleUrl: './proposals-page.css',
})
export class ProposalsPage {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #draft = inject(DraftStore);
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  /** From the address; nothing means open. */
  readonly status = input<string | undefined>();
  protected readonly store = inject(PolicyStore);
  protected readonly me = inject(Me);
  protected readonly t = this.#words.say;
  protected readonly short = shortId;
  protected readonly statuses = PROPOSAL_STATUSES;
  protected readonly statusWords = STATUS_WORDS;
  protected readonly acting = signal<Acting | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly replay = signal<ReplayResult | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly list = new Paged<PolicyProposal>('policy/proposals', (event) => event.type === 'proposal.changed');

  constructor() {
    inject(Place).at(() => ({ title: this.t('tab_proposals'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
    effect(() => {
      const status = this.status();
      const wanted = status === 'any' ? undefined : (PROPOSAL_STATUSES.find((one) => one === status) ?? 'open');
      untracked(() => void this.list.load(wanted === undefined ? {} : { status: wanted }));
    });
  }

  protected choose(status: string): void {
    void this.#router.navigate([], { queryParams: { status: status === 'open' ? null : status }, replaceUrl: true });
  }

  protected closedText(one: PolicyProposal): string {
    const time = momentText(one.closedAt ?? one.at, this.#now.ms(), this.#words.lang());
    return this.t('closed_by_who', { what: this.t(STATUS_WORDS[one.status]), who: one.closedByName ?? '', time });
  }

  protected async begin(one: PolicyProposal, kind: Acting['kind']): Promise<void> {
    this.acting.set({ id: one.id, kind });
    this.replay.set(undefined);
    this.failure.set(undefined);
    if (kind !== 'accept') return;
    await this.#try(async () => {
      const yaml = withRules(this.store.inForce()?.yaml ?? '', one.rules);
      this.replay.set(await this.#api.post<ReplayResult>('policy/replay', { yaml, days: DAYS }));
    });
  }

  protected async act(one: PolicyProposal, note: string): Promise<void> {
    const kind = this.acting()?.kind;
    if (this.isBusy() || kind === undefined || (kind === 'accept' && (this.replay() === undefined || note.trim() === ''))) return;
    this.isBusy.set(true);
    const body =
      kind === 'accept'
        ? { previous: this.store.inForce()?.version ?? 0, note: note.trim() }
        : { ...(note.trim() === '' ? {} : { reason: note.trim() }) };
    const isDone = await this.#try(() => this.#api.post(`policy/proposals/${one.id}/${kind}`, body));
    this.isBusy.set(false);
    if (!isDone) return;
    this.acting.set(undefined);
    await this.list.load();
  }

  protected edit(one: PolicyProposal): void {
    this.#draft.use(withRules(this.store.inForce()?.yaml ?? '', one.rules));
    void this.#router.navigate(['/policy/edit'], { queryParams: { side: 'difference' } });
  }

  async #try(work: () => Promise<unknown>): Promise<boolean> {
    this.failure.set(undefined);
    try {
      await work();
      return true;
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
      return false;
    }
  }
}
