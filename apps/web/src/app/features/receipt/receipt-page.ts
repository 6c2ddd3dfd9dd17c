import { Component, DestroyRef, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { ReceiptCheck } from '#contracts';
import { apiUrl } from '../../core/api.js';
import { Keys } from '../../core/keys.js';
import { Now } from '../../core/now.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { OPERATORS } from '../../core/text/argv-text.js';
import { bytesText, dayText, durationText, momentText, numberText, tookText } from '../../core/time-text.js';
import { Argv } from '../../shared/argv.js';
import { Digest } from '../../shared/digest.js';
import { download } from '../../shared/download.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { Said } from '../../shared/said.js';
import { Signatures } from '../../shared/signatures.js';
import type { Signature } from '../../shared/signatures.js';
import type { Shape } from '../../shared/shapes.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { nameOfCheck } from './checks.js';
import { ProofTree } from './proof-tree.js';
import { SharePreview } from './share-preview.js';
import { ReceiptStore } from './receipt.store.js';
import { Seal } from './seal.js';
import { sentenceOf } from './sentence.js';

const SHOWN_OUTPUT = 4_000;

/** One receipt as a document, and what this browser found when it checked it. */
@Component({
  selector: 'cs-receipt-page',
  imports: [Argv, Digest, Failure, Icon, Mark, ProofTree, RouterLink, Said, Seal, SharePreview, Signatures, Skeleton, Text],
  providers: [ReceiptStore],
  templateUrl: './receipt-page.html',
  styleUrl: './receipt-page.css',
})
export class ReceiptPage {
  readonly #router = inject(Router);
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly id = input.required<string>();

  protected readonly store = inject(ReceiptStore);
  protected readonly t = this.#words.say;
  protected readonly many = this.#words.many;
  protected readonly operators = OPERATORS;
  protected readonly verifierUrl = apiUrl('receipts/verifier');
  protected readonly bundleUrl = computed(() => apiUrl(`receipts/export?id=${this.id()}`));
  protected readonly isSharing = signal(false);
  /** Fields that stay readable in the copy for others. */
  protected readonly reveal = signal<readonly string[]>([]);
  protected readonly isOutputShown = signal(false);
  protected readonly address = computed(() => new URL(`receipts/${this.id()}`, document.baseURI).href);
  protected readonly number = computed(() => {
    const index = this.store.file()?.proof.ledger.index;
    return index === undefined ? '' : numberText(index, this.#words.lang());
  });
  protected readonly evidence = computed(() => this.store.file()?.evidence);
  protected readonly receipt = computed(() => this.store.file()?.receipt ?? null);
  protected readonly outcome = computed(() => this.evidence()?.outcome ?? this.receipt()?.status ?? 'recorded');
  protected readonly day = computed(() => dayText(this.#ms(this.evidence()?.at), this.#words.lang()));
  protected readonly sentence = computed(() => {
    const file = this.store.file();
    if (file === undefined) return '';
    const sentence = sentenceOf(file);
    return sentence === undefined ? file.evidence.summary : this.t(sentence.word, sentence.values);
  });
  protected readonly under = computed(() => {
    const receipt = this.receipt();
    if (receipt === null) return '';
    const took = tookText(receipt.duration_ms, this.#words.lang());
    if (receipt.exit_code !== null) return this.t('exit_code', { code: receipt.exit_code, took });
    return receipt.signal === null ? this.t('took', { took }) : this.t('exit_signal', { signal: receipt.signal, took });
  });
  protected readonly lines = computed<readonly Signature[]>(() => {
    const evidence = this.evidence();
    if (evidence === undefined) return [];
    const started = this.receipt()?.started_at;
    const votes = (evidence.approvals ?? []).map((one): Signature => ({
      shape: one.channel === 'policy' ? 'policy' : one.answer === 'approve' ? 'signed' : 'refused',
      name: one.channel === 'policy' ? this.t('policy') : one.name,
      note: `${this.#at(one.at)}, ${this.t(one.channel === 'policy' ? 'by_rule' : `channel_${one.channel}`)}`,
      isOpen: false,
    }));
    return [
      {
        shape: evidence.requester.kind === 'person' ? 'person' : 'bot',
        name: evidence.requester.name,
        note: `${this.t('asked_over', { channel: this.t(`channel_${evidence.requester.channel}`) })}${started === undefined ? '' : `, ${this.t('started_at', { time: this.#at(started) })}`}`,
        isOpen: false,
      },
      ...votes,
      {
        shape: 'brand',
        name: 'Countersign',
        note: this.t('sealed_at', { time: this.#at(evidence.at), key: this.store.file()?.proof.key.id.slice(0, 8) ?? '' }),
        isOpen: false,
      },
    ];
  });
  protected readonly sandboxText = computed(() => {
    const evidence = this.evidence();
    const facts = evidence?.sandbox;
    if (facts === undefined) return '';
    const name = facts.kind === 'none' ? '' : facts.version === null ? facts.kind : `${facts.kind} ${facts.version}`;
    const survivors = evidence?.survivors?.length ?? 0;
    const left = survivors === 0 ? this.t('no_survivors') : this.many('survivors', survivors);
    return [name, facts.seccomp ? 'seccomp' : '', left].filter((part) => part !== '').join(', ');
  });
  protected readonly outputText = computed(() => {
    const evidence = this.evidence();
    if (evidence?.stdout === undefined || evidence.stderr === undefined) return '';
    const redactions = evidence.stdout.redactions + evidence.stderr.redactions;
    const parts = [
      `stdout ${bytesText(evidence.stdout.bytes)}`,
      `stderr ${bytesText(evidence.stderr.bytes)}`,
      this.t(this.receipt()?.output_truncated === true ? 'output_cut' : 'output_kept'),
      redactions === 0 ? '' : this.many('n_redactions', redactions),
    ];
    return parts.filter((part) => part !== '').join(', ');
  });
  protected readonly limitText = computed(() => {
    const limits = this.evidence()?.limits;
    if (limits === undefined) return '';
    return `${durationText(limits.timeoutMs, this.#words.lang())} · ${this.t('per_stream', { size: bytesText(limits.maxOutputBytes) })}`;
  });
  protected readonly verifiedAt = computed(() => momentText(this.store.verification()?.at ?? 0, this.#now.ms(), this.#words.lang()));
  protected readonly brokenName = computed(() => {
    const broken = this.store.broken();
    return broken === undefined ? '' : this.nameOf(broken);
  });
  protected readonly growthLine = computed(() => {
    const growth = this.store.growth();
    if (growth === undefined) return undefined;
    const lang = this.#words.lang();
    const values =
      growth.is === 'first'
        ? {}
        : {
            from: numberText(growth.from.size, lang),
            to: numberText(growth.to.size, lang),
            time: momentText(growth.from.at, this.#now.ms(), lang),
          };
    const isWrong = growth.is === 'shrank' || growth.is === 'changed' || growth.is === 'other';
    const look = isWrong ? 'danger' : growth.is === 'first' ? 'mute' : 'ok';
    const shape: Shape = isWrong ? 'fail' : growth.is === 'first' ? 'planned' : 'done';
    return { text: this.t(`growth_${growth.is}`, values), isWrong, look, shape };
  });
  protected readonly siblings = computed(() => this.store.file()?.proof.ledger.inclusion?.hashes.length ?? 0);
  protected readonly reasons = computed(() => (this.evidence()?.approvals ?? []).filter((one) => one.reason !== null && one.reason !== ''));

  constructor() {
    inject(Place).at(() => ({
      title: this.number() === '' ? this.t('receipt') : this.t('receipt_n', { n: this.number() }),
      path: [{ text: this.t('receipts'), link: '/receipts' }],
    }));
    effect(() => {
      const id = this.id();
      untracked(() => {
        this.isSharing.set(false);
        this.isOutputShown.set(false);
        void this.store.open(id);
      });
    });
    effect(() => {
      const reveal = this.reveal();
      if (this.isSharing()) untracked(() => void this.store.loadShare(reveal));
    });
    inject(Keys).add(
      [
        { letter: 'v', word: 'key_verify', act: () => void this.store.verify() },
        { letter: 'Esc', word: 'key_back', act: () => void this.#router.navigateByUrl('/receipts') },
      ],
      inject(DestroyRef),
    );
  }

  protected nameOf(check: ReceiptCheck): string {
    const word = nameOfCheck(check.name);
    return word === undefined ? check.name : this.t(word);
  }

  protected took(ms: number): string {
    return tookText(ms, this.#words.lang());
  }

  protected cut(text: string): string {
    return text.length > SHOWN_OUTPUT ? `${text.slice(0, SHOWN_OUTPUT)}\n…` : text;
  }

  protected save(): void {
    const text = this.store.text();
    if (text !== undefined) download(`receipt-${this.id()}.json`, text, 'application/json');
  }

  protected saveShare(): void {
    const text = this.store.share();
    if (text !== undefined) download(`receipt-${this.id()}.share.json`, text, 'application/json');
  }

  protected print(): void {
    window.print();
  }

  protected showShare(): void {
    this.reveal.set([]);
    this.isSharing.set(true);
  }

  #ms(iso: string | undefined): number {
    return iso === undefined ? 0 : Date.parse(iso);
  }

  #at(iso: string): string {
    return momentText(this.#ms(iso), this.#now.ms(), this.#words.lang());
  }
}
