import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MODES } from '#contracts';
import type { Mode, Outcome } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import type { WordKey } from '../../core/words.js';
import { Workspaces } from '../../core/workspaces.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { MODE_WORDS } from '../../shared/mode-words.js';
import { PlanEditor } from '../../shared/plan-editor.js';
import type { PlannedText } from '../../shared/plan-editor.js';
import { Scripts } from '../../shared/scripts.js';
import { Stages } from '../../shared/stages.js';
import { TouchTable } from '../../shared/touch-table.js';
import { WhyList } from '../../shared/why-list.js';
import { DraftStore } from './draft.store.js';
import type { Explained } from './explained.js';

const BASE_WORDS: Readonly<Record<Outcome, WordKey>> = { allow: 'verdict_allow', ask: 'verdict_ask', deny: 'verdict_deny' };

/** One command, and what policy would say in each mode. Nothing is planned and nothing is run. */
@Component({
  selector: 'cs-explain-page',
  imports: [Failure, Mark, MatFormField, MatInput, MatLabel, PlanEditor, Scripts, Stages, TouchTable, WhyList],
  templateUrl: './explain-page.html',
  styleUrl: './explain-page.css',
})
export class ExplainPage {
  readonly #api = inject(Api);
  protected readonly draft = inject(DraftStore);
  protected readonly me = inject(Me);
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly modeWords = MODE_WORDS;
  protected readonly spelled = spelled;
  protected readonly cwd = signal('');
  protected readonly byDraft = signal(false);
  protected readonly isDraftShown = signal(false);
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

  protected readonly hasScripts = computed(() => this.shown()?.facts.some((stage) => stage.scripts !== undefined) ?? false);

  constructor() {
    inject(Place).at(() => ({ title: this.t('explain'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
  }

  protected async explain(text: PlannedText): Promise<void> {
    if (this.isBusy()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      this.verdicts.set(await Promise.all(MODES.map((mode) => this.#ask(text, mode))));
      this.mode.set(undefined);
      this.isDraftShown.set(this.byDraft() && this.draft.hasDraft());
    } catch (thrown) {
      this.verdicts.set([]);
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  /** The verdict of the built-in policy, where the rules of the team change it. */
  protected baseWord({ base, outcome }: Explained): WordKey | undefined {
    return base === undefined || base.outcome === outcome ? undefined : BASE_WORDS[base.outcome];
  }

  #ask(text: PlannedText, mode: Mode): Promise<Explained> {
    const workspace = this.chosen();
    const cwd = this.cwd().trim();
    return this.#api.post<Explained>('policy/explain', {
      ...(workspace === '' ? {} : { workspace }),
      ...(cwd === '' ? {} : { cwd }),
      ...(this.byDraft() && this.draft.hasDraft() ? { yaml: this.draft.text() } : {}),
      mode,
      ...text,
    });
  }
}
