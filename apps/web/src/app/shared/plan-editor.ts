import { ChangeDetectorRef, Component, type ElementRef, computed, inject, input, linkedSignal, output, viewChildren } from '@angular/core';
import type { Stage } from '#contracts';
import { Words } from '../core/say.js';
import { oneLine } from '../core/text/argv-text.js';
import { findings } from '../core/text/hidden.js';
import { Icon } from './icon.js';

/** What a new plan is made of: exact words where there is one stage, one line of text where there are more. */
export type PlannedText = { readonly argv: readonly string[] } | { readonly command: string };

/** Edits a command: word by word, so that nothing is split or joined by surprise, or as one line. */
@Component({
  selector: 'cs-plan-editor',
  imports: [Icon],
  template: `
    <div class="bar">
      <span class="seg" role="group" [attr.aria-label]="t('editor_form')">
        <button type="button" [attr.aria-pressed]="isWords()" [disabled]="!canBeWords()" (click)="isWords.set(true)">
          {{ t('editor_words') }}
        </button>
        <button type="button" [attr.aria-pressed]="!isWords()" (click)="toLine()">{{ t('editor_line') }}</button>
      </span>
      <span class="q meta">{{ t(isWords() ? 'editor_words_hint' : 'editor_line_hint') }}</span>
    </div>
    @if (isWords()) {
      <ol [attr.aria-label]="t('editor_words')">
        @for (word of words(); track $index) {
          <li>
            <span class="no" aria-hidden="true">{{ $index + 1 }}</span>
            <textarea
              #box
              class="in mono"
              rows="1"
              spellcheck="false"
              autocapitalize="none"
              [attr.aria-label]="t('word_n', { n: $index + 1 })"
              [value]="word"
              (input)="setWord($index, box.value)"
              (keydown.enter)="addAfter($index, $event)"
              (keydown.backspace)="backspace($index, $event)"
            ></textarea>
            <button class="btn bare sm" type="button" [attr.aria-label]="t('remove_word', { n: $index + 1 })" (click)="remove($index)">
              <cs-icon shape="cross" />
            </button>
          </li>
        }
      </ol>
      <button class="btn sm" type="button" (click)="addAfter(words().length - 1)"><cs-icon shape="plus" />{{ t('add_word') }}</button>
    } @else {
      <textarea
        #lineBox
        class="in mono"
        rows="4"
        spellcheck="false"
        autocapitalize="none"
        [attr.aria-label]="t('command_line')"
        [value]="line()"
        (input)="line.set(lineBox.value)"
        (keydown.control.enter)="send()"
        (keydown.meta.enter)="send()"
      ></textarea>
    }
    @if (hidden().length > 0) {
      <p class="note blocked"><cs-icon shape="hidden" />{{ t('hidden') }}: {{ hiddenNames() }}</p>
    }
    <div class="acts">
      <ng-content />
      <button class="btn pen" type="button" [class.big]="big()" [attr.aria-disabled]="busy() || isEmpty()" (click)="send()">
        {{ busy() ? t('sending') : label() }}
        @if (!isWords()) {
          <kbd>Ctrl ↵</kbd>
        }
      </button>
    </div>
  `,
  styles: `
    :host {
      display: grid;
      gap: 12px;
      min-width: 0;
    }
    ol {
      display: flex;
      flex-wrap: wrap;
      gap: 6px 10px;
      max-height: 40vh;
      overflow: auto;
      padding: 2px;
    }
    li {
      display: flex;
      align-items: center;
      gap: 4px;
      max-width: 100%;
    }
    .no {
      font: 500 11px/16px var(--mono);
      color: var(--text-3);
      min-width: 18px;
      text-align: right;
    }
    li textarea {
      field-sizing: content;
      min-width: 6ch;
      max-width: min(72ch, 66vw);
      resize: none;
      padding: 4px 8px;
      white-space: pre-wrap;
    }
    li .btn {
      padding: 0 6px;
    }
    .seg {
      display: inline-flex;
      border: 1px solid var(--edge);
      border-radius: var(--r-2);
      overflow: hidden;
    }
    .seg button {
      border: 0;
      background: transparent;
      font: 500 12px/18px var(--sans);
      padding: 4px 10px;
      color: var(--text-2);
      cursor: pointer;
    }
    .seg button + button {
      border-left: 1px solid var(--line);
    }
    .seg button[aria-pressed='true'] {
      background: var(--ink-soft);
      color: var(--text);
      font-weight: 600;
    }
    .seg button:disabled {
      color: var(--text-3);
      cursor: not-allowed;
    }
    .acts {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      justify-content: flex-end;
    }
  `,
})
export class PlanEditor {
  readonly #changes = inject(ChangeDetectorRef);
  private readonly boxesRefs = viewChildren<ElementRef<HTMLTextAreaElement>>('box');
  readonly stages = input<readonly Stage[]>([]);
  readonly label = input.required<string>();
  readonly busy = input(false);
  readonly big = input(false);
  readonly planned = output<PlannedText>();

  protected readonly t = inject(Words).say;
  protected readonly canBeWords = computed(() => this.stages().length <= 1 && (this.stages()[0]?.redirects.length ?? 0) === 0);
  protected readonly isWords = linkedSignal(() => this.stages().length === 1 && this.canBeWords());
  protected readonly words = linkedSignal<readonly string[]>(() => this.stages()[0]?.argv ?? ['']);
  protected readonly line = linkedSignal(() => oneLine(this.stages()));
  protected readonly hidden = computed(() => findings(this.isWords() ? this.words() : [this.line()]));
  protected readonly hiddenNames = computed(() =>
    this.hidden()
      .map((one) => `${one.code} ${one.name}`)
      .join(', '),
  );
  protected readonly isEmpty = computed(() => (this.isWords() ? (this.words()[0] ?? '') === '' : this.line().trim() === ''));

  protected setWord(index: number, text: string): void {
    this.words.update((words) => words.map((word, at) => (at === index ? text : word)));
  }

  protected addAfter(index: number, event?: Event): void {
    // A line end inside a word is made with Shift+Enter; Enter alone goes to the next word.
    if (event instanceof KeyboardEvent && event.shiftKey) return;
    event?.preventDefault();
    this.words.update((words) => [...words.slice(0, index + 1), '', ...words.slice(index + 1)]);
    this.#focus(index + 1);
  }

  protected backspace(index: number, event: Event): void {
    if (this.words()[index] !== '' || this.words().length === 1) return;
    event.preventDefault();
    this.remove(index);
    this.#focus(Math.max(0, index - 1));
  }

  protected remove(index: number): void {
    this.words.update((words) => (words.length === 1 ? [''] : words.filter((_, at) => at !== index)));
  }

  protected toLine(): void {
    if (this.isWords()) this.line.set(oneLine([{ join: 'first', argv: this.words(), redirects: [] }]));
    this.isWords.set(false);
  }

  protected send(): void {
    if (this.busy() || this.isEmpty()) return;
    this.planned.emit(this.isWords() ? { argv: this.words() } : { command: this.line().trim() });
  }

  #focus(index: number): void {
    // At once, so that the next key already goes to the new box.
    this.#changes.detectChanges();
    this.boxesRefs()[index]?.nativeElement.focus();
  }
}
