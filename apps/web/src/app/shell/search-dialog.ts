import { Component, DestroyRef, type ElementRef, afterNextRender, computed, inject, signal, viewChild } from '@angular/core';
import { MatDialogContent, MatDialogRef } from '@angular/material/dialog';
import { Router } from '@angular/router';
import { ActiveRuns } from '../core/active-runs.js';
import { Api } from '../core/api.js';
import { Me } from '../core/me.js';
import { OpenAsks } from '../core/open-asks.js';
import { Plans } from '../core/plans.js';
import { Words } from '../core/say.js';
import { oneLine } from '../core/text/argv-text.js';
import { Workspaces } from '../core/workspaces.js';
import type { WordKey } from '../core/words.js';
import { Icon } from '../shared/icon.js';
import { Text } from '../shared/text.js';
import { NAV } from './nav-items.js';
import { findPeople, findPlans, findReceipts, holds, type Found } from './search-sources.js';

const WAIT_MS = 150;
const MOST_OF_A_KIND = 6;

/** Pages that stand in no navigation of their own. */
const MORE_PAGES: readonly (readonly [WordKey, string])[] = [
  ['explain', '/policy/explain'],
  ['plan_command', '/plans/new'],
  ['account', '/account'],
  ['workspaces', '/admin/workspaces'],
  ['server', '/admin/server'],
];
const ADMIN_PAGES: readonly (readonly [WordKey, string])[] = [
  ['people', '/admin/people'],
  ['webhooks', '/admin/webhooks'],
  ['audit', '/admin/audit'],
];

/** The one search over everything: what this page knows at once, then what the server finds. By keyboard alone. */
@Component({
  selector: 'cs-search-dialog',
  imports: [Icon, MatDialogContent, Text],
  template: `
    <mat-dialog-content class="body">
      <label class="vh" for="search-all">{{ t('search_all') }}</label>
      <div class="box">
        <cs-icon shape="find" />
        <input
          #box
          id="search-all"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          cdkFocusInitial
          aria-controls="search-found"
          aria-autocomplete="list"
          [attr.aria-expanded]="rows().length > 0"
          [attr.aria-activedescendant]="rows().length > 0 ? 'found-' + at() : null"
          [placeholder]="t('search_all_hint')"
          (input)="type(box.value)"
          (keydown)="press($event)"
        />
      </div>
      <ul id="search-found" role="listbox" [attr.aria-label]="t('search_all')">
        @for (row of rows(); track row.link + row.word; let index = $index) {
          <li role="option" [id]="'found-' + index" [attr.aria-selected]="index === at()" (mousedown)="open(row, $event)">
            <cs-icon [shape]="row.shape" />
            <cs-text class="cut" [text]="row.text" />
            <cs-text class="q cut" [text]="row.more" />
            <span class="q">{{ t(row.word) }}</span>
          </li>
        }
      </ul>
      <p class="q meta" role="status">{{ said() }}</p>
    </mat-dialog-content>
  `,
  styles: `
    .body {
      display: grid;
      gap: 8px;
      padding: 16px 16px 14px;
    }
    .box {
      display: flex;
      align-items: center;
      gap: 10px;
      border-bottom: 1px solid var(--edge);
    }
    input {
      flex: 1;
      min-width: 0;
      border: 0;
      background: none;
      color: var(--text);
      font: 400 16px/24px var(--sans);
      padding: 8px 0;
      outline: none;
    }
    .box:focus-within {
      border-color: var(--focus);
      box-shadow: 0 1px 0 var(--focus);
    }
    input::placeholder {
      color: var(--text-3);
      opacity: 1;
    }
    ul {
      max-height: min(420px, 55vh);
      overflow: auto;
    }
    li {
      display: grid;
      grid-template-columns: 16px minmax(0, 2fr) minmax(0, 1fr) auto;
      gap: 10px;
      padding: 8px;
      border-radius: var(--r-1);
      font-size: 13px;
      cursor: pointer;
    }
    li:hover {
      background: var(--sunken);
    }
    li[aria-selected='true'] {
      background: var(--ink-soft);
      outline: 2px solid var(--focus);
      outline-offset: -2px;
    }
    li[aria-selected='true'] .q {
      color: var(--text-2);
    }
    @media (max-width: 767px) {
      li {
        grid-template-columns: 16px minmax(0, 1fr) auto;
        min-height: 44px;
        align-items: center;
      }
      li .q.cut {
        display: none;
      }
    }
  `,
})
export class SearchDialog {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #asks = inject(OpenAsks);
  readonly #runs = inject(ActiveRuns);
  readonly #plans = inject(Plans);
  readonly #workspaces = inject(Workspaces);
  readonly #router = inject(Router);
  readonly #ref = inject(MatDialogRef<SearchDialog>);
  readonly #words = inject(Words);
  private readonly boxRef = viewChild.required<ElementRef<HTMLInputElement>>('box');
  protected readonly t = this.#words.say;
  readonly #text = signal('');
  readonly #remote = signal<readonly Found[]>([]);
  readonly #isBusy = signal(false);
  readonly #hasFailed = signal(false);
  protected readonly at = signal(0);
  readonly #local = computed<readonly Found[]>(() => (this.#text() === '' ? this.#pages() : this.#known(this.#text())));
  protected readonly rows = computed<readonly Found[]>(() => [...this.#local(), ...this.#remote()]);
  protected readonly said = computed(() => {
    if (this.#hasFailed()) return this.t('search_failed');
    if (this.#isBusy()) return this.t('search_busy');
    if (this.#text() === '') return this.t('search_keys');
    return this.rows().length === 0 ? this.t('search_nothing') : this.#words.many('search_found', this.rows().length);
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor() {
    // Whoever types at once loses no letter to the opening dialog.
    afterNextRender(() => {
      this.boxRef().nativeElement.focus();
    });
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
      this.#round += 1;
    });
  }

  protected type(text: string): void {
    this.#text.set(text.trim());
    this.#remote.set([]);
    this.#hasFailed.set(false);
    this.at.set(0);
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#isBusy.set(this.#text() !== '');
    if (this.#text() !== '') this.#timer = setTimeout(() => void this.#ask(this.#text(), this.#round), WAIT_MS);
  }

  protected press(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const row = this.rows()[this.at()];
    if (step !== 0) {
      event.preventDefault();
      const count = this.rows().length;
      if (count > 0) this.at.update((at) => (at + step + count) % count);
      this.boxRef()
        .nativeElement.ownerDocument.getElementById(`found-${String(this.at())}`)
        ?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.isComposing && row !== undefined) this.open(row, event);
  }

  protected open(row: Found, event: Event): void {
    event.preventDefault();
    this.#ref.close();
    void this.#router.navigateByUrl(row.link);
  }

  #pages(text = ''): readonly Found[] {
    const pages = [
      ...NAV.flatMap(({ items }) => items.map(({ word, link }) => [word, link] as const)),
      ...MORE_PAGES,
      ...(this.#me.isAdmin() ? ADMIN_PAGES : []),
    ];
    return pages
      .map(([word, link]): Found => ({ word: 'found_page', shape: 'right', text: this.t(word), more: '', link }))
      .filter((page) => text === '' || holds(page.text, text));
  }

  /** What this page knows without asking. */
  #known(text: string): readonly Found[] {
    const asks = this.#asks
      .all()
      .map((ask): Found => ({ word: 'found_ask', shape: 'wait', text: ask.title, more: ask.summary, link: `/asks/${ask.id}` }));
    const runs = this.#runs.all().map((run): Found => {
      const plan = this.#plans.peek(run.planId);
      return {
        word: 'found_run',
        shape: 'run',
        text: plan ? oneLine(plan.body.stages) : run.id,
        more: plan?.ownerName ?? '',
        link: `/runs/${run.id}`,
      };
    });
    const places = this.#workspaces
      .all()
      .map(({ name, root }): Found => ({ word: 'workspace', shape: 'folder', text: name, more: root, link: '/admin/workspaces' }));
    const held = [asks, runs, places].flatMap((kind) =>
      kind.filter((one) => holds(`${one.text} ${one.more} ${one.link}`, text)).slice(0, MOST_OF_A_KIND),
    );
    return [...held, ...this.#pages(text)];
  }

  /** What the server does not let this person read is left out; when it does not answer, that is said. */
  async #ask(text: string, round: number): Promise<void> {
    const asked = [findPlans(this.#api, text), findReceipts(this.#api, text), ...(this.#me.isAdmin() ? [findPeople(this.#api, text)] : [])];
    const answers = await Promise.allSettled(asked);
    if (round !== this.#round) return;
    this.#remote.set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.slice(0, MOST_OF_A_KIND) : [])));
    this.#hasFailed.set(answers.every(({ status }) => status === 'rejected'));
    this.#isBusy.set(false);
  }
}
