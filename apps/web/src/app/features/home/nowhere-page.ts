import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Empty } from '../../shared/empty.js';

/** An address that leads nowhere. */
@Component({
  selector: 'cs-nowhere-page',
  imports: [Empty, RouterLink],
  template: `
    <div class="page">
      <cs-empty shape="unk" [text]="t('nowhere')"
        ><a class="btn" routerLink="/">{{ t('to_home') }}</a></cs-empty
      >
    </div>
  `,
})
export class NowherePage {
  protected readonly t = inject(Words).say;

  constructor() {
    inject(Place).at(() => ({ title: this.t('nowhere_title') }));
  }
}
