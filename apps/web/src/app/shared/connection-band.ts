import { Component, computed, effect, inject } from '@angular/core';
import { Announcer } from '../core/announcer.js';
import { EventStream } from '../core/event-stream.js';
import type { EventKind } from '../core/event-stream.js';
import { Now } from '../core/now.js';
import { Words } from '../core/say.js';
import { momentText } from '../core/time-text.js';
import type { WordKey } from '../core/words.js';
import { Icon } from './icon.js';

const TOLD: readonly (readonly [EventKind, WordKey])[] = [
  ['ask.opened', 'missed_asks'],
  ['ask.closed', 'missed_closed'],
  ['run.started', 'missed_runs'],
  ['run.ended', 'missed_ended'],
];

/** The band under the top bar: how old the data is while the server is away, and one line of what changed when it is back. */
@Component({
  selector: 'cs-connection-band',
  imports: [Icon],
  template: `
    @if (isAway()) {
      <div class="band caution" role="status">
        <cs-icon [shape]="stream.state() === 'offline' ? 'offline' : 'arrows'" />
        <span>{{ t(stream.state() === 'offline' ? 'offline_band' : 'reconnect', { time: seenAt() }) }}</span>
      </div>
    } @else if (missed(); as text) {
      <div class="band live" role="status">
        <cs-icon shape="clive" />
        <span class="grow">{{ text }}</span>
        <button class="link" type="button" (click)="stream.readMissed()">{{ t('dismiss') }}</button>
      </div>
    }
  `,
  styles: `
    .band {
      display: flex;
      align-items: center;
      gap: 10px;
      padding: 6px 28px;
      background: var(--bg);
      color: var(--text);
      border-bottom: 1px solid var(--line);
      font-size: 13px;
      --knock: var(--bg);
    }
    cs-icon {
      color: var(--fg);
    }
    @media (max-width: 767px) {
      .band {
        padding: 6px 16px;
      }
    }
  `,
})
export class ConnectionBand {
  readonly #words = inject(Words);
  readonly #now = inject(Now);
  readonly #announcer = inject(Announcer);
  protected readonly stream = inject(EventStream);

  protected readonly t = this.#words.say;
  protected readonly isAway = computed(
    () => this.stream.opened() && (this.stream.state() === 'reconnecting' || this.stream.state() === 'offline'),
  );
  protected readonly seenAt = computed(() => momentText(this.stream.seenAt(), this.#now.ms(), this.#words.lang()));
  protected readonly missed = computed(() => {
    if (this.stream.state() !== 'live') return '';
    const kinds = this.stream.missed();
    const parts = TOLD.flatMap(([kind, word]) => {
      const count = kinds.filter((one) => one === kind).length;
      return count === 0 ? [] : [this.#words.many(word, count)];
    });
    return parts.length === 0 ? '' : this.t('missed', { what: parts.join(', ') });
  });

  constructor() {
    effect(() => {
      if (this.isAway()) this.#announcer.say(this.t('reconnect', { time: '' }));
    });
  }
}
