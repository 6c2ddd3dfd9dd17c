import { Component, computed, input } from '@angular/core';
import { executables } from '../core/text/argv-text.js';
import { pieces, spelled } from '../core/text/hidden.js';
import type { Piece } from '../core/text/hidden.js';
import { labelOf, titleOf } from './text.js';

interface Chip {
  readonly kind: 'exe' | 'opt' | 'word';
  readonly pieces: readonly Piece[];
  readonly was: string | null | undefined;
}

/** A command as its words: one chip each, wrapped and never cut, with everything invisible drawn. */
@Component({
  selector: 'cs-argv',
  template: `
    @for (chip of chips(); track $index) {
      <span
        class="a"
        role="listitem"
        [class.exe]="chip.kind === 'exe'"
        [class.opt]="chip.kind === 'opt'"
        [class.new]="chip.was !== undefined"
      >
        @for (piece of chip.pieces; track $index) {
          @switch (piece.kind) {
            @case ('space') {
              <span class="ws">␣</span>
            }
            @case ('tab') {
              <span class="ws">→</span>
            }
            @case ('newline') {
              <span class="ws">⏎</span><br />
            }
            @case ('hidden') {
              <span class="esc" [title]="titleOf(piece)">{{ labelOf(piece) }}</span>
            }
            @case ('foreign') {
              <span class="esc" [title]="titleOf(piece)">{{ piece.text }} {{ labelOf(piece) }}</span>
            }
            @default {
              <span>{{ piece.text }}</span>
            }
          }
        } @empty {
          <span class="ws">&quot;&quot;</span>
        }
      </span>
      @if (chip.was !== undefined && chip.was !== null) {
        <span class="was"
          >was <s class="iso">{{ spelled(chip.was) }}</s></span
        >
      }
    }
    <ng-content />
  `,
  host: { role: 'list' },
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: 4px;
      align-items: baseline;
      min-width: 0;
    }
    .a {
      display: inline-block;
      max-width: 100%;
      overflow: clip;
      unicode-bidi: isolate;
      font: 400 13px/20px var(--mono);
      font-variant-ligatures: none;
      font-feature-settings:
        'liga' 0,
        'calt' 0,
        'zero';
      padding: 2px 6px;
      border: 1px solid var(--line);
      border-radius: var(--r-1);
      background: var(--surface);
      color: var(--text);
      overflow-wrap: anywhere;
      white-space: pre-wrap;
    }
    .exe {
      background: var(--ink-soft);
      border-color: transparent;
      font-weight: 600;
    }
    .opt {
      border-color: transparent;
      background: transparent;
      color: var(--text-2);
      padding-inline: 3px;
    }
    .new {
      border-color: var(--caution-fg);
      background: var(--caution-bg);
      font-weight: 600;
    }
    .was {
      font: 400 12px/16px var(--sans);
      color: var(--caution-fg);
      align-self: center;
      overflow-wrap: anywhere;
    }
    .was s {
      font-family: var(--mono);
    }
    .ws {
      color: var(--text-3);
    }
    .esc {
      background: var(--blocked-bg);
      color: var(--blocked-fg);
      border-radius: 2px;
      padding: 0 3px;
      font-weight: 600;
      font-size: 0.92em;
    }
    @media (forced-colors: active), print {
      .a,
      .esc {
        border: 1px solid CanvasText;
      }
    }
  `,
})
export class Argv {
  readonly argv = input.required<readonly string[]>();
  /** Commands inside this one, as the analysis found them. */
  readonly wrapped = input<readonly (readonly string[])[]>([]);
  /** Changed words by position, with what stood there before; null when nothing did. */
  readonly changes = input<ReadonlyMap<number, string | null>>(new Map());

  protected readonly spelled = spelled;
  protected readonly labelOf = labelOf;
  protected readonly titleOf = titleOf;
  protected readonly chips = computed<readonly Chip[]>(() => {
    const starts = executables(this.argv(), this.wrapped());
    return this.argv().map((word, index) => ({
      kind: starts.has(index) ? 'exe' : word.startsWith('-') ? 'opt' : 'word',
      pieces: pieces(word),
      was: this.changes().get(index),
    }));
  });
}
