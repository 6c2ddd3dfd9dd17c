import { Component, computed, inject } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { ActiveRuns } from '../core/active-runs.js';
import { EventStream } from '../core/event-stream.js';
import { Me } from '../core/me.js';
import { Place } from '../core/place.js';
import { Words } from '../core/say.js';
import { Icon } from '../shared/icon.js';
import { Mark } from '../shared/mark.js';
import { Text } from '../shared/text.js';
import { OpenDialogs } from './open-dialogs.js';

/** The path, the way to the search, how fresh the page is, and the one way to stop everything. */
@Component({
  selector: 'cs-top-bar',
  imports: [Icon, Mark, RouterLink, Text],
  template: `
    <header class="top">
      @if (place.back(); as crumb) {
        <a class="back" [routerLink]="crumb.link" [attr.aria-label]="t('back_to', { place: crumb.text })"><cs-icon shape="left" /></a>
      }
      <nav class="crumb" [attr.aria-label]="t('path')">
        @for (crumb of place.path(); track crumb.link) {
          <a [routerLink]="crumb.link"><cs-text [text]="crumb.text" /></a><span class="sep" aria-hidden="true">/</span>
        }
        <h1 id="place"><cs-text class="full" [text]="place.title()" /><cs-text class="short" [text]="place.smallTitle()" /></h1>
      </nav>
      <button class="find" type="button" (click)="find()"><cs-icon shape="find" />{{ t('search_receipts') }}<kbd>/</kbd></button>
      <span class="conn end" role="status"
        ><cs-mark set="stream" [value]="stream.state()" look="thin" /><span class="vh">{{ t('stream_meaning') }}</span></span
      >
      @if (mayStop()) {
        <button class="btn sm only-l" type="button" (click)="stopAll()"><cs-icon shape="stop" />{{ t('stop_all') }}</button>
      }
    </header>
  `,
  styles: `
    .top {
      display: flex;
      align-items: center;
      gap: 16px;
      height: 52px;
      padding: 0 20px 0 28px;
      border-bottom: 1px solid var(--line);
      background: var(--canvas);
      min-width: 0;
    }
    h1 {
      font: 650 17px/24px var(--sans);
      letter-spacing: -0.014em;
      white-space: nowrap;
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .crumb {
      display: flex;
      align-items: center;
      gap: 8px;
      min-width: 0;
      color: var(--text-3);
      white-space: nowrap;
    }
    .crumb h1 {
      color: var(--text);
    }
    .crumb a {
      color: var(--text-2);
      text-decoration: none;
    }
    .crumb a:hover {
      text-decoration: underline;
    }
    .find {
      display: flex;
      align-items: center;
      gap: 8px;
      flex: 0 1 248px;
      height: 32px;
      padding: 0 6px 0 10px;
      margin-left: auto;
      border: 1px solid var(--edge);
      border-radius: var(--r-2);
      background: var(--surface);
      color: var(--text-3);
      font: inherit;
      font-size: 13px;
      text-align: left;
      white-space: nowrap;
      cursor: pointer;
    }
    .find kbd {
      margin-left: auto;
    }
    .conn {
      font-size: 13px;
      flex: none;
    }
    .back,
    .short {
      display: none;
    }
    @media (max-width: 1279px) {
      .find {
        flex-basis: 200px;
      }
    }
    @media (max-width: 1023px) {
      .back {
        display: inline-flex;
        align-items: center;
        justify-content: center;
        width: 40px;
        height: 44px;
        margin-left: -12px;
        color: var(--text);
        flex: none;
      }
      .crumb a,
      .crumb .sep,
      .full {
        display: none;
      }
      .short {
        display: inline;
      }
    }
    @media (max-width: 767px) {
      .top {
        padding: 0 8px 0 16px;
        gap: 8px;
      }
      h1 {
        font-size: 16px;
      }
      .find {
        display: none;
      }
      .end {
        margin-left: auto;
        padding-right: 4px;
      }
    }
  `,
})
export class TopBar {
  readonly #router = inject(Router);
  readonly #dialogs = inject(OpenDialogs);
  readonly #me = inject(Me);
  readonly #runs = inject(ActiveRuns);
  protected readonly place = inject(Place);
  protected readonly stream = inject(EventStream);
  protected readonly t = inject(Words).say;
  protected readonly mayStop = computed(() => this.#me.can('terminal:execute') && this.#runs.all().length > 0);

  protected find(): void {
    void this.#router.navigateByUrl('/receipts', { state: { find: true } });
  }

  protected stopAll(): void {
    void this.#dialogs.stopAll();
  }
}
