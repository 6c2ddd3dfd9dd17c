import { Component, computed, inject, input } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router, RouterLink } from '@angular/router';
import { filter, map } from 'rxjs';
import { ActiveRuns } from '../core/active-runs.js';
import { OpenAsks } from '../core/open-asks.js';
import { Words } from '../core/say.js';
import { Icon } from '../shared/icon.js';
import { NAV, isAt } from './nav-items.js';
import type { NavItem } from './nav-items.js';
import { UserMenu } from './user-menu.js';

/** The navigation: whole at wide, icons below 1280 px, in a drawer on a phone. */
@Component({
  selector: 'cs-nav',
  imports: [Icon, RouterLink, UserMenu],
  host: { '[class.wide]': 'wide()' },
  template: `
    <nav [attr.aria-label]="t('nav_main')">
      <a class="brand" routerLink="/" [attr.aria-label]="t('brand_home')"><cs-icon shape="brand" /><span class="lb">Countersign</span></a>
      @for (group of groups; track group.word) {
        <h2>{{ t(group.word) }}</h2>
        @for (item of group.items; track item.link) {
          <a class="n" [routerLink]="item.link" [attr.aria-current]="isAt(item, url()) ? 'page' : null" [title]="t(item.word)">
            <cs-icon [shape]="item.shape" />
            <span class="lb">{{ t(item.word) }}</span>
            @if (countOf(item); as count) {
              <span class="num" [class.due]="item.count === 'asks'"
                >{{ count }}<span class="vh"> {{ t(item.count === 'asks' ? 'waits_for_you' : 'open_now') }}</span></span
              >
            }
          </a>
        }
      }
    </nav>
    <cs-user-menu />
  `,
  styleUrl: './nav.css',
})
export class Nav {
  readonly #asks = inject(OpenAsks);
  readonly #runs = inject(ActiveRuns);
  readonly #router = inject(Router);
  /** In the drawer of a phone names are always shown. */
  readonly wide = input(false);

  protected readonly t = inject(Words).say;
  protected readonly groups = NAV;
  protected readonly isAt = isAt;
  protected readonly url = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: this.#router.url },
  );
  readonly #counts = computed(() => ({ asks: this.#asks.mine().length, runs: this.#runs.all().length }));

  protected countOf(item: NavItem): number {
    return item.count === undefined ? 0 : this.#counts()[item.count];
  }
}
