import { Component, computed, inject, input } from '@angular/core';
import { Now } from '../core/now.js';
import { Words } from '../core/say.js';
import { fullMoment, momentText } from '../core/time-text.js';

/** A moment: the clock today, the day before that, everything in the title. */
@Component({
  selector: 'cs-time',
  template: `<time class="num" [attr.datetime]="iso()" [title]="whole()">{{ text() }}</time>`,
})
export class Time {
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly at = input.required<number>();
  protected readonly iso = computed(() => new Date(this.at()).toISOString());
  protected readonly whole = computed(() => fullMoment(this.at(), this.#words.lang()));
  protected readonly text = computed(() => momentText(this.at(), this.#now.ms(), this.#words.lang()));
}
