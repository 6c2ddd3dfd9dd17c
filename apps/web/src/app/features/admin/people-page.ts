import { Component, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatCheckbox } from '@angular/material/checkbox';
import { ROLES } from '#contracts';
import type { AccountLink, PersonInfo, Role, WorkspaceRoles } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Copy } from '../../shared/copy.js';
import { NewPassword } from '../../shared/new-password.js';
import { passwordHints } from '../../shared/password-hints.js';
import { Proved } from '../../shared/proved.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { Invites } from './invites.js';
import { Listed } from './listed.js';
import { WorkspaceRolesForm } from './workspace-roles.js';

/** People and their roles. A person is disabled, never deleted: their name stands in receipts. */
@Component({
  selector: 'cs-people-page',
  imports: [
    ...[Copy, Failure, Icon, Invites, MatCheckbox, MatFormField, MatInput, MatLabel, NewPassword, Skeleton, Text, Time],
    WorkspaceRolesForm,
  ],
  templateUrl: './people-page.html',
  styleUrl: './admin.css',
})
export class PeoplePage {
  readonly #api = inject(Api);
  readonly #askFirst = inject(AskFirst);
  readonly #proved = inject(Proved);
  protected readonly me = inject(Me);
  readonly #words = inject(Words);
  protected readonly t = this.#words.say;
  protected readonly many = this.#words.many;
  protected readonly roles = ROLES;
  protected readonly spelled = spelled;
  protected readonly list = new Listed<PersonInfo>('people', (event) => event.type === 'person.changed');
  protected readonly isOpen = signal(false);
  protected readonly name = signal('');
  protected readonly password = signal('');
  protected readonly chosen = signal<readonly Role[]>(['viewer']);
  /** The person whose roles in workspaces are being edited, with what they would be. */
  protected readonly editing = signal<{ readonly id: string; readonly held: WorkspaceRoles } | undefined>(undefined);
  protected readonly link = signal<AccountLink | undefined>(undefined);
  protected readonly factorRoles = signal<readonly Role[]>([]);
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    inject(Place).at(() => ({ title: this.t('people'), path: [{ text: this.t('admin'), link: '/admin/tokens' }] }));
    void this.#loadRules();
  }

  protected roleWord(role: Role): `role_${Role}` {
    return `role_${role}`;
  }

  protected placesOf({ workspaceRoles }: PersonInfo): number {
    return Object.keys(workspaceRoles).length;
  }

  protected async saveWorkspaces(): Promise<void> {
    const edited = this.editing();
    if (!edited) return;
    await this.#attempt(() => this.#api.patch(`people/${edited.id}`, { workspaceRoles: edited.held }));
    if (this.failure() === undefined) this.editing.set(undefined);
  }

  protected async offerReset(person: PersonInfo): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('reset_link_title', { name: person.name }),
      text: this.t('reset_link_text', { name: person.name }),
      act: this.t('invite_act'),
      isDanger: false,
    });
    if (!isSure) return;
    await this.#attempt(async () => {
      this.link.set(await this.#api.post<AccountLink>(`people/${person.id}/reset-link`));
    });
  }

  protected async removeFactors(person: PersonInfo): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('lost_factors_title', { name: person.name }),
      text: this.t('lost_factors_text'),
      act: this.t('remove_factor_act'),
      isDanger: true,
      typed: person.name,
    });
    if (isSure) await this.#attempt(() => this.#api.delete(`people/${person.id}/factors`));
  }

  protected async toggleRule(role: Role): Promise<void> {
    await this.#attempt(() => this.#api.patch('people/sign-in-rules', { secondFactorRoles: toggled(this.factorRoles(), role) }));
    await this.#loadRules();
  }

  async #loadRules(): Promise<void> {
    try {
      this.factorRoles.set((await this.#api.get<{ secondFactorRoles: readonly Role[] }>('people/sign-in-rules')).secondFactorRoles);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }

  protected isReady(): boolean {
    const isStrong = passwordHints(this.password(), this.name()).every((hint) => hint.isMet);
    return !this.isBusy() && this.name().trim() !== '' && this.chosen().length > 0 && isStrong;
  }

  protected toggleChosen(role: Role): void {
    this.chosen.update((roles) => toggled(roles, role));
  }

  protected async create(): Promise<void> {
    if (!this.isReady()) return;
    await this.#attempt(() => this.#api.post('people', { name: this.name().trim(), password: this.password(), roles: this.chosen() }));
    if (this.failure() === undefined) this.isOpen.set(false);
  }

  protected async toggleRole(person: PersonInfo, role: Role): Promise<void> {
    const roles = toggled(person.roles, role);
    const isGiven = roles.includes(role);
    const isSure = await this.#askFirst.confirm({
      title: this.t(isGiven ? 'role_give_title' : 'role_take_title', { name: person.name, role: this.t(`role_${role}`) }),
      text: this.t(`role_${role}_text`),
      act: this.t(isGiven ? 'role_give' : 'role_take'),
      isDanger: !isGiven,
    });
    if (isSure) await this.#attempt(() => this.#api.patch(`people/${person.id}`, { roles }));
    else await this.list.load();
  }

  protected async toggleDisabled(person: PersonInfo): Promise<void> {
    const disabled = person.disabledAt === null;
    const isSure = await this.#askFirst.confirm({
      title: this.t(disabled ? 'disable_title' : 'enable_title', { name: person.name }),
      text: this.t(disabled ? 'disable_text' : 'enable_text'),
      act: this.t(disabled ? 'disable' : 'enable'),
      isDanger: disabled,
      ...(disabled ? { typed: person.name } : {}),
    });
    if (isSure) await this.#attempt(() => this.#api.patch(`people/${person.id}`, { disabled }));
  }

  async #attempt(call: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await this.#proved.run(call);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
      await this.list.load();
    }
  }
}

function toggled(roles: readonly Role[], role: Role): readonly Role[] {
  return roles.includes(role) ? roles.filter((one) => one !== role) : [...roles, role];
}
