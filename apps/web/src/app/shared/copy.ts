import { Clipboard } from '@angular/cdk/clipboard';
import { Component, DestroyRef, inject, input, signal } from '@angular/core';
import { Announcer } from '../core/announcer.js';
import { Words } from '../core/say.js';
import { Icon } from './icon.js';

/** Copies a text and says so in place. `link` stands in a line of text, `button` beside a block. */
@Component({
  selector: 'cs-copy',
  imports: [Icon],
  template: `
    @if (look() === 'link') {
      <button class="link" type="button" (click)="copy()">{{ isCopied() ? t('copied') : t(word()) }}</button>
    } @else {
      <button class="btn sm" type="button" (click)="copy()">
        <cs-icon [shape]="isCopied() ? 'check' : 'copy'" />{{ isCopied() ? t('copied') : t(word()) }}
      </button>
    }
  `,
})
export class Copy {
  readonly #clipboard = inject(Clipboard);
  readonly #announcer = inject(Announcer);
  readonly text = input.required<string>();
  readonly look = input<'link' | 'button'>('button');
  readonly word = input<'copy' | 'copy_all' | 'copy_escaped'>('copy');

  protected readonly t = inject(Words).say;
  protected readonly isCopied = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
    });
  }

  copy(): void {
    if (!this.#clipboard.copy(this.text())) return;
    this.isCopied.set(true);
    this.#announcer.say(this.t('copied'));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isCopied.set(false);
    }, 2000);
  }
}
