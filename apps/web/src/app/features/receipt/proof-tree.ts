import { Component, computed, effect, inject, input, signal } from '@angular/core';
import type { ReceiptFile } from '#contracts';
import { Words } from '../../core/say.js';
import { numberText } from '../../core/time-text.js';
import { parentOf, rootOf } from './tree-hashes.js';
import { shortDigest } from '../../shared/digest.js';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
  readonly isOn: boolean;
}

interface Edge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly isOn: boolean;
  readonly isLong: boolean;
}

/** The way from this receipt's leaf to the root of the checkpoint, with the levels between left out. */
@Component({
  selector: 'cs-proof-tree',
  template: `
    <svg viewBox="0 0 312 150" role="img" [attr.aria-label]="t('proof_label', { leaf: leafNumber(), n: siblings() })">
      @for (edge of edges(); track $index) {
        <line
          [attr.x1]="edge.x1"
          [attr.y1]="edge.y1"
          [attr.x2]="edge.x2"
          [attr.y2]="edge.y2"
          [class.on]="edge.isOn"
          [attr.stroke-dasharray]="edge.isLong ? '3 4' : null"
        />
      }
      @for (box of boxes(); track $index) {
        <rect [attr.x]="box.x - box.width / 2" [attr.y]="box.y" [attr.width]="box.width" height="19" rx="3" [class.on]="box.isOn" />
        <text [attr.x]="box.x" [attr.y]="box.y + 13.5" text-anchor="middle">{{ box.text }}</text>
      }
      @if (siblings() > 2) {
        <text class="plain" x="126" y="46" text-anchor="end">{{ t('levels', { n: siblings() - 1 }) }}</text>
      }
      <text class="plain" [attr.x]="leafX()" y="147" text-anchor="middle">{{ t('this_receipt') }}</text>
    </svg>
  `,
  styles: `
    svg {
      width: 100%;
      height: auto;
      display: block;
    }
    text {
      font: 500 11px var(--mono);
      fill: var(--text-2);
    }
    .plain {
      font-family: var(--sans);
    }
    line,
    rect {
      stroke: var(--edge);
      fill: none;
    }
    .on {
      stroke: var(--ink);
      stroke-width: 1.75;
    }
    rect.on {
      fill: var(--ink-soft);
    }
  `,
})
export class ProofTree {
  readonly #words = inject(Words);
  readonly ledger = input.required<ReceiptFile['proof']['ledger']>();
  protected readonly t = this.#words.say;
  protected readonly siblings = computed(() => this.ledger().inclusion?.hashes.length ?? 0);
  protected readonly leafNumber = computed(() => numberText(this.ledger().index, this.#words.lang()));
  readonly #isRight = computed(() => this.ledger().index % 2 === 1);
  protected readonly leafX = computed(() => (this.siblings() === 0 ? 156 : this.#isRight() ? 184 : 64));

  protected readonly boxes = computed<readonly Box[]>(() => {
    const hashes = this.ledger().inclusion?.hashes ?? [];
    const leaf = { y: 112, width: 96, text: this.t('leaf_n', { n: this.leafNumber() }), isOn: true };
    const root = {
      x: 156,
      y: 3,
      width: 132,
      text: this.t('root_is', { digest: shortDigest(rootOf(this.ledger().checkpoint) ?? '') }),
      isOn: true,
    };
    const [first, last] = [hashes[0], hashes.at(-1)];
    if (first === undefined || last === undefined) return [root, { ...leaf, x: 156 }];
    const sibling = { x: this.#isRight() ? 64 : 184, y: 112, width: 84, text: shortDigest(first), isOn: false };
    const above = hashes.length > 1 ? [{ x: 236, y: 66, width: 84, text: shortDigest(last), isOn: false }] : [];
    return [
      root,
      { x: 124, y: 66, width: 84, text: shortDigest(this.#parent() ?? ''), isOn: true },
      ...above,
      sibling,
      { ...leaf, x: this.leafX() },
    ];
  });

  readonly #parent = signal<string | null>(null);

  constructor() {
    effect(() => {
      const { leafHash, inclusion } = this.ledger();
      void parentOf(leafHash, inclusion?.hashes[0] ?? '', this.#isRight()).then((parent) => {
        this.#parent.set(parent);
      });
    });
  }

  protected readonly edges = computed<readonly Edge[]>(() => {
    const count = this.siblings();
    if (count === 0) return [{ x1: 156, y1: 22, x2: 156, y2: 112, isOn: true, isLong: false }];
    const above = count > 1 ? [{ x1: 156, y1: 22, x2: 236, y2: 66, isOn: false, isLong: false }] : [];
    return [
      { x1: 156, y1: 22, x2: 124, y2: 66, isOn: true, isLong: count > 2 },
      ...above,
      { x1: 124, y1: 84, x2: this.#isRight() ? 64 : 184, y2: 112, isOn: false, isLong: false },
      { x1: 124, y1: 84, x2: this.leafX(), y2: 112, isOn: true, isLong: false },
    ];
  });
}
