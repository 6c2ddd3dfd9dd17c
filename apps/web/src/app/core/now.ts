import { DestroyRef, Service, inject, signal } from '@angular/core';

/** The console's clock: one tick a second for every countdown and age on screen. */
@Service()
export class Now {
  readonly #ms = signal(Date.now());
  readonly ms = this.#ms.asReadonly();

  constructor() {
    const timer = setInterval(() => {
      this.#ms.set(Date.now());
    }, 1000);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
    });
  }
}
