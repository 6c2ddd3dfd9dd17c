import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { MatTabLink, MatTabNav, MatTabNavPanel } from '@angular/material/tabs';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { lineDiff } from '../../core/text/line-diff.js';
import type { WordKey } from '../../core/words.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Diff } from '../../shared/diff.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Said } from '../../shared/said.js';
import { Skeleton } from '../../shared/skeleton.js';
import { DraftChecks } from './draft-checks.js';
import { DraftStore } from './draft.store.js';
import { PolicyStore } from './policy.store.js';
import { ReplaySummary } from './replay-summary.js';
import { ReplayTable } from './replay-table.js';
import { RuleCard } from './rule-card.js';
import { RuleChanges } from './rule-changes.js';
import { YamlEditor } from './yaml-editor.js';
import type { Marked } from './yaml-editor.js';

const SIDES = ['checks', 'difference', 'rules', 'replay'] as const;
type Side = (typeof SIDES)[number];
const SIDE_WORDS: Readonly<Record<Side, WordKey>> = {
  checks: 'checks',
  difference: 'difference',
  rules: 'as_rules',
  replay: 'replay',
};
const DAYS = [1, 7, 14, 30, 90] as const;
const CHECK_FIRST: ReadonlySet<WordKey> = new Set(['save_off_same', 'save_off_conflict', 'save_off_check', 'save_off_issues']);

/** The editor: text on the left, what the server says to it on the right, and below the way to save it. */
@Component({
  selector: 'cs-edit-page',
  imports: [
    Diff,
    DraftChecks,
    Empty,
    Failure,
    MatFormField,
    MatInput,
    MatLabel,
    MatTabLink,
    MatTabNav,
    MatTabNavPanel,
    ReplaySummary,
    ReplayTable,
    RouterLink,
    RuleCard,
    RuleChanges,
    Said,
    Skeleton,
    YamlEditor,
  ],
  templateUrl: './edit-page.html',
  styleUrl: './edit-page.css',
})
export class EditPage {
  readonly #router = inject(Router);
  readonly #askFirst = inject(AskFirst);
  readonly #toast = inject(MatSnackBar);
  readonly #params = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  private readonly editorRef = viewChild(YamlEditor);

  protected readonly me = inject(Me);
  protected readonly policy = inject(PolicyStore);
  protected readonly draft = inject(DraftStore);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly sides = SIDES;
  protected readonly sideWords = SIDE_WORDS;
  protected readonly dayChoices = DAYS;
  protected readonly days = signal(7);
  protected readonly side = computed<Side>(() => SIDES.find((one) => one === this.#params().get('side')) ?? 'checks');
  protected readonly marked = computed<readonly Marked[]>(() => {
    const check = this.draft.check();
    if (check === undefined) return [];
    return [
      ...check.issues.map((issue) => ({ ...issue, severity: 'error' as const })),
      ...check.warnings.map((issue) => ({ ...issue, severity: 'warning' as const })),
    ];
  });
  protected readonly difference = computed(() => lineDiff(this.policy.inForce()?.yaml ?? '', this.draft.text()));
  protected readonly mayReplay = computed(
    () => this.draft.busy() === undefined && this.draft.check()?.ok === true && !this.draft.isConflict(),
  );
  protected readonly off = computed(() => {
    const gate = this.draft.gate();
    return gate === undefined ? '' : this.t(gate, { n: this.draft.looserLeft() });
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('tab_edit'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
  }

  protected badge(side: Side): number {
    const check = this.draft.check();
    if (side === 'checks') return check === undefined ? 0 : check.issues.length + check.examples.filter((one) => !one.ok).length;
    return side === 'replay' ? this.draft.looserLeft() : 0;
  }

  protected goTo(line: number): void {
    this.editorRef()?.goTo(line);
  }

  protected async replay(): Promise<void> {
    if (this.mayReplay()) await this.draft.replayOver(this.days());
  }

  protected async save(): Promise<void> {
    const gate = this.draft.gate();
    if (gate !== undefined) {
      this.#showWhatIsMissing(gate);
      return;
    }
    if (!(await this.#mayGetLooser()) || !(await this.#mayDropRules())) return;
    const version = await this.draft.save();
    if (version === undefined) return;
    this.#toast.open(this.t('saved_version', { n: version }), undefined, { duration: 4_000 });
    await this.#router.navigate(['/policy/versions'], { queryParams: { version } });
  }

  protected async drop(): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('drop_draft_title'),
      text: this.t('drop_draft_text'),
      act: this.t('drop_draft_act'),
      isDanger: true,
    });
    if (isSure) this.draft.drop();
  }

  /** A press on a closed button leads to what keeps it closed. */
  #showWhatIsMissing(gate: WordKey): void {
    if (gate === 'save_off_note') document.getElementById('note')?.focus();
    const side: Side = CHECK_FIRST.has(gate) ? 'checks' : 'replay';
    if (gate !== 'save_off_note') void this.#router.navigate([], { queryParams: { side }, queryParamsHandling: 'merge' });
  }

  async #mayGetLooser(): Promise<boolean> {
    const replay = this.draft.replay();
    if (replay === undefined || replay.looser === 0) return true;
    return this.#askFirst.confirm({
      title: this.t('save_looser_title'),
      text: this.words.many('save_looser_text', replay.looser, { days: this.words.many('n_days', replay.days) }),
      list: this.draft
        .rows()
        .filter((row) => row.change === 'looser')
        .slice(0, 8)
        .map((row) => spelled(row.command)),
      act: this.t('save_version', { n: this.draft.from() + 1 }),
      isDanger: true,
    });
  }

  async #mayDropRules(): Promise<boolean> {
    const removed = this.draft.check()?.diff?.removed ?? [];
    if (removed.length === 0) return true;
    return this.#askFirst.confirm({
      title: this.t('save_removes_title'),
      text: this.t('save_removes_text'),
      list: removed.map(spelled),
      act: this.t('save_version', { n: this.draft.from() + 1 }),
      isDanger: true,
    });
  }
}
