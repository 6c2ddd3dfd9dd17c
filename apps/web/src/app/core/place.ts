import { Service, computed, effect, inject, signal } from '@angular/core';
import { OpenAsks } from './open-asks.js';

export interface Crumb {
  readonly text: string;
  readonly link: string;
}

export interface PlaceName {
  readonly title: string;
  readonly path?: readonly Crumb[];
  /** On a small screen, where one thing stands at a time: its own name and the way back. */
  readonly small?: { readonly title: string; readonly back: Crumb };
}

/** Where the person is: the page's title and the way back, for the top bar and the window's title. */
@Service()
export class Place {
  readonly #asks = inject(OpenAsks);
  readonly #name = signal<() => PlaceName>(() => ({ title: '' }));
  readonly title = computed(() => this.#name()().title);
  readonly path = computed(() => this.#name()().path ?? []);
  readonly smallTitle = computed(() => this.#name()().small?.title ?? this.title());
  readonly back = computed(() => this.#name()().small?.back ?? this.path().at(-1));
  readonly #window = computed(() => {
    const waiting = this.#asks.mine().length;
    return `${waiting > 0 ? `(${String(waiting)}) ` : ''}${this.title() === '' ? '' : `${this.title()} · `}Countersign`;
  });

  constructor() {
    effect(() => {
      document.title = this.#window();
    });
  }

  /** The page says its name as a function, so that a change of facts or language renames it. */
  at(name: () => PlaceName): void {
    this.#name.set(name);
  }
}
