import { Component, computed, inject, input, output } from '@angular/core';
import type { ApiError } from '../core/api.js';
import { Words } from '../core/say.js';
import { messageOf } from '../core/messages.js';
import { Icon } from './icon.js';

/** What failed, with its code and what it means; Retry only where the same call may be sent again. */
@Component({
  selector: 'cs-failure',
  imports: [Icon],
  host: { role: 'alert' },
  template: `
    <div class="note danger">
      <cs-icon shape="fail" />
      <div class="grow">
        <p>
          <b>{{ message() }}</b>
        </p>
        <p class="meta q">
          <code>{{ failure().code }}</code>
          @if (failure().requestId; as id) {
            · {{ t('request_id', { id }) }}
          }
        </p>
      </div>
      @if (canRetry()) {
        <button class="btn sm" type="button" (click)="retry.emit()">{{ t('retry') }}</button>
      }
    </div>
  `,
})
export class Failure {
  readonly #words = inject(Words);
  readonly failure = input.required<ApiError>();
  /** True where the failed call only read. */
  readonly retryable = input(false);
  readonly retry = output();

  protected readonly t = this.#words.say;
  protected readonly message = computed(() => messageOf(this.failure(), this.#words.lang()));
  protected readonly canRetry = computed(() => this.retryable() && this.failure().mayRetry);
}
