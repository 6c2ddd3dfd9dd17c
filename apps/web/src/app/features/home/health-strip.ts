import { Component, DestroyRef, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { whenBack } from '../../core/when-back.js';
import { Words } from '../../core/say.js';
import { Mark } from '../../shared/mark.js';
import { Text } from '../../shared/text.js';
import { HEALTH_SOURCES, type HealthLine, type HealthSource } from './health-sources.js';

interface Row {
  readonly source: HealthSource;
  readonly lines: readonly HealthLine[];
}

const SHOWN = 2;
const NOT_MINE: ReadonlySet<string> = new Set(['SCOPE_MISSING', 'AUTH_REQUIRED', 'ROUTE_NOT_FOUND']);

/** How everything does that the server leans on: one row each, worst first. */
@Component({
  selector: 'cs-health-strip',
  imports: [Mark, RouterLink, Text],
  template: `
    @if (rows().length > 0) {
      <section class="sec" aria-labelledby="health">
        <h2 id="health">{{ t('health') }}</h2>
        <dl>
          @for (row of rows(); track row.source.word) {
            <div>
              <dt>
                <a [routerLink]="row.source.link">{{ t(row.source.word) }}</a>
              </dt>
              <dd>
                @for (line of row.lines.slice(0, shown); track $index) {
                  <span class="one"
                    ><cs-mark [set]="line.set" [value]="line.value" look="thin" />&ngsp;<cs-text class="q cut" [text]="line.name"
                  /></span>
                }
                @if (row.lines.length > shown) {
                  <span class="q">{{ t('health_more', { n: row.lines.length - shown }) }}</span>
                }
              </dd>
            </div>
          }
        </dl>
      </section>
    }
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
      gap: 4px 44px;
      font-size: 13px;
      line-height: 20px;
    }
    dl div {
      display: grid;
      grid-template-columns: 104px minmax(0, 1fr);
      gap: 12px;
    }
    dd {
      display: flex;
      flex-wrap: wrap;
      gap: 0 14px;
      min-width: 0;
    }
    .one {
      display: inline-flex;
      gap: 6px;
      min-width: 0;
    }
  `,
})
export class HealthStrip {
  readonly #api = inject(Api);
  readonly #rows = signal<ReadonlyMap<HealthSource, readonly HealthLine[]>>(new Map());
  protected readonly t = inject(Words).say;
  protected readonly shown = SHOWN;
  protected readonly rows = (): readonly Row[] =>
    HEALTH_SOURCES.flatMap((source) => {
      const lines = this.#rows().get(source);
      return lines === undefined ? [] : [{ source, lines }];
    });

  constructor() {
    this.#readAll();
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync') this.#readAll();
      else for (const source of HEALTH_SOURCES) if (source.isMoved(event)) void this.#read(source);
    });
    whenBack(
      () => {
        this.#readAll();
      },
      () => undefined,
      true,
    );
    inject(DestroyRef).onDestroy(() => {
      following.unsubscribe();
    });
  }

  #readAll(): void {
    for (const source of HEALTH_SOURCES) void this.#read(source);
  }

  /** What cannot be read now is unknown, and says so; it never keeps an old answer. */
  async #read(source: HealthSource): Promise<void> {
    const lines = await source
      .read(this.#api)
      .catch((thrown: unknown): readonly HealthLine[] | undefined =>
        NOT_MINE.has(ApiError.of(thrown).code) ? undefined : [{ set: 'health', value: 'unknown', name: '' }],
      );
    this.#rows.update((rows) => {
      const next = new Map(rows);
      if (lines === undefined) next.delete(source);
      else next.set(source, lines);
      return next;
    });
  }
}
