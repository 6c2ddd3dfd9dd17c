import { Component, computed, inject, input, output, signal } from '@angular/core';
import type { Answer, Ask, AskDelivery, AskQuestion, QuestionAnswer } from '#contracts';
import { hasScope } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { mayDecide } from '../../core/may-decide.js';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import { Failure } from '../../shared/failure.js';
import { Said } from '../../shared/said.js';
import { Text } from '../../shared/text.js';

const WAYS = {
  none: 'way_none',
  sent: 'way_sent',
  accepted: 'way_accepted',
  applied: 'way_applied',
  failed: 'way_failed',
} as const satisfies Record<AskDelivery, string>;

/** What an agent in a host asks: its call with our own facts first, or its questions as a form. Nothing is chosen beforehand. */
@Component({
  selector: 'cs-host-ask',
  imports: [Failure, Said, Text],
  templateUrl: './host-ask.html',
  styles: `
    :host,
    form,
    fieldset {
      display: grid;
      gap: 12px;
    }
    fieldset {
      border: 0;
      padding: 0;
    }
    .cmd {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    textarea {
      width: 100%;
      min-height: 64px;
    }
    .acts {
      display: flex;
      gap: 8px;
      justify-content: flex-end;
      flex-wrap: wrap;
    }
  `,
})
export class HostAsk {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #stream = inject(EventStream);
  readonly ask = input.required<Ask>();
  readonly changed = output();

  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly sending = signal(false);
  /** The second step of an approval that is dangerous. */
  protected readonly signing = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  readonly #chosen = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  readonly #written = signal<ReadonlyMap<string, string>>(new Map());

  protected readonly way = computed(() => this.t(WAYS[this.ask().delivery ?? 'none']));
  protected readonly mayAnswer = computed(() => {
    const ask = this.ask();
    const me = this.#me.principal();
    const answers = ask.kind === 'host_question' && me !== null && hasScope(me, 'relay:drive', ask.workspaceId);
    return ask.status === 'open' && this.#stream.mayDecide() && (answers || mayDecide(ask, me) === 'yes');
  });
  protected readonly left = computed(() => {
    const given = this.ask().answers ?? [];
    return (this.ask().questions ?? []).filter(({ id }) => !given.some((one) => one.id === id));
  });
  /** Those that the person has answered here; they are held until they are sent. */
  protected readonly held = computed(() => this.left().flatMap((question) => this.#answerTo(question)));

  protected isChosen({ id }: AskQuestion, label: string): boolean {
    return this.#chosen().get(id)?.includes(label) ?? false;
  }

  protected choose({ id, multiSelect }: AskQuestion, label: string): void {
    const before = this.#chosen().get(id) ?? [];
    const now = multiSelect !== true ? [label] : before.includes(label) ? before.filter((one) => one !== label) : [...before, label];
    this.#chosen.set(new Map(this.#chosen()).set(id, now));
  }

  protected write({ id }: AskQuestion, area: EventTarget | null): void {
    if (area instanceof HTMLTextAreaElement) this.#written.set(new Map(this.#written()).set(id, area.value));
  }

  protected approve(): void {
    const { risk } = this.ask();
    if ((risk === 'high' || risk === 'blocked') && !this.signing()) this.signing.set(true);
    else void this.vote('approve');
  }

  protected vote(answer: Answer): Promise<void> {
    return this.#send('votes', { answer, digest: this.ask().digest });
  }

  protected give(event: Event): void {
    event.preventDefault();
    if (this.held().length > 0) void this.#send('answers', { digest: this.ask().digest, answers: this.held() });
  }

  #answerTo({ id }: AskQuestion): readonly QuestionAnswer[] {
    const selected = this.#chosen().get(id) ?? [];
    const custom = this.#written().get(id)?.trim() ?? '';
    return selected.length === 0 && custom === '' ? [] : [{ id, selected, ...(custom !== '' && { custom }) }];
  }

  async #send(door: 'votes' | 'answers', body: unknown): Promise<void> {
    this.sending.set(true);
    this.failure.set(undefined);
    try {
      await this.#api.post<Ask>(`asks/${this.ask().id}/${door}`, body);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
    this.sending.set(false);
    this.signing.set(false);
    this.changed.emit();
  }
}
