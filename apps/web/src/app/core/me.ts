import { Service, computed, inject, signal } from '@angular/core';
import type { AuthState, Principal, Scope } from '#contracts';
import { Api } from './api.js';

/** Owner of who is signed in here. The server's answer is the only source. */
@Service()
export class Me {
  readonly #api = inject(Api);
  readonly #state = signal<AuthState | undefined>(undefined);
  /** An answer that says the session is over empties it at once. */
  readonly #endedAt = this.#api.signedOut;
  readonly #signedInAt = signal(0);

  readonly principal = computed<Principal | null>(() => (this.#endedAt() > this.#signedInAt() ? null : (this.#state()?.me ?? null)));
  readonly hasOwner = computed(() => this.#state()?.hasOwner ?? true);
  readonly isAdmin = computed(() => this.can('admin'));

  can(scope: Scope): boolean {
    const me = this.principal();
    return me !== null && (me.scopes.includes(scope) || me.scopes.includes('admin'));
  }

  /** Asks the server who this is. Keeps the answer; throws when nothing answers. */
  async refresh(): Promise<void> {
    this.#take(await this.#api.get<AuthState>('auth/state'));
  }

  /** True once the server has been asked. */
  get isKnown(): boolean {
    return this.#state() !== undefined;
  }

  async login(name: string, password: string): Promise<void> {
    await this.#api.post('auth/login', { name, password });
    await this.refresh();
  }

  async welcome(token: string, name: string, password: string): Promise<void> {
    await this.#api.post('auth/welcome', { token, name, password });
    await this.refresh();
  }

  async logout(): Promise<void> {
    await this.#api.post('auth/logout');
    this.#api.sessionEnded();
    await this.refresh();
  }

  #take(state: AuthState): void {
    this.#signedInAt.set(this.#api.signedOut());
    this.#state.set(state);
    this.#api.useCsrf(state.csrfToken);
  }
}
