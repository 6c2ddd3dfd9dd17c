import { Component, computed, inject, input } from '@angular/core';
import type { ScriptText, StageFacts } from '#contracts';
import { Words } from '../core/say.js';
import { Text } from './text.js';

interface Script {
  readonly name: string;
  readonly file: string;
  readonly lines: readonly string[];
  readonly isWhole: boolean;
}

/** The project's own text that a command runs, line by line, as it stands in its file. */
@Component({
  selector: 'cs-scripts',
  imports: [Text],
  template: `
    @for (script of scripts(); track $index) {
      <figure>
        <figcaption>
          <b class="mono"><cs-text [text]="script.name" /></b>
          <span class="q">{{ t('script_in') }} <cs-text class="mono" [text]="script.file" /></span>
        </figcaption>
        <ol>
          @for (line of script.lines; track $index) {
            <li>
              <span class="no" aria-hidden="true">{{ $index + 1 }}</span><code><cs-text [text]="line" /></code>
            </li>
          }
        </ol>
        @if (!script.isWhole) {
          <p class="meta caution cut-off">{{ t('script_cut') }}</p>
        }
      </figure>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 8px;
      min-width: 0;
    }
    figure {
      border: 1px solid var(--line);
      border-radius: var(--r-2);
      background: var(--raised);
      min-width: 0;
    }
    figcaption {
      display: flex;
      flex-wrap: wrap;
      gap: 0 10px;
      padding: 6px 14px;
      border-bottom: 1px solid var(--line-soft);
      font-size: 12px;
      line-height: 20px;
      overflow-wrap: anywhere;
    }
    ol {
      padding: 6px 0;
    }
    li {
      display: grid;
      grid-template-columns: 34px minmax(0, 1fr);
      gap: 0 12px;
      padding-right: 14px;
      font: 400 12.5px/20px var(--mono);
    }
    .no {
      color: var(--text-3);
      text-align: right;
      font-size: 11.5px;
    }
    code {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .cut-off {
      padding: 0 14px 8px 46px;
      color: var(--fg);
    }
  `,
})
export class Scripts {
  readonly facts = input.required<readonly StageFacts[]>();
  /** The workspace's own folder; files inside it are named from there. */
  readonly root = input('');

  protected readonly t = inject(Words).say;
  protected readonly scripts = computed<readonly Script[]>(() =>
    this.facts()
      .flatMap((stage) => stage.scripts ?? [])
      .map((script) => ({ name: script.name, file: this.#from(script), lines: script.text.split('\n'), isWhole: script.isWhole })),
  );

  #from({ file }: ScriptText): string {
    const root = this.root();
    return root !== '' && file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  }
}
