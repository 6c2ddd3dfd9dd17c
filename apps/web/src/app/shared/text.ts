import { Component, computed, input } from '@angular/core';
import { nameOf, pieces } from '../core/text/hidden.js';
import type { Piece } from '../core/text/hidden.js';

/** Foreign text as text: bidi-isolated, with a named box for everything that would hide. Never HTML, never a link. */
@Component({
  selector: 'cs-text',
  host: { class: 'iso' },
  template: `@for (piece of parts(); track $index) {
    @switch (piece.kind) {
      @case ('hidden') {
        <span class="esc" [title]="titleOf(piece)">{{ labelOf(piece) }}</span>
      }
      @case ('foreign') {
        <span class="esc letter" [title]="titleOf(piece)"
          >{{ piece.text }}<span class="name">{{ labelOf(piece) }}</span></span
        >
      }
      @default {
        <span>{{ piece.text }}</span>
      }
    }
  }`,
  styles: `
    .esc {
      background: var(--blocked-bg);
      color: var(--blocked-fg);
      border-radius: 2px;
      padding: 0 3px;
      font-weight: 600;
      font-family: var(--mono);
      font-size: 0.92em;
      white-space: nowrap;
    }
    .name {
      padding-left: 3px;
      font-size: 0.86em;
    }
    @media (forced-colors: active) {
      .esc {
        border: 1px solid CanvasText;
      }
    }
  `,
})
export class Text {
  readonly text = input.required<string>();
  protected readonly parts = computed(() => pieces(this.text()));

  protected labelOf(piece: Piece): string {
    return labelOf(piece);
  }

  protected titleOf(piece: Piece): string {
    return titleOf(piece);
  }
}

/** What stands in the box of a piece. */
export function labelOf(piece: Piece): string {
  if (piece.kind === 'hidden') return piece.times > 1 ? `${piece.code} ×${String(piece.times)}` : piece.code;
  return piece.kind === 'foreign' ? `${piece.script} ${piece.code}` : piece.text;
}

/** What the box is called. */
export function titleOf(piece: Piece): string {
  if (piece.kind === 'hidden') return nameOf(piece.code, piece.family);
  return piece.kind === 'foreign' ? `${piece.script} letter ${piece.code}` : '';
}
