import { Component, computed, inject, input } from '@angular/core';
import type { PolicyDiff } from '#contracts';
import { Words } from '../../core/say.js';
import { Text } from '../../shared/text.js';

/** Which rules came, went and changed, by name. */
@Component({
  selector: 'cs-rule-changes',
  imports: [Text],
  template: `
    @for (group of groups(); track group.word) {
      @if (group.names.length > 0) {
        <p class="fact" [class]="group.family">
          <b>{{ t(group.word) }}</b>
          @for (name of group.names; track $index) {
            <code class="chip"><cs-text [text]="name" /></code>
          }
        </p>
      }
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 4px;
    }
    p {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 8px;
      align-items: center;
    }
    b {
      color: var(--fg);
      font-weight: 600;
    }
    .chip {
      font-size: 12.5px;
      border: 1px solid var(--line);
      border-radius: var(--r-1);
      padding: 0 6px;
      overflow-wrap: anywhere;
    }
  `,
})
export class RuleChanges {
  readonly diff = input.required<Pick<PolicyDiff, 'added' | 'removed' | 'changed'>>();
  protected readonly t = inject(Words).say;
  protected readonly groups = computed(() => {
    const { added, removed, changed } = this.diff();
    return [
      { word: 'rules_added', family: 'ok', names: added },
      { word: 'rules_removed', family: 'danger', names: removed },
      { word: 'rules_changed', family: 'caution', names: changed },
    ] as const;
  });
}
