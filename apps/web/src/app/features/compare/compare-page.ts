import { Component, computed, effect, inject, input, resource } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { Page, ReceiptFile, ReceiptSummary } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { numberText } from '../../core/time-text.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { differences } from './differences.js';

const OFFERED = 50;

/** Two receipts beside each other: only what differs. Both stand in the address. */
@Component({
  selector: 'cs-compare-page',
  imports: [Empty, Failure, Mark, RouterLink, Skeleton, Text, Time],
  templateUrl: './compare-page.html',
  styleUrl: './compare-page.css',
})
export class ComparePage {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #words = inject(Words);
  /** Ids, from the address. */
  readonly one = input<string>();
  readonly two = input<string>();
  protected readonly t = this.#words.say;
  protected readonly spelled = spelled;
  protected readonly first = this.#receipt(this.one);
  protected readonly second = this.#receipt(this.two);
  /** Receipts like the first, newest first. */
  protected readonly offered = resource({
    params: () => this.first.value()?.evidence.kind,
    loader: async ({ params }) =>
      (await this.#api.get<Page<ReceiptSummary>>(`receipts${queryOf({ kind: params, limit: OFFERED })}`)).items.filter(
        ({ id }) => id !== this.one(),
      ),
  });
  protected readonly pair = computed(() => {
    const [one, two] = [this.first, this.second].map((each) => (each.hasValue() ? each.value() : undefined));
    return one && two ? { one, two, rows: differences(one, two) } : undefined;
  });
  protected readonly failed = computed(() => {
    const error = this.first.error() ?? this.second.error();
    return error === undefined ? undefined : ApiError.of(error.cause ?? error);
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('compare_title'), path: [{ text: this.t('receipts'), link: '/receipts' }] }));
    effect(() => {
      if (this.one() === undefined) void this.#router.navigateByUrl('/receipts', { replaceUrl: true });
    });
  }

  protected nameOf({ proof }: ReceiptFile): string {
    return this.t('receipt_n', { n: numberText(proof.ledger.index, this.#words.lang()) });
  }

  protected atOf({ evidence }: ReceiptFile): number {
    return Date.parse(evidence.at);
  }

  protected outcomeOf({ evidence }: ReceiptFile): string {
    return evidence.outcome ?? 'recorded';
  }

  protected offer({ index, command, summary }: ReceiptSummary): string {
    return `${numberText(index, this.#words.lang())} · ${spelled(command || summary).slice(0, 80)}`;
  }

  protected choose(two: string): void {
    void this.#router.navigate([], { queryParams: { two: two || null }, queryParamsHandling: 'merge', replaceUrl: true });
  }

  #receipt(id: () => string | undefined) {
    return resource({ params: () => id(), loader: ({ params }) => this.#api.get<ReceiptFile>(`receipts/${params}`) });
  }
}
