import { BreakpointObserver } from '@angular/cdk/layout';
import { Component, DestroyRef, computed, effect, inject, signal, viewChild } from '@angular/core';
import type { ElementRef } from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { MatSidenav, MatSidenavContainer, MatSidenavContent } from '@angular/material/sidenav';
import { NavigationEnd, Router, RouterOutlet } from '@angular/router';
import { filter, map } from 'rxjs';
import { ActiveRuns } from '../core/active-runs.js';
import { Announcer } from '../core/announcer.js';
import { Api } from '../core/api.js';
import { EventStream } from '../core/event-stream.js';
import { Keys } from '../core/keys.js';
import { Me } from '../core/me.js';
import { OpenAsks } from '../core/open-asks.js';
import { Words } from '../core/say.js';
import { Workspaces } from '../core/workspaces.js';
import { ConnectionBand } from '../shared/connection-band.js';
import { BottomBar } from './bottom-bar.js';
import { Nav } from './nav.js';
import { OpenDialogs } from './open-dialogs.js';
import { TopBar } from './top-bar.js';

const SMALL = '(max-width: 767px)';

/** The frame of every signed-in page: navigation, top bar, connection band, keys, and where focus goes after a move. */
@Component({
  selector: 'cs-shell',
  imports: [BottomBar, ConnectionBand, MatSidenav, MatSidenavContainer, MatSidenavContent, Nav, RouterOutlet, TopBar],
  templateUrl: './shell.html',
  styleUrl: './shell.css',
})
export class Shell {
  readonly #router = inject(Router);
  readonly #destroyRef = inject(DestroyRef);
  readonly #dialogs = inject(OpenDialogs);
  readonly #words = inject(Words);
  readonly #asks = inject(OpenAsks);
  protected readonly t = this.#words.say;
  protected readonly isSmall = toSignal(
    inject(BreakpointObserver)
      .observe(SMALL)
      .pipe(map((state) => state.matches)),
    {
      initialValue: matchMedia(SMALL).matches,
    },
  );
  readonly #url = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: this.#router.url },
  );
  /** On a phone the dock of an open ask takes the place of the bottom bar. */
  protected readonly isDeciding = computed(() => this.#url().startsWith('/asks/'));
  protected readonly isMenuOpen = signal(false);
  protected readonly isNavOpen = computed(() => !this.isSmall() || this.isMenuOpen());
  private readonly mainRef = viewChild.required<ElementRef<HTMLElement>>('main');

  constructor() {
    const me = inject(Me);
    const stream = inject(EventStream);
    const api = inject(Api);
    if (!me.isKnown) void me.refresh().catch(() => undefined);
    void this.#asks.start();
    void inject(ActiveRuns).start();
    void inject(Workspaces)
      .load()
      .catch(() => undefined);
    effect(() => {
      if (api.signedOut() > 0 && me.principal() === null) this.#leave(stream);
    });
    this.#announceNewAsks();
    this.#followFocus();
    this.#addKeys();
  }

  /** A session that ended leaves nothing of it in memory: the page is loaded anew. */
  #leave(stream: EventStream): void {
    stream.close();
    const next = this.#router.url === '/' ? '' : `?next=${encodeURIComponent(this.#router.url)}`;
    location.assign(new URL(`login${next}`, document.baseURI));
  }

  #announceNewAsks(): void {
    const announcer = inject(Announcer);
    let known: ReadonlySet<string> | undefined;
    effect(() => {
      const now = this.#asks.mine();
      const fresh = known === undefined ? [] : now.filter((ask) => known?.has(ask.id) === false);
      if (this.#asks.isLoaded()) known = new Set(now.map((ask) => ask.id));
      if (fresh.length === 0) return;
      const high = fresh.filter((ask) => ask.risk === 'high').length;
      announcer.say(this.#words.many('new_asks_said', fresh.length) + (high > 0 ? `, ${this.#words.many('high_said', high)}` : ''));
    });
  }

  /** After a move to another page, reading starts at its content; moves within the inbox keep their own focus. */
  #followFocus(): void {
    let before = areaOf(this.#router.url);
    this.#router.events
      .pipe(
        filter((event) => event instanceof NavigationEnd),
        takeUntilDestroyed(this.#destroyRef),
      )
      .subscribe((event) => {
        this.isMenuOpen.set(false);
        const area = areaOf(event.urlAfterRedirects);
        if (area === before) return;
        before = area;
        this.mainRef().nativeElement.focus({ preventScroll: true });
        this.mainRef().nativeElement.scrollTop = 0;
      });
  }

  #addKeys(): void {
    const go = (link: string) => () => void this.#router.navigateByUrl(link);
    inject(Keys).add(
      [
        { letter: 'g h', word: 'key_go_home', act: go('/') },
        { letter: 'g i', word: 'key_go_inbox', act: go('/inbox') },
        { letter: 'g l', word: 'key_go_live', act: go('/live') },
        { letter: 'g r', word: 'key_go_receipts', act: go('/receipts') },
        { letter: 'g p', word: 'key_go_policy', act: go('/policy/rules') },
        { letter: '/', word: 'key_search', act: () => void this.#router.navigateByUrl('/receipts', { state: { find: true } }) },
        { letter: '?', word: 'key_help', act: () => void this.#dialogs.help() },
      ],
      this.#destroyRef,
    );
  }
}

function areaOf(url: string): string {
  const path = url.split(/[?#]/)[0] ?? '';
  return path.startsWith('/asks') || path.startsWith('/inbox') ? '/inbox' : path;
}
