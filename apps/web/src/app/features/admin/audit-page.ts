import { Component, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { RouterLink } from '@angular/router';
import type { AuditEntry, Page } from '#contracts';
import { Api, ApiError, apiUrl, queryOf } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';

interface Kind {
  readonly action: string;
  readonly word: WordKey;
}

const KINDS: readonly Kind[] = [
  { action: '', word: 'audit_any' },
  { action: 'person.', word: 'audit_people' },
  { action: 'invite.', word: 'audit_invites' },
  { action: 'token.', word: 'audit_tokens' },
  { action: 'sign_in_rules.', word: 'audit_rules' },
  { action: 'workspace.', word: 'audit_workspaces' },
  { action: 'policy.', word: 'audit_policy' },
  { action: 'key.', word: 'audit_keys' },
];

/** Every administrative change with what was and what is; each leads to its receipt. */
@Component({
  selector: 'cs-audit-page',
  imports: [Empty, Failure, MatFormField, MatInput, MatLabel, RouterLink, Skeleton, Text, Time],
  templateUrl: './audit-page.html',
  styleUrl: './audit-page.css',
})
export class AuditPage {
  readonly #api = inject(Api);
  protected readonly t = inject(Words).say;
  protected readonly kinds = KINDS;
  protected readonly q = signal('');
  protected readonly action = signal('');
  protected readonly entries = signal<readonly AuditEntry[] | undefined>(undefined);
  protected readonly next = signal<string | null>(null);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('audit'), path: [{ text: this.t('admin'), link: '/admin/tokens' }] }));
    void this.load();
  }

  protected filter(part: { readonly q?: string; readonly action?: string }): void {
    if (part.q !== undefined) this.q.set(part.q);
    if (part.action !== undefined) this.action.set(part.action);
    void this.load();
  }

  protected load(): Promise<void> {
    return this.#read(null, []);
  }

  protected more(): Promise<void> {
    return this.#read(this.next(), this.entries() ?? []);
  }

  protected exportUrl(format: 'csv' | 'jsonl'): string {
    return apiUrl(`audit/export${queryOf({ format, q: this.q(), action: this.action() })}`);
  }

  protected shown(value: unknown): string {
    return value === null || value === undefined ? '–' : JSON.stringify(value);
  }

  async #read(before: string | null, known: readonly AuditEntry[]): Promise<void> {
    const wanted = queryOf({ q: this.q(), action: this.action(), before, limit: 50 });
    try {
      const { items, next } = await this.#api.get<Page<AuditEntry>>(`audit${wanted}`);
      this.entries.set([...known, ...items]);
      this.next.set(next);
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}
