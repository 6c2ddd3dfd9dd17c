import { Service, computed, inject, signal } from '@angular/core';
import { hasScope, hasScopeSomewhere } from '#contracts';
import type { AuthState, PendingSignIn, Principal, Scope, WorkspaceId } from '#contracts';
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
  readonly isAdmin = computed(() => this.principal()?.scopes.includes('admin') === true);

  /** In this workspace; without one, in any. */
  can(scope: Scope, workspaceId?: WorkspaceId | null): boolean {
    const me = this.principal();
    if (me === null) return false;
    if (me.scopes.includes('admin')) return true;
    return workspaceId === undefined ? hasScopeSomewhere(me, scope) : hasScope(me, scope, workspaceId);
  }

  /** True while this person may set up a second factor and nothing else. */
  readonly mustEnrol = computed(() => this.principal()?.proof?.mustEnrol === true);

  /** Asks the server who this is. Keeps the answer; throws when nothing answers. */
  async refresh(): Promise<void> {
    this.#take(await this.#api.get<AuthState>('auth/state'));
  }

  /** True once the server has been asked. */
  get isKnown(): boolean {
    return this.#state() !== undefined;
  }

  /** What is still needed, for who has a second factor. */
  async login(name: string, password: string): Promise<PendingSignIn | undefined> {
    const { secondFactor } = await this.#api.post<AuthState>('auth/login', { name, password });
    if (!secondFactor) await this.refresh();
    return secondFactor;
  }

  async second(ticket: string, proof: object): Promise<void> {
    await this.#api.post('auth/login/second', { ticket, ...proof });
    await this.refresh();
  }

  async accept(token: string, name: string, password: string): Promise<void> {
    await this.#api.post('auth/invite', { token, name, password });
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
