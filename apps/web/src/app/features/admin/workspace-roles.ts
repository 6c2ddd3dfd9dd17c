import { Component, inject, input, output } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import { ROLES } from '#contracts';
import type { Role, WorkspaceId, WorkspaceRoles } from '#contracts';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { Text } from '../../shared/text.js';

/** Roles in single workspaces, as ticks. */
@Component({
  selector: 'cs-workspace-roles',
  imports: [MatCheckbox, Text],
  template: `
    <fieldset class="field">
      <legend>{{ t('workspace_roles') }}</legend>
      @for (one of workspaces.all(); track one.id) {
        <div class="row">
          <cs-text class="name" [text]="one.name" />
          @for (role of roles; track role) {
            <mat-checkbox [checked]="has(one.id, role)" (change)="toggle(one.id, role)">{{ t(roleWord(role)) }}</mat-checkbox>
          }
        </div>
      }
    </fieldset>
  `,
  styles: `
    legend {
      font: 500 13px/20px var(--sans);
      padding: 0;
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 2px 10px;
    }
    .name {
      min-width: 12ch;
    }
  `,
})
export class WorkspaceRolesForm {
  readonly held = input.required<WorkspaceRoles>();
  readonly changed = output<WorkspaceRoles>();
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly roles = ROLES;

  protected roleWord(role: Role): `role_${Role}` {
    return `role_${role}`;
  }

  protected has(id: WorkspaceId, role: Role): boolean {
    return this.held()[id]?.includes(role) === true;
  }

  protected toggle(id: WorkspaceId, role: Role): void {
    const roles = this.held()[id] ?? [];
    const after = roles.includes(role) ? roles.filter((one) => one !== role) : [...roles, role];
    this.changed.emit({ ...this.held(), [id]: after });
  }
}
