import { Component, inject, output } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router, RouterLink } from '@angular/router';
import { filter, map } from 'rxjs';
import { OpenAsks } from '../core/open-asks.js';
import { Words } from '../core/say.js';
import { Icon } from '../shared/icon.js';
import { NAV, isAt } from './nav-items.js';

/** Four places and More, for a thumb. */
@Component({
  selector: 'cs-bottom-bar',
  imports: [Icon, RouterLink],
  template: `
    <nav [attr.aria-label]="t('nav_small')">
      @for (item of items; track item.link) {
        <a [routerLink]="item.link" [attr.aria-current]="isAt(item, url()) ? 'page' : null">
          <cs-icon [shape]="item.shape" />
          <span>{{ t(item.link === '/live' ? 'live_short' : item.word) }}</span>
          @if (item.count === 'asks' && asks.mine().length > 0) {
            <span class="num"
              >{{ asks.mine().length }}<span class="vh"> {{ t('waits_for_you') }}</span></span
            >
          }
        </a>
      }
      <button type="button" (click)="more.emit()">
        <cs-icon shape="more" /><span>{{ t('more') }}</span>
      </button>
    </nav>
  `,
  styles: `
    nav {
      display: grid;
      grid-template-columns: repeat(5, 1fr);
      border-top: 1px solid var(--line);
      background: var(--canvas);
      padding-bottom: env(safe-area-inset-bottom);
    }
    a,
    button {
      display: grid;
      justify-items: center;
      gap: 2px;
      padding: 8px 0 7px;
      border: 0;
      background: none;
      font: 400 11px/14px var(--sans);
      color: var(--text-2);
      text-decoration: none;
      position: relative;
      cursor: pointer;
    }
    cs-icon {
      width: 20px;
      height: 20px;
    }
    a[aria-current] {
      color: var(--ink);
      font-weight: 600;
    }
    .num {
      position: absolute;
      top: 4px;
      left: calc(50% + 6px);
      background: var(--ink);
      color: var(--on-ink);
      border-radius: 8px;
      padding: 0 5px;
      font-size: 11px;
      line-height: 15px;
    }
  `,
})
export class BottomBar {
  readonly #router = inject(Router);
  readonly more = output();
  protected readonly t = inject(Words).say;
  protected readonly asks = inject(OpenAsks);
  protected readonly items = NAV.flatMap((group) => group.items).slice(0, 4);
  protected readonly isAt = isAt;
  protected readonly url = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: this.#router.url },
  );
}
