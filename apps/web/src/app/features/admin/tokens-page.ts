import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatCheckbox } from '@angular/material/checkbox';
import { MatSnackBar } from '@angular/material/snack-bar';
import { AGENT_SCOPES, SCOPES, TOOL_FAMILIES } from '#contracts';
import type { CreatedToken, Scope, TokenInfo, ToolFamily, WorkspaceId } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Now } from '../../core/now.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Copy } from '../../shared/copy.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Proved } from '../../shared/proved.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { Listed } from './listed.js';

const DAYS = [7, 30, 90, 365] as const;

/** Tokens of agents and scripts: made here, shown once, revoked by their name. */
@Component({
  selector: 'cs-tokens-page',
  imports: [Copy, Empty, Failure, Icon, MatCheckbox, MatFormField, MatInput, MatLabel, Skeleton, Text, Time],
  templateUrl: './tokens-page.html',
  styleUrl: './admin.css',
})
export class TokensPage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #snack = inject(MatSnackBar);
  readonly #proved = inject(Proved);
  readonly #now = inject(Now);
  readonly #me = inject(Me);
  protected readonly t = inject(Words).say;
  protected readonly days = DAYS;
  protected readonly families = TOOL_FAMILIES;
  protected readonly workspaces = inject(Workspaces);
  protected readonly q = signal('');
  protected readonly places = signal<readonly WorkspaceId[]>([]);
  protected readonly tools = signal<readonly ToolFamily[]>([]);
  protected readonly rate = signal('');
  protected readonly list = new Listed<TokenInfo>('tokens', (event) => event.type === 'token.changed');
  protected readonly isOpen = signal(false);
  protected readonly name = signal('');
  protected readonly scopes = signal<readonly Scope[]>(AGENT_SCOPES);
  protected readonly expires = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly created = signal<CreatedToken | undefined>(undefined);
  /** Only scopes that the person has can be given away. */
  protected readonly allScopes = computed(() => SCOPES.filter((scope) => this.#me.can(scope)));
  protected readonly rows = computed(() => {
    const words = this.q().trim().toLowerCase();
    const items = this.list.items();
    return items === undefined
      ? undefined
      : items
          .filter(({ name, createdByName }) => `${name} ${createdByName}`.toLowerCase().includes(words))
          .sort((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || b.createdAt - a.createdAt);
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('tokens'), path: [{ text: this.t('admin'), link: '/admin/tokens' }] }));
  }

  /** The successor of a token is for the person behind it only. */
  protected isOwn({ personId }: TokenInfo): boolean {
    return personId === null || personId === this.#me.principal()?.id;
  }

  protected isDead(token: TokenInfo): boolean {
    return token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= this.#now.ms());
  }

  protected toggle(scope: Scope): void {
    this.scopes.update((scopes) => (scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]));
  }

  protected async create(): Promise<void> {
    if (this.isBusy() || this.name().trim() === '' || this.scopes().length === 0) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const expiresInDays = this.expires() === '' ? {} : { expiresInDays: Number(this.expires()) };
      const bounds = {
        ...(this.places().length > 0 && { workspaces: this.places() }),
        ...(this.tools().length > 0 && { toolFamilies: this.tools() }),
        ...(this.rate() !== '' && { ratePerMinute: Number(this.rate()) }),
      };
      const body = { name: this.name().trim(), scopes: this.scopes(), ...expiresInDays, ...bounds };
      this.created.set(await this.#proved.run(() => this.#api.post<CreatedToken>('tokens', body)));
      this.isOpen.set(false);
      this.name.set('');
      void this.list.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  protected togglePlace(id: WorkspaceId): void {
    this.places.update((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]));
  }

  protected toggleTools(family: ToolFamily): void {
    this.tools.update((families) => (families.includes(family) ? families.filter((one) => one !== family) : [...families, family]));
  }

  /** What bounds a token besides its scopes. */
  protected boundsOf({ workspaces, toolFamilies, ratePerMinute }: TokenInfo): string {
    const places = workspaces?.map((id) => this.workspaces.all().find((one) => one.id === id)?.name ?? id.slice(0, 8)).join(', ');
    const rate = ratePerMinute === null ? [] : [this.t('rate_is', { n: ratePerMinute })];
    return [places ?? this.t('everywhere'), toolFamilies?.join(', ') ?? this.t('every_tool'), ...rate].join(' · ');
  }

  protected async rotate(token: TokenInfo): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('rotate_title', { name: token.name }),
      text: this.t('rotate_text'),
      act: this.t('rotate_act'),
      isDanger: false,
    });
    if (!isSure) return;
    this.failure.set(undefined);
    try {
      this.created.set(await this.#proved.run(() => this.#api.post<CreatedToken>(`tokens/${token.id}/rotate`)));
      void this.list.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }

  protected async revoke(token: TokenInfo): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('revoke_title', { name: token.name }),
      text: this.t('revoke_text'),
      act: this.t('revoke_act', { name: token.name }),
      isDanger: true,
      typed: token.name,
    });
    if (!isSure) return;
    this.failure.set(undefined);
    try {
      await this.#api.delete(`tokens/${token.id}`);
      this.#snack.open(this.t('revoked', { name: token.name }), undefined, { duration: 4000 });
      void this.list.load();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}
