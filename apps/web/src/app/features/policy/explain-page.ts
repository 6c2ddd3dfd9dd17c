import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MODES } from '#contracts';
import type { Mode } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { Workspaces } from '../../core/workspaces.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { MODE_WORDS } from '../../shared/mode-words.js';
import { Stages } from '../../shared/stages.js';
import { TouchTable } from '../../shared/touch-table.js';
import { WhyList } from '../../shared/why-list.js';
import type { Explained } from './explained.js';

/** One command, and what policy would say in each mode. Nothing is planned and nothing is run. */
@Component({
  selector: 'cs-explain-page',
  imports: [Failure, Mark, MatFormField, MatInput, MatLabel, Stages, TouchTable, WhyList],
  templateUrl: './explain-page.html',
  styleUrl: './explain-page.css',
})
export class ExplainPage {
  readonly #api = inject(Api);
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly modeWords = MODE_WORDS;
  protected readonly spelled = spelled;
  protected readonly command = signal('');
  protected readonly chosen = linkedSignal<string>(() => this.workspaces.all()[0]?.id ?? '');
  protected readonly workspace = computed(() => this.workspaces.all().find((one) => one.id === this.chosen()));
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly verdicts = signal<readonly Explained[]>([]);
  protected readonly mode = signal<Mode | undefined>(undefined);
  protected readonly shown = computed(() => {
    const mode = this.mode() ?? this.workspace()?.mode;
    return this.verdicts().find((one) => one.mode === mode) ?? this.verdicts()[0];
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('explain'), path: [{ text: this.t('policy'), link: '/policy/explain' }] }));
  }

  protected async explain(): Promise<void> {
    const command = this.command().trim();
    if (command === '' || this.isBusy()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      this.verdicts.set(await Promise.all(MODES.map((mode) => this.#ask(command, mode))));
      this.mode.set(undefined);
    } catch (thrown) {
      this.verdicts.set([]);
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  #ask(command: string, mode: Mode): Promise<Explained> {
    const workspace = this.chosen();
    return this.#api.post<Explained>('policy/explain', { ...(workspace === '' ? {} : { workspace }), mode, command });
  }
}
