import { Component, computed, inject, signal } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { ROLES } from '#contracts';
import type { AccountLink, InviteInfo, Role, WorkspaceRoles } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Words } from '../../core/say.js';
import { Copy } from '../../shared/copy.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Proved } from '../../shared/proved.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { Listed } from './listed.js';
import { WorkspaceRolesForm } from './workspace-roles.js';

/** Invitations: a link is made here, shown once, and can be taken back while nobody used it. */
@Component({
  selector: 'cs-invites',
  imports: [Copy, Failure, Icon, MatCheckbox, MatFormField, MatInput, MatLabel, Text, Time, WorkspaceRolesForm],
  templateUrl: './invites.html',
  styleUrl: './admin.css',
})
export class Invites {
  readonly #api = inject(Api);
  readonly #proved = inject(Proved);
  protected readonly t = inject(Words).say;
  protected readonly roles = ROLES;
  protected readonly list = new Listed<InviteInfo>('people/invites', (event) => event.type === 'person.changed');
  protected readonly isOpen = signal(false);
  protected readonly note = signal('');
  protected readonly chosen = signal<readonly Role[]>(['viewer']);
  protected readonly places = signal<WorkspaceRoles>({});
  protected readonly made = signal<AccountLink | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isReady = computed(
    () => !this.isBusy() && (this.chosen().length > 0 || Object.values(this.places()).some((roles) => roles.length > 0)),
  );

  protected roleWord(role: Role): `role_${Role}` {
    return `role_${role}`;
  }

  protected toggle(role: Role): void {
    this.chosen.update((roles) => (roles.includes(role) ? roles.filter((one) => one !== role) : [...roles, role]));
  }

  protected async invite(): Promise<void> {
    if (!this.isReady()) return;
    await this.#attempt(async () => {
      const body = { roles: this.chosen(), workspaceRoles: this.places(), note: this.note().trim() };
      this.made.set(await this.#proved.run(() => this.#api.post<AccountLink>('people/invites', body)));
      this.isOpen.set(false);
    });
  }

  protected async takeBack({ id }: InviteInfo): Promise<void> {
    await this.#attempt(() => this.#api.delete(`people/invites/${id}`));
  }

  protected rolesOf({ roles, workspaceRoles }: InviteInfo): string {
    return [...new Set([...roles, ...Object.values(workspaceRoles).flat()])].map((role) => this.t(`role_${role}`)).join(', ');
  }

  async #attempt(call: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await call();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
      await this.list.load();
    }
  }
}
