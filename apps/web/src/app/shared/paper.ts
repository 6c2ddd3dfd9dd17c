import { Component, inject, input } from '@angular/core';
import { Words } from '../core/say.js';
import { Icon } from './icon.js';

/** One sheet on the ground: the pages outside the shell. */
@Component({
  selector: 'cs-paper',
  imports: [Icon],
  template: `
    <main id="main" tabindex="-1">
      <div class="brand"><cs-icon shape="brand" /><span>Countersign</span></div>
      <article [class.broad]="broad()">
        <ng-content />
      </article>
      <p class="q meta foot">{{ t('paper_foot') }}</p>
    </main>
  `,
  styles: `
    :host {
      display: block;
      min-height: 100dvh;
      background: var(--canvas);
    }
    main {
      display: grid;
      justify-items: center;
      align-content: start;
      gap: 18px;
      padding: clamp(24px, 9vh, 96px) 16px 32px;
    }
    main:focus-visible {
      outline: none;
    }
    .brand {
      display: flex;
      align-items: center;
      gap: 10px;
      font: 650 18px/24px var(--sans);
      letter-spacing: -0.015em;
    }
    .brand cs-icon {
      width: 26px;
      height: 26px;
      color: var(--ink);
    }
    article {
      width: min(440px, 100%);
      background: var(--raised);
      border: 1px solid var(--line);
      padding: 30px 32px 28px;
      position: relative;
      display: grid;
      gap: 18px;
    }
    article.broad {
      width: min(764px, 100%);
    }
    article::before {
      content: '';
      position: absolute;
      left: 32px;
      right: 32px;
      top: 0;
      height: 4px;
      background: linear-gradient(var(--ink) 0 2px, transparent 2px 3px, var(--ink) 3px 4px);
    }
    @media (max-width: 767px) {
      main {
        padding: 20px 0 24px;
      }
      .foot {
        padding-inline: 16px;
      }
      article {
        border-width: 1px 0;
        padding: 26px 16px 22px;
      }
      article::before {
        left: 16px;
        right: 16px;
      }
    }
  `,
})
export class Paper {
  readonly broad = input(false);
  protected readonly t = inject(Words).say;
}
