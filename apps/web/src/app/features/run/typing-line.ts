import { Component, type ElementRef, inject, input, output, signal, viewChild } from '@angular/core';
import { Words } from '../../core/say.js';

/** As much as one message to a run may hold. */
const LONGEST = 4_000;
/** What a terminal sends for these keys; in a page they belong to the browser. */
const KEYS = [
  { name: 'Ctrl C', text: '\u0003', word: 'key_interrupts' },
  { name: 'Ctrl D', text: '\u0004', word: 'key_ends_input' },
] as const;

/** One line for a program that waits for somebody. It leaves as a whole and on purpose; Tab and Esc leave the field as everywhere. */
@Component({
  selector: 'cs-typing-line',
  template: `
    <form class="typing" (submit)="send($event)">
      <label for="typed">{{ t('type_into_run') }}</label>
      <input
        #line
        class="in mono grow"
        id="typed"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="typed-note"
        [type]="isHidden() ? 'password' : 'text'"
        [maxLength]="longest"
        (keydown.escape)="leave($event)"
      />
      <button class="btn sm" type="submit" [disabled]="busy()">{{ t('send_line') }}</button>
      @for (key of keys; track key.name) {
        <button class="btn bare sm" type="button" [disabled]="busy()" [attr.aria-label]="t(key.word)" (click)="told.emit(key.text)">
          <kbd>{{ key.name }}</kbd>
        </button>
      }
      <label class="hide"
        ><input type="checkbox" [checked]="isHidden()" (change)="isHidden.set(!isHidden())" /> {{ t('hide_typed') }}</label
      >
      <p class="q note" id="typed-note">{{ t('typed_note') }}</p>
    </form>
  `,
  styles: `
    .typing {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 6px 10px;
      padding: 8px 16px 8px 28px;
      border-top: 1px solid var(--line);
      background: var(--surface);
      font-size: 13px;
    }
    .in {
      min-width: 140px;
    }
    .hide {
      display: inline-flex;
      align-items: center;
      gap: 6px;
    }
    .note {
      flex-basis: 100%;
      margin: 0;
      font-size: 12px;
    }
    @media (max-width: 767px) {
      .typing {
        padding-left: 16px;
      }
    }
  `,
})
export class TypingLine {
  private readonly lineRef = viewChild.required<ElementRef<HTMLInputElement>>('line');
  readonly busy = input(false);
  /** Text as the terminal takes it. */
  readonly told = output<string>();
  /** The person is done typing. */
  readonly left = output();

  protected readonly t = inject(Words).say;
  protected readonly keys = KEYS;
  protected readonly longest = LONGEST;
  protected readonly isHidden = signal(false);

  /** Once the server has taken it; what was refused stays to be sent again. */
  clear(): void {
    this.lineRef().nativeElement.value = '';
  }

  protected send(event: Event): void {
    event.preventDefault();
    if (!this.busy()) this.told.emit(`${this.lineRef().nativeElement.value}\r`);
  }

  protected leave(event: Event): void {
    event.preventDefault(); // else Esc would leave the page as well
    this.left.emit();
  }
}
