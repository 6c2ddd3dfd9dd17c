import { Service, computed, signal } from '@angular/core';

export type Theme = 'system' | 'light' | 'dark';
export type Contrast = 'system' | 'more' | 'normal';
export type Lang = 'system' | 'en' | 'zh';

export interface SettingsValues {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly lang: Lang;
  /** Single-letter keys can be switched off. */
  readonly keys: boolean;
}

const KEY = 'countersign.settings';
const DEFAULTS: SettingsValues = { theme: 'system', contrast: 'system', lang: 'system', keys: true };

/** Owner of how this browser shows the console. Kept in this browser only; holds no data of the team. */
@Service()
export class Settings {
  readonly #values = signal(load());
  readonly values = this.#values.asReadonly();
  readonly lang = computed<'en' | 'zh'>(() => {
    const chosen = this.#values().lang;
    if (chosen !== 'system') return chosen;
    return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  });

  constructor() {
    this.#apply();
  }

  set(change: Partial<SettingsValues>): void {
    this.#values.update((values) => ({ ...values, ...change }));
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values()));
    } catch {
      // Storage is closed: the choice lasts as long as the page.
    }
    this.#apply();
  }

  #apply(): void {
    const { theme, contrast } = this.#values();
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    if (contrast === 'system') delete root.dataset['contrast'];
    else root.dataset['contrast'] = contrast;
    root.lang = this.lang() === 'zh' ? 'zh-CN' : 'en';
  }
}

function load(): SettingsValues {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<SettingsValues>;
    return { ...DEFAULTS, ...stored };
  } catch {
    return DEFAULTS;
  }
}
