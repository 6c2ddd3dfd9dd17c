import { Component, inject, input } from '@angular/core';
import { Words } from '../core/say.js';
import { Icon } from './icon.js';
import type { RailStep } from './rail-of.js';
import { Text } from './text.js';

/** The life of one action: Planned, Policy, Countersigned, Running, Receipt. */
@Component({
  selector: 'cs-rail',
  imports: [Icon, Text],
  template: `
    <ol [attr.aria-label]="t('rail')">
      @for (step of steps(); track $index) {
        <li [class]="step.family + ' ' + step.state" [attr.aria-current]="step.state === 'now' ? 'step' : null">
          <cs-icon [shape]="step.shape" />
          <b>{{ t(step.word) }}</b>
          <span class="num"><cs-text [text]="step.note" /></span>
        </li>
      }
    </ol>
  `,
  styles: `
    ol {
      display: flex;
      align-items: flex-start;
    }
    li {
      flex: 1 1 0;
      position: relative;
      padding: 18px 12px 0 0;
      min-width: 0;
    }
    li::before {
      content: '';
      position: absolute;
      left: 0;
      right: 0;
      top: 7px;
      height: 1px;
      background: var(--edge);
    }
    li.todo::before,
    li.now::before {
      background: repeating-linear-gradient(90deg, var(--edge) 0 3px, transparent 3px 7px);
    }
    li:last-child {
      flex: 0 0 auto;
    }
    li:last-child::before {
      display: none;
    }
    cs-icon {
      position: absolute;
      left: 0;
      top: 0;
      width: 15px;
      height: 15px;
      background: var(--surface);
      box-shadow: 0 0 0 3px var(--surface);
      color: var(--fg, var(--text-2));
    }
    b {
      display: block;
      font-weight: 600;
      font-size: 13px;
      line-height: 18px;
    }
    .num {
      display: block;
      white-space: normal;
      font-size: 12px;
      line-height: 16px;
      color: var(--text-3);
      overflow-wrap: anywhere;
    }
    .todo b {
      color: var(--text-3);
      font-weight: 500;
    }
    .todo cs-icon {
      color: var(--text-3);
    }
    .now b {
      color: var(--fg);
    }
    @media (max-width: 767px) {
      li {
        padding-right: 0;
      }
      .num {
        display: none;
      }
      b {
        font-size: 12px;
      }
      li:not(.now) b {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
      li.now {
        flex: 3 0 0;
      }
      li:last-child {
        flex: 0 0 15px;
        height: 36px;
      }
      li.now:last-child {
        flex: 0 0 auto;
      }
      .now b {
        white-space: nowrap;
      }
    }
  `,
})
export class Rail {
  readonly steps = input.required<readonly RailStep[]>();
  protected readonly t = inject(Words).say;
}
