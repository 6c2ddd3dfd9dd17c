import { Component, computed, inject, input, linkedSignal, model, output } from '@angular/core';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { hiddenFields } from './hidden-fields.js';

/** Shows what a share-safe copy gives away and what it hides, before it is downloaded. */
@Component({
  selector: 'cs-share-preview',
  template: `
    <section class="sec" [attr.aria-label]="t('share_title')">
      <h3>{{ t('share_title') }}</h3>
      <p class="fact q">{{ t('share_text') }}</p>
      <h4>{{ t('share_hidden') }}</h4>
      <ul class="pick">
        @for (field of offered(); track field) {
          <li>
            <label>
              <input type="checkbox" [checked]="reveal().includes(field)" (change)="toggle(field)" />
              <span class="mono">{{ spelled(field) }}</span>
              @if (reveal().includes(field)) {
                <span class="caution">{{ t('share_reveal') }}</span>
              }
            </label>
          </li>
        } @empty {
          <li>{{ t('share_nothing_hidden') }}</li>
        }
      </ul>
      <h4>{{ t('share_shown') }}</h4>
      <dl class="kv">
        @for (row of fields().shown; track row.field) {
          <dt class="mono">{{ spelled(row.field) }}</dt>
          <dd class="iso">{{ spelled(row.value) }}</dd>
        }
      </dl>
      <div class="acts">
        <button class="btn" type="button" (click)="closed.emit()">{{ t('close') }}</button>
        <button class="btn pen" type="button" (click)="saved.emit()">{{ t('share_act') }}</button>
      </div>
    </section>
  `,
  styles: `
    section {
      border: 1px solid var(--line);
      border-radius: var(--r-2);
      background: var(--raised);
      padding: 14px 16px;
      display: grid;
      gap: 8px;
    }
    h4 {
      font: 500 12px/16px var(--sans);
      color: var(--text-3);
      padding-top: 4px;
    }
    .pick {
      display: grid;
    }
    label {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 8px;
      align-items: center;
      min-height: 26px;
      overflow-wrap: anywhere;
    }
    ul,
    .kv {
      font-size: 12px;
      line-height: 18px;
      max-height: 180px;
      overflow: auto;
    }
    .kv dt {
      font-size: 11.5px;
    }
    .acts {
      display: grid;
      grid-template-columns: 1fr 1fr;
      gap: 8px;
      padding-top: 6px;
    }
  `,
})
export class SharePreview {
  readonly text = input.required<string>();
  /** The whole receipt, to tell what the copy leaves out. */
  readonly whole = input.required<string>();
  /** Fields that stay readable all the same, as JSON Pointers. */
  readonly reveal = model.required<readonly string[]>();
  readonly saved = output();
  readonly closed = output();
  protected readonly t = inject(Words).say;
  protected readonly spelled = spelled;
  protected readonly fields = computed(() => hiddenFields(JSON.parse(this.text()), JSON.parse(this.whole())));
  /** Every field that was ever hidden here, so that a choice can be taken back. */
  protected readonly offered = linkedSignal<readonly string[], readonly string[]>({
    source: () => this.fields().hidden,
    computation: (hidden, before) => [...new Set([...(before?.value ?? []), ...hidden])].sort(),
  });

  protected toggle(field: string): void {
    this.reveal.update((chosen) => (chosen.includes(field) ? chosen.filter((one) => one !== field) : [...chosen, field]));
  }
}
