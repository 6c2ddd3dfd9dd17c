import { DestroyRef, Service, inject, signal } from '@angular/core';
import { Settings } from './settings.js';
import type { WordKey } from './words.js';

/** One single-letter key of a page. `letter` is what stands in the help; `Shift+A` is written so. */
export interface Binding {
  readonly letter: string;
  readonly word: WordKey;
  readonly act: () => void;
  /** Works while somebody types too; only Escape does. */
  readonly inFields?: boolean;
}

const GO_MS = 1_500;

/** Owner of the keyboard: pages add their keys while they are on screen. Single keys sleep in fields and dialogs. */
@Service()
export class Keys {
  readonly #settings = inject(Settings);
  readonly #bindings = signal<readonly Binding[]>([]);
  readonly bindings = this.#bindings.asReadonly();
  #goSince = 0;

  constructor() {
    const listen = (event: KeyboardEvent): void => {
      this.#press(event);
    };
    document.addEventListener('keydown', listen);
    inject(DestroyRef).onDestroy(() => {
      document.removeEventListener('keydown', listen);
    });
  }

  /** Adds keys until the caller is destroyed. A later page wins over an earlier one. */
  add(bindings: readonly Binding[], until: DestroyRef): void {
    this.#bindings.update((all) => [...bindings, ...all]);
    until.onDestroy(() => {
      this.#bindings.update((all) => all.filter((binding) => !bindings.includes(binding)));
    });
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isDialogOpen()) return;
    const isAsleep = !this.#settings.values().keys || isTyping(event.target);
    const letter = this.#letterOf(event);
    const binding = this.#bindings().find((one) => one.letter === letter && (!isAsleep || one.inFields === true));
    if (binding === undefined) return;
    event.preventDefault();
    binding.act();
  }

  /** `g` waits a moment for the letter that says where to. */
  #letterOf(event: KeyboardEvent): string {
    const key = event.shiftKey && event.key.length === 1 && /[A-Z]/i.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key;
    if (Date.now() - this.#goSince < GO_MS && key.length === 1) {
      this.#goSince = 0;
      return `g ${key}`;
    }
    this.#goSince = key === 'g' && !isTyping(event.target) ? Date.now() : 0;
    return key === 'Escape' ? 'Esc' : key;
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('[role="menu"], [role="listbox"]') !== null) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement ? !target.classList.contains('xterm-helper-textarea') : target instanceof HTMLSelectElement;
}

function isDialogOpen(): boolean {
  return document.querySelector('.cdk-overlay-container [role="dialog"], .cdk-overlay-container [role="menu"]') !== null;
}
