import { Component, inject, signal } from '@angular/core';
import type { SystemInfo } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Contained } from '../../shared/contained.js';
import { Copy } from '../../shared/copy.js';
import { Failure } from '../../shared/failure.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Time } from '../../shared/time.js';

/** What this server is: version, data, sandbox and what would make it better, the address for clients. */
@Component({
  selector: 'cs-server-page',
  imports: [Contained, Copy, Failure, Skeleton, Time],
  template: `
    <div class="page">
      @if (system(); as info) {
        <section class="sec" aria-labelledby="server">
          <h2 id="server">{{ t('server') }}</h2>
          <dl class="kv">
            <dt>{{ t('version') }}</dt>
            <dd>{{ info.version }}</dd>
            <dt>{{ t('started') }}</dt>
            <dd><cs-time [at]="info.startedAt" /></dd>
            <dt>{{ t('database') }}</dt>
            <dd>{{ info.database === 'sqlite' ? 'SQLite' : 'PostgreSQL' }}</dd>
            <dt>MCP</dt>
            <dd>
              <code>{{ info.mcpUrl }}</code>&ngsp;<cs-copy look="link" [text]="info.mcpUrl" />
            </dd>
          </dl>
        </section>
        <section class="sec" aria-labelledby="box">
          <h2 id="box">{{ t('contained_by') }}</h2>
          <cs-contained [sandbox]="info.sandbox" />
          @if (info.sandboxAdvice; as advice) {
            <p class="note caution advice">{{ advice }}</p>
          }
        </section>
      } @else if (failure(); as failed) {
        <cs-failure [failure]="failed" [retryable]="true" (retry)="load()" />
      } @else {
        <cs-skeleton [lines]="5" />
      }
    </div>
  `,
  styles: `
    .advice {
      margin-top: 12px;
      max-width: 84ch;
    }
  `,
})
export class ServerPage {
  readonly #api = inject(Api);
  protected readonly t = inject(Words).say;
  protected readonly system = signal<SystemInfo | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('server'), path: [{ text: this.t('admin'), link: '/admin/tokens' }] }));
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      this.system.set(await this.#api.get<SystemInfo>('system'));
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}
