import { Component, inject } from '@angular/core';
import { Words } from '../../core/say.js';
import { sealLines } from './seal-lines.js';

/** The seal: drawn only after this browser has verified the receipt. */
@Component({
  selector: 'cs-seal',
  template: `
    <svg viewBox="0 0 96 96" role="img" [attr.aria-label]="t('seal')">
      <g stroke-width=".7">
        @for (line of lines; track $index) {
          <path [attr.d]="line" />
        }
      </g>
      <circle cx="48" cy="48" r="45.5" stroke-width="1" />
      <circle cx="48" cy="48" r="20" stroke-width="1" />
      <path d="m39.5 47.5 6.2 6.2L57.5 40.5" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" />
      <path d="M39.5 59.5h17" stroke-width="1.6" stroke-linecap="round" />
    </svg>
  `,
  styles: `
    :host {
      display: block;
      color: var(--ink);
    }
    svg {
      width: 100%;
      height: 100%;
      display: block;
      fill: none;
      stroke: currentColor;
    }
  `,
})
export class Seal {
  protected readonly t = inject(Words).say;
  protected readonly lines = sealLines();
}
