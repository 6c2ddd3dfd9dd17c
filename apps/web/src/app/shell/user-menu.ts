import { Component, computed, inject } from '@angular/core';
import { MatDivider } from '@angular/material/divider';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { RouterLink } from '@angular/router';
import { Me } from '../core/me.js';
import { Words } from '../core/say.js';
import { Settings } from '../core/settings.js';
import type { Contrast, Lang, Theme } from '../core/settings.js';
import type { WordKey } from '../core/words.js';
import { Icon } from '../shared/icon.js';
import { Text } from '../shared/text.js';
import { OpenDialogs } from './open-dialogs.js';

interface Choice<T> {
  readonly value: T;
  readonly word: WordKey;
}

/** Who is signed in, how the console looks in this browser, and the way out. */
@Component({
  selector: 'cs-user-menu',
  imports: [Icon, MatDivider, MatMenu, MatMenuItem, MatMenuTrigger, RouterLink, Text],
  templateUrl: './user-menu.html',
  styleUrl: './user-menu.css',
})
export class UserMenu {
  readonly #me = inject(Me);
  readonly #settings = inject(Settings);
  readonly #dialogs = inject(OpenDialogs);
  protected readonly t = inject(Words).say;
  protected readonly name = computed(() => this.#me.principal()?.name ?? '');
  protected readonly roles = computed(() => (this.#me.principal()?.roles ?? []).map((role) => this.t(`role_${role}`)).join(', '));
  protected readonly values = this.#settings.values;
  protected readonly themes: readonly Choice<Theme>[] = [
    { value: 'system', word: 'as_system' },
    { value: 'light', word: 'theme_light' },
    { value: 'dark', word: 'theme_dark' },
  ];
  protected readonly contrasts: readonly Choice<Contrast>[] = [
    { value: 'system', word: 'as_system' },
    { value: 'more', word: 'contrast_more' },
    { value: 'normal', word: 'contrast_normal' },
  ];
  protected readonly langs: readonly Choice<Lang>[] = [
    { value: 'system', word: 'as_browser' },
    { value: 'en', word: 'lang_en' },
    { value: 'zh', word: 'lang_zh' },
  ];

  protected choose(change: { theme: Theme } | { contrast: Contrast } | { lang: Lang } | { keys: boolean }): void {
    this.#settings.set(change);
  }

  protected password(): void {
    void this.#dialogs.password();
  }

  protected help(): void {
    void this.#dialogs.help();
  }

  protected signOut(): void {
    void this.#me.logout();
  }
}
