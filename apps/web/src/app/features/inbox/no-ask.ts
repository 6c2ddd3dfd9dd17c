import { Component, inject } from '@angular/core';
import { OpenAsks } from '../../core/open-asks.js';
import { Words } from '../../core/say.js';
import { Empty } from '../../shared/empty.js';

/** The pane before an ask is chosen. */
@Component({
  selector: 'cs-no-ask',
  imports: [Empty],
  template: `
    @if (asks.isLoaded()) {
      <cs-empty shape="inbox" [text]="t(asks.all().length > 0 ? 'choose_ask' : 'nothing_waits_at_all')" />
    }
  `,
  styles: `
    :host {
      display: grid;
      place-items: center;
      height: 100%;
      padding: 28px;
    }
  `,
})
export class NoAsk {
  protected readonly asks = inject(OpenAsks);
  protected readonly t = inject(Words).say;
}
