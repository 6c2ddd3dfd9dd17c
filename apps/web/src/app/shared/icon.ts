import { Component, computed, input } from '@angular/core';
import { SHAPES } from './shapes.js';
import type { Shape, ShapePart } from './shapes.js';

/** Draws one shape in the colour of its text. Never the only carrier of a meaning: a word stands beside it. */
@Component({
  selector: 'cs-icon',
  template: `
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      @for (part of parts(); track $index) {
        <path
          [attr.d]="part.d"
          [class]="part.as ?? 'line'"
          [attr.stroke-width]="part.width ?? null"
          [attr.stroke-dasharray]="part.dash ?? null"
        />
      }
    </svg>
  `,
  styles: `
    :host {
      display: inline-block;
      flex: none;
      width: 16px;
      height: 16px;
      vertical-align: -3px;
      line-height: 0;
    }
    svg {
      width: 100%;
      height: 100%;
      display: block;
      fill: none;
      stroke: currentColor;
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
      overflow: visible;
    }
    .fill {
      fill: currentColor;
      stroke: none;
    }
    .knock {
      stroke: var(--knock, var(--surface));
    }
  `,
})
export class Icon {
  readonly shape = input.required<Shape>();
  protected readonly parts = computed<readonly ShapePart[]>(() => SHAPES[this.shape()]);
}
