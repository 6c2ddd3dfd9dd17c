import { Component, computed, inject, input, signal } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import type { ConsentEnd, ConsentRequest, ConsentScope, Scope, WorkspaceId } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { Failure } from '../../shared/failure.js';
import { Paper } from '../../shared/paper.js';
import { Proved } from '../../shared/proved.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';

/** Where a client asks a person to act for them. Nothing is given before a tick and a click here. */
@Component({
  selector: 'cs-consent-page',
  imports: [Failure, MatCheckbox, Paper, Skeleton, Text],
  templateUrl: './consent-page.html',
  styleUrl: './consent-page.css',
})
export class ConsentPage {
  readonly #api = inject(Api);
  readonly #proved = inject(Proved);
  readonly #workspaces = inject(Workspaces);
  readonly #dropped = signal<ReadonlySet<Scope>>(new Set());
  readonly #added = signal<ReadonlySet<Scope>>(new Set());
  readonly uid = input.required<string>();
  protected readonly me = inject(Me);
  protected readonly t = inject(Words).say;
  protected readonly asked = signal<ConsentRequest | undefined>(undefined);
  protected readonly bound = signal<ReadonlySet<WorkspaceId>>(new Set());
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly workspaces = this.#workspaces.all;
  protected readonly chosen = computed(() =>
    (this.asked()?.scopes ?? []).filter((scope) => this.isChosen(scope)).map(({ scope }) => scope),
  );

  constructor() {
    document.title = `${this.t('consent_title')} · Countersign`;
    queueMicrotask(() => void this.#look());
  }

  protected isChosen({ scope, isGrantable, isPreset }: ConsentScope): boolean {
    return isGrantable && (isPreset ? !this.#dropped().has(scope) : this.#added().has(scope));
  }

  protected toggle({ scope, isPreset }: ConsentScope): void {
    (isPreset ? this.#dropped : this.#added).update((held) => toggled(held, scope));
  }

  protected bind(id: WorkspaceId): void {
    this.bound.update((held) => toggled(held, id));
  }

  protected wordOf(scope: Scope): `consent_scope_${Scope}` {
    return `consent_scope_${scope}`;
  }

  protected isDanger(scope: Scope): boolean {
    return scope === 'approvals:decide';
  }

  protected give(): Promise<void> {
    if (this.chosen().length === 0) return Promise.resolve();
    const workspaces = this.bound().size === 0 ? {} : { workspaces: [...this.bound()] };
    return this.#end(() =>
      this.#proved.run(() => this.#api.post<ConsentEnd>(this.#path('give'), { scopes: this.chosen(), ...workspaces })),
    );
  }

  protected refuse(): Promise<void> {
    return this.#end(() => this.#api.post<ConsentEnd>(this.#path('refuse')));
  }

  /** The server says where the browser goes on: an address of its own. */
  async #end(call: () => Promise<ConsentEnd>): Promise<void> {
    if (this.isBusy()) return;
    await this.#attempt(async () => {
      const { url } = await call();
      location.assign(url);
    });
  }

  #look(): Promise<void> {
    return this.#attempt(async () => {
      this.asked.set(await this.#api.get<ConsentRequest>(this.#path('request')));
      await this.#workspaces.load();
    });
  }

  #path(verb: string): string {
    return `consents/${encodeURIComponent(this.uid())}/${verb}`;
  }

  async #attempt(call: () => Promise<void>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await call();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}

function toggled<T>(held: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const after = new Set(held);
  if (!after.delete(one)) after.add(one);
  return after;
}
