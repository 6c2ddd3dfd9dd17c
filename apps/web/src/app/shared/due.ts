import { Component, computed, inject, input } from '@angular/core';
import { Now } from '../core/now.js';
import { Words } from '../core/say.js';
import { durationText } from '../core/time-text.js';

/** When a decision is due, or for how long it has been late. The ask itself still waits. */
@Component({
  selector: 'cs-due',
  host: { '[class.late]': 'lateMs() >= 0', '[hidden]': "text() === ''" },
  template: `{{ text() }}`,
  styles: `
    :host {
      color: var(--text-2);
      white-space: nowrap;
    }
    :host(.late) {
      color: var(--caution-fg);
      font-weight: 600;
    }
  `,
})
export class Due {
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly at = input.required<number>();
  /** In a row: one word, and only once it is late. */
  readonly short = input(false);

  protected readonly lateMs = computed(() => this.#now.ms() - this.at());
  protected readonly text = computed(() => {
    const { say, lang } = this.#words;
    const late = this.lateMs();
    if (this.short()) return late >= 0 ? say('late') : '';
    return say(late >= 0 ? 'late_by' : 'due_in', { time: durationText(Math.abs(late), lang()) });
  });
}
