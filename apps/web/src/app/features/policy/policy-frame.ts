import { Component, computed, inject } from '@angular/core';
import { MatTabLink, MatTabNav, MatTabNavPanel } from '@angular/material/tabs';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { DraftStore } from './draft.store.js';
import { PolicyStore } from './policy.store.js';

interface Tab {
  readonly link: string;
  readonly word: WordKey;
}

/** The tabs of policy. The draft lives here, so that it is the same in the editor, the replay and the explanations. */
@Component({
  selector: 'cs-policy-frame',
  imports: [MatTabLink, MatTabNav, MatTabNavPanel, RouterLink, RouterLinkActive, RouterOutlet],
  providers: [PolicyStore, DraftStore],
  template: `
    <nav mat-tab-nav-bar class="tabs" [tabPanel]="panel" [attr.aria-label]="t('policy_parts')" mat-stretch-tabs="false">
      @for (tab of tabs(); track tab.link) {
        <a
          mat-tab-link
          [routerLink]="tab.link"
          routerLinkActive
          #active="routerLinkActive"
          [active]="active.isActive"
          [disableRipple]="true"
          >{{ t(tab.word) }}
          @if (tab.word === 'tab_edit' && draft.hasDraft()) {
            <span class="dot"
              ><span class="vh">, {{ t('draft') }}</span></span
            >
          }
        </a>
      }
    </nav>
    <mat-tab-nav-panel #panel class="panel">
      <router-outlet />
    </mat-tab-nav-panel>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      height: 100%;
      min-height: 0;
    }
    .tabs {
      flex: none;
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
    .dot {
      display: inline-block;
      width: 7px;
      height: 7px;
      margin-left: 6px;
      border-radius: 50%;
      background: var(--ink);
    }
    .panel {
      flex: 1;
      min-height: 0;
      overflow: auto;
    }
    @media (max-width: 767px) {
      .tabs {
        padding: 4px 8px 0;
      }
    }
  `,
})
export class PolicyFrame {
  readonly #me = inject(Me);
  protected readonly draft = inject(DraftStore);
  protected readonly t = inject(Words).say;
  protected readonly tabs = computed<readonly Tab[]>(() => [
    { link: '/policy/rules', word: 'tab_rules' },
    ...(this.#me.isAdmin() ? [{ link: '/policy/edit', word: 'tab_edit' } as const] : []),
    { link: '/policy/versions', word: 'tab_versions' },
    { link: '/policy/remembered', word: 'tab_remembered' },
    { link: '/policy/proposals', word: 'tab_proposals' },
    { link: '/policy/explain', word: 'tab_explain' },
  ]);
}
