import { Component, computed, inject } from '@angular/core';
import { MatTabLink, MatTabNav, MatTabNavPanel } from '@angular/material/tabs';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';

interface Tab {
  readonly link: string;
  readonly word: WordKey;
}

/** The tabs of administration. */
@Component({
  selector: 'cs-admin-page',
  imports: [MatTabLink, MatTabNav, MatTabNavPanel, RouterLink, RouterLinkActive, RouterOutlet],
  template: `
    <nav mat-tab-nav-bar class="tabs" [tabPanel]="panel" [attr.aria-label]="t('admin')" mat-stretch-tabs="false">
      @for (tab of tabs(); track tab.link) {
        <a
          mat-tab-link
          [routerLink]="tab.link"
          routerLinkActive
          #active="routerLinkActive"
          [active]="active.isActive"
          [disableRipple]="true"
          >{{ t(tab.word) }}</a
        >
      }
    </nav>
    <mat-tab-nav-panel #panel>
      <router-outlet />
    </mat-tab-nav-panel>
  `,
  styles: `
    .tabs {
      padding: 6px 28px 0;
      border-bottom: 1px solid var(--line);
      background: var(--canvas);
      --mat-tab-container-height: 40px;
      --mat-tab-label-text-size: 13px;
      --mat-tab-label-text-tracking: 0;
      --mat-tab-divider-height: 0;
    }
    .tabs a {
      padding: 0 10px;
      min-width: 0;
    }
    @media (max-width: 767px) {
      .tabs {
        padding: 4px 8px 0;
      }
    }
  `,
})
export class AdminPage {
  readonly #me = inject(Me);
  protected readonly t = inject(Words).say;
  protected readonly tabs = computed<readonly Tab[]>(() => [
    { link: '/admin/tokens', word: 'tokens' },
    ...(this.#me.isAdmin() ? [{ link: '/admin/people', word: 'people' } as const] : []),
    { link: '/admin/workspaces', word: 'workspaces' },
    ...(this.#me.isAdmin() ? [{ link: '/admin/webhooks', word: 'webhooks' } as const] : []),
    ...(this.#me.isAdmin() ? [{ link: '/admin/audit', word: 'audit' } as const] : []),
    { link: '/admin/server', word: 'server' },
  ]);
}
