import { LiveAnnouncer } from '@angular/cdk/a11y';
import { DestroyRef, Service, inject } from '@angular/core';

const EVERY_MS = 5_000;

/** Speaks for screen readers: news is gathered and said at most once in five seconds; only my own failed decision is said at once. */
@Service()
export class Announcer {
  readonly #live = inject(LiveAnnouncer);
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastAt = 0;

  constructor() {
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
    });
  }

  say(text: string): void {
    if (!this.#waiting.includes(text)) this.#waiting.push(text);
    this.#timer ??= setTimeout(
      () => {
        this.#speak();
      },
      Math.max(0, this.#lastAt + EVERY_MS - Date.now()),
    );
  }

  failed(text: string): void {
    void this.#live.announce(text, 'assertive');
  }

  #speak(): void {
    const text = this.#waiting.join('. ');
    this.#waiting = [];
    this.#timer = undefined;
    this.#lastAt = Date.now();
    void this.#live.announce(text, 'polite');
  }
}
