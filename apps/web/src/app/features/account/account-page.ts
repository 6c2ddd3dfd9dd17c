import { Component, inject, signal } from '@angular/core';
import { Router } from '@angular/router';
import type { FactorsInfo, SignInInfo } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Copy } from '../../shared/copy.js';
import { Failure } from '../../shared/failure.js';
import { Proved } from '../../shared/proved.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { NewFactor } from './new-factor.js';

interface Codes {
  readonly recoveryCodes: readonly string[];
}

/** One's own account: where one is signed in, and what proves that it is oneself. */
@Component({
  selector: 'cs-account-page',
  imports: [Copy, Failure, NewFactor, Text, Time],
  templateUrl: './account-page.html',
  styleUrl: './account-page.css',
})
export class AccountPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #proved = inject(Proved);
  readonly #router = inject(Router);
  protected readonly me = inject(Me);
  protected readonly t = inject(Words).say;
  protected readonly sessions = signal<readonly SignInInfo[]>([]);
  protected readonly factors = signal<FactorsInfo | undefined>(undefined);
  protected readonly codes = signal<readonly string[]>([]);
  protected readonly adding = signal<'totp' | 'passkey' | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('account') }));
    void this.load();
  }

  protected load(): Promise<void> {
    return this.#attempt(() => Promise.resolve());
  }

  protected end({ id, isThis }: SignInInfo): Promise<void> {
    if (isThis) return this.me.logout().then(() => void this.#router.navigateByUrl('/login'));
    return this.#attempt(() => this.#api.delete(`auth/sessions/${id}`));
  }

  protected endOthers(): Promise<void> {
    return this.#attempt(() => this.#api.post('auth/sessions/end-others'));
  }

  /** A factor was set up; codes come with the first. */
  protected async added(codes: readonly string[]): Promise<void> {
    this.adding.set(undefined);
    this.codes.set(codes);
    await this.load();
    await this.me.refresh();
  }

  protected async remove(path: string, name: string): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('remove_factor_title', { name }),
      text: this.t('remove_factor_text'),
      act: this.t('remove_factor_act'),
      isDanger: true,
    });
    if (isSure) await this.#attempt(() => this.#proved.run(() => this.#api.delete(`auth/factors/${path}`)));
  }

  protected renewCodes(): Promise<void> {
    return this.#attempt(async () => {
      this.codes.set((await this.#proved.run(() => this.#api.post<Codes>('auth/factors/recovery'))).recoveryCodes);
    });
  }

  async #attempt(call: () => Promise<unknown>): Promise<void> {
    this.failure.set(undefined);
    try {
      await call();
      const [{ items }, factors] = await Promise.all([
        this.#api.get<{ items: readonly SignInInfo[] }>('auth/sessions'),
        this.#api.get<FactorsInfo>('auth/factors'),
      ]);
      this.sessions.set(items);
      this.factors.set(factors);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}
