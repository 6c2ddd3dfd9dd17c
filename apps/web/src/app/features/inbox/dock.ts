import { Component, DestroyRef, ElementRef, computed, effect, inject, input, output, signal, untracked, viewChild } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { Router, RouterLink } from '@angular/router';
import type { Ask, Plan, RememberScope } from '#contracts';
import { EventStream } from '../../core/event-stream.js';
import { Keys } from '../../core/keys.js';
import { Me } from '../../core/me.js';
import { Now } from '../../core/now.js';
import { OpenAsks } from '../../core/open-asks.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { momentText } from '../../core/time-text.js';
import type { WordKey } from '../../core/words.js';
import { shortDigest } from '../../shared/digest.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { Said } from '../../shared/said.js';
import { PlanEditor } from '../../shared/plan-editor.js';
import type { PlannedText } from '../../shared/plan-editor.js';
import { MARKS } from '../../shared/mark-sets.js';
import { touchName } from '../../shared/touch-name.js';
import { Signatures } from '../../shared/signatures.js';
import { Text } from '../../shared/text.js';
import type { Signature } from '../../shared/signatures.js';
import { namedTouches, verbsOf } from './allow-once.js';
import { AskStore } from './ask.store.js';
import { GUARD_MS, SIGN_AFTER_MS, needsSecondStep } from './dock-state.js';

const NAMED = 8;
const OFF: Readonly<Record<'own' | 'voted' | 'role' | 'among' | 'away' | 'unseen', WordKey>> = {
  among: 'not_among',
  own: 'own',
  voted: 'quorum',
  role: 'may_not_decide',
  away: 'reconnect',
  unseen: 'not_drawn',
};

/** Where a person countersigns: signature lines, the buttons, the second step, and in the end how it was decided. */
@Component({
  selector: 'cs-dock',
  imports: [
    Failure,
    Icon,
    Mark,
    MatFormField,
    MatInput,
    MatLabel,
    MatMenu,
    MatMenuItem,
    MatMenuTrigger,
    PlanEditor,
    RouterLink,
    Said,
    Signatures,
    Text,
  ],
  templateUrl: './dock.html',
  styleUrl: './dock.css',
})
export class Dock {
  readonly #router = inject(Router);
  readonly #me = inject(Me);
  readonly #words = inject(Words);
  readonly #now = inject(Now);
  readonly #stream = inject(EventStream);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef);
  private readonly outcomeRef = viewChild<ElementRef<HTMLElement>>('outcome');
  private readonly backRef = viewChild<ElementRef<HTMLElement>>('back');
  private readonly reasonBoxRef = viewChild<ElementRef<HTMLTextAreaElement>>('reasonBox');
  readonly ask = input.required<Ask>();
  readonly plan = input<Plan>();
  /** The workspace's own folder; paths inside it are named from there. */
  readonly root = input('');
  /** How much of a long command was on screen, from 0 to 1. */
  readonly readShare = input(1);
  readonly edited = output<string>();

  protected readonly store = inject(AskStore);
  protected readonly asks = inject(OpenAsks);
  protected readonly t = this.#words.say;
  protected readonly canSign = signal(false);
  protected readonly isEditing = signal(false);
  protected readonly reason = signal('');
  #changedAt = performance.now();
  #ruleNext = false;

  protected readonly view = this.store.dock;
  protected readonly isSecond = computed(() => needsSecondStep(this.ask(), this.plan()?.decision.stages));
  protected readonly isRead = computed(() => this.readShare() >= 0.995);
  protected readonly readFirst = computed(() => this.t('read_first', { share: Math.floor(this.readShare() * 100) }));
  protected readonly canEdit = computed(() => this.#me.can('terminal:plan') && this.plan() !== undefined);
  protected readonly off = computed(() => {
    const view = this.view();
    if (view?.kind !== 'off') return '';
    const time = momentText(this.#stream.seenAt(), this.#now.ms(), this.#words.lang());
    const groups = (this.ask().deciders ?? []).map(({ roles, people }) => [...roles, ...people].join(this.t('list_or')));
    return this.t(OFF[view.why], { time, n: this.ask().votes.length, all: this.ask().quorum, who: groups.join(this.t('list_comma')) });
  });
  protected readonly isSession = computed(() => this.store.remember() === 'session');
  protected readonly signLabel = computed(() => this.#label(verbsOf(this.plan()?.decision.stages ?? [])));
  /** Why it cannot be remembered for the session; empty when it can. */
  protected readonly notRemembered = computed(() => this.ask().notRemembered ?? '');
  protected readonly mayMakeRule = computed(() => this.#me.can('approvals:decide') && this.plan() !== undefined);
  protected readonly named = computed(() => {
    const touches = namedTouches(this.plan()?.decision.stages ?? []);
    return {
      shown: touches
        .slice(0, NAMED)
        .map((touch) => ({ verb: this.t(MARKS.touch[touch.role].word), target: spelled(touchName(touch, this.root())) })),
      more: Math.max(0, touches.length - NAMED),
    };
  });
  protected readonly digest = computed(() => shortDigest(this.ask().digest));
  protected readonly lines = computed<readonly Signature[]>(() => {
    const ask = this.ask();
    const at = (ms: number): string => momentText(ms, this.#now.ms(), this.#words.lang());
    const asked: Signature = {
      shape: ask.requesterPersonId === null && ask.requester === this.#me.principal()?.id ? 'person' : 'bot',
      name: ask.requesterName,
      note: [this.t('asked_at', { time: at(ask.createdAt) }), this.#behalf(ask)].filter((part) => part !== '').join(', '),
      isOpen: false,
    };
    const votes = ask.votes.map((vote): Signature => ({
      shape: vote.answer === 'approve' ? 'signed' : 'refused',
      name: vote.byName,
      note: at(vote.at),
      isOpen: false,
    }));
    if (ask.status !== 'open') return [asked, ...votes];
    return [
      asked,
      ...votes,
      { shape: null, name: this.t('not_signed'), note: this.t('you_digest', { digest: this.digest() }), isOpen: true },
    ];
  });
  protected readonly outcomeText = computed(() => {
    const ask = this.ask();
    const last = ask.votes.findLast((vote) => vote.answer === (ask.status === 'approved' ? 'approve' : 'deny'));
    const time = momentText(ask.resolvedAt ?? ask.expiresAt, this.#now.ms(), this.#words.lang());
    const who = last === undefined ? this.t('policy') : last.by === this.#me.principal()?.id ? this.t('you') : last.byName;
    const isOther = this.store.wasOpen() && last !== undefined && last.by !== this.#me.principal()?.id;
    if (isOther) return this.t('other', { who, answer: this.t(ask.status === 'approved' ? 'answer_approve' : 'answer_deny'), time });
    return this.t(OUTCOME_WORDS[ask.status], { who, time });
  });
  protected readonly reasonGiven = computed(() => this.ask().votes.findLast((vote) => vote.answer === 'deny' && vote.reason !== null));
  protected readonly nextAsk = computed(() => this.asks.mine().find((ask) => ask.id !== this.ask().id));
  protected readonly isOwner = computed(() => this.plan()?.owner === this.#me.principal()?.id);
  readonly #kind = computed(() => this.view()?.kind);

  constructor() {
    effect((cleanup) => {
      const kind = this.#kind();
      this.#changedAt = performance.now();
      this.canSign.set(false);
      if (kind !== 'second') return;
      const timer = setTimeout(() => {
        this.canSign.set(true);
      }, SIGN_AFTER_MS);
      cleanup(() => {
        clearTimeout(timer);
      });
    });
    effect(() => {
      const kind = this.#kind();
      const hadFocus = this.#element.nativeElement.contains(document.activeElement);
      untracked(() => {
        setTimeout(() => {
          this.#moveFocus(kind, hadFocus);
        });
      });
    });
    effect(() => {
      const isApproved = this.ask().status === 'approved';
      const plan = this.plan();
      if (!isApproved || !this.#ruleNext || plan === undefined) return;
      this.#ruleNext = false;
      untracked(() => void this.#router.navigate(['/policy/learn', plan.id]));
    });
    this.#addKeys();
  }

  protected approve(remember: RememberScope = 'once'): void {
    if (!this.#mayPress('ready') || !this.isRead()) return;
    if (this.isSecond()) this.store.go('second', remember);
    else void this.store.vote('approve', { remember });
  }

  protected approveForSession(): void {
    if (this.notRemembered() === '') this.approve('session');
  }

  /** The rule is made from the approved plan, so the approval comes first. */
  protected approveThenRule(): void {
    if (!this.#mayPress('ready') || !this.isRead()) return;
    this.#ruleNext = true;
    this.approve();
  }

  protected sign(): void {
    if (!this.#mayPress('second') || !this.canSign()) return;
    void this.store.vote('approve', { remember: this.store.remember() });
  }

  protected startReject(): void {
    if (this.#mayPress('ready')) this.store.go('reject');
  }

  protected reject(): void {
    if (!this.#mayPress('reject')) return;
    const reason = this.reason().trim();
    void this.store.vote('deny', { reason: reason === '' ? undefined : reason });
  }

  protected startEdit(): void {
    if (this.#mayPress('ready') && this.canEdit()) this.store.go('edit');
  }

  protected async edit(text: PlannedText): Promise<void> {
    this.isEditing.set(true);
    const id = await this.store.edit(text);
    this.isEditing.set(false);
    if (id !== undefined) this.edited.emit(id);
  }

  protected goBack(): void {
    this.#ruleNext = false;
    if (this.view()?.kind === 'closed') return;
    this.store.go('idle');
  }

  /** Nothing that was pressed for an earlier dock may act on the new one. */
  #mayPress(kind: string): boolean {
    return this.view()?.kind === kind && performance.now() - this.#changedAt >= GUARD_MS;
  }

  /** The person whose token asks. */
  #behalf({ requesterPersonId: person, requesterPersonName: name }: Ask): string {
    if (person === null) return '';
    if (person === this.#me.principal()?.id) return this.t('for_you');
    return name === undefined || name === null ? '' : this.t('for_person', { who: name });
  }

  #label(verbs: readonly WordKey[]): string {
    const joined = verbs.map((verb) => this.t(verb)).join(this.t('list_comma'));
    const label = this.t(this.isSession() ? 'sign2_session' : 'sign2', { verbs: joined });
    return label.charAt(0).toUpperCase() + label.slice(1);
  }

  /** The outcome takes focus only from the dock itself; the second step puts it on the safe button. */
  #moveFocus(kind: string | undefined, hadFocus: boolean): void {
    if (kind === 'second') this.backRef()?.nativeElement.focus();
    else if (kind === 'reject') this.reasonBoxRef()?.nativeElement.focus();
    else if (kind === 'closed' && hadFocus) this.outcomeRef()?.nativeElement.focus();
  }

  #addKeys(): void {
    inject(Keys).add(
      [
        { letter: 'a', word: 'key_approve', act: () => this.approve() },
        { letter: 'Shift+A', word: 'key_sign', act: () => this.sign() },
        { letter: 'r', word: 'key_reject', act: () => this.startReject() },
        { letter: 'e', word: 'key_edit', act: () => this.startEdit() },
      ],
      inject(DestroyRef),
    );
  }
}

const OUTCOME_WORDS: Readonly<Record<Ask['status'], WordKey>> = {
  open: 'ask_open',
  approved: 'approved_by',
  denied: 'denied',
  answered: 'ask_answered',
  expired: 'expired',
  cancelled: 'cancelled',
  host_gone: 'host_gone',
  unavailable: 'unavailable',
  unknown: 'unknown',
};
