import { Injectable } from '@nestjs/common';
import type { PersonInfo, Principal, PrincipalId, Role, WorkspaceRoles } from '#contracts';
import { AppError, Clock, newId, unwrap, type Tx } from '#platform';
import { AdminChanges, type Change } from './admin-changes.js';
import { checkAdministrator } from './core/grants.js';
import { readName } from './core/names.js';
import { checkPassword } from './core/password-rules.js';
import { describeRoles, isAdminThere, readRoles } from './core/held-roles.js';
import { Passwords } from './passwords.js';
import { AccountLinkRepository, ConsoleSessionRepository, PersonRepository, TokenRepository } from './ports.js';
import { changed } from './tokens.js';

export interface CreatePerson {
  readonly by: Principal;
  readonly name: string;
  readonly password: string;
  readonly roles: readonly Role[];
  readonly workspaceRoles?: WorkspaceRoles | undefined;
}

export interface ChangePerson {
  readonly by: Principal;
  readonly id: PrincipalId;
  readonly roles: readonly Role[] | undefined;
  readonly workspaceRoles?: WorkspaceRoles | undefined;
  readonly disabled: boolean | undefined;
}

/** Owner of people and their roles. There is always one admin who can sign in. */
@Injectable()
export class People {
  constructor(
    private readonly people: PersonRepository,
    private readonly tokens: TokenRepository,
    private readonly sessions: ConsoleSessionRepository,
    private readonly links: AccountLinkRepository,
    private readonly passwords: Passwords,
    private readonly admin: AdminChanges,
    private readonly clock: Clock,
  ) {}

  async list(by: Principal): Promise<readonly PersonInfo[]> {
    unwrap(checkAdministrator(by));
    return this.people.list();
  }

  async create({ by, name: typed, password, roles, workspaceRoles = {} }: CreatePerson): Promise<PersonInfo> {
    unwrap(checkAdministrator(by));
    const { name, key: nameKey } = unwrap(readName(typed));
    const held = unwrap(readRoles(roles, workspaceRoles));
    const passwordHash = await this.passwords.hash(unwrap(checkPassword(password, nameKey)));
    const person: PersonInfo = { id: newId(), name, ...held, hasSecondFactor: false, createdAt: this.clock.now(), disabledAt: null };
    await this.admin.make(by, async (tx) => {
      if (!(await this.people.insert(tx, { person, nameKey, passwordHash }))) {
        throw new AppError('PERSON_NAME_TAKEN', 'Somebody has this name already', { path: 'name' });
      }
      const details = { person_id: person.id, name, before: null, after: factsOf(person) };
      return { action: 'person.created', did: `added ${name} as ${describeRoles(person)}`, details, changes: [moved(person.id)] };
    });
    return person;
  }

  /** Roles count at once, on open sessions and tokens too. Disabling also ends both. */
  async change({ by, id, roles, workspaceRoles, disabled }: ChangePerson): Promise<PersonInfo> {
    unwrap(checkAdministrator(by));
    let person: PersonInfo | undefined;
    await this.admin.make(by, async (tx) => {
      await this.people.lockAdmins(tx);
      const before = await this.people.find(id, tx);
      if (!before) throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId: id });
      const after: PersonInfo = {
        ...before,
        ...unwrap(readRoles(roles ?? before.roles, workspaceRoles ?? before.workspaceRoles)),
        disabledAt: disabled === undefined ? before.disabledAt : disabled ? (before.disabledAt ?? this.clock.now()) : null,
      };
      person = after;
      if (differences(before, after).length === 0) return null;
      const changes = await this.#move(tx, before, after);
      const details = { person_id: id, name: after.name, before: factsOf(before), after: factsOf(after) };
      return { action: 'person.changed', did: differences(before, after).join(' and '), details, changes };
    });
    if (!person) throw new Error('A change ended without a person');
    return person;
  }

  async #move(tx: Tx, before: PersonInfo, after: PersonInfo): Promise<readonly Change[]> {
    if (!(await this.people.move(tx, before, after))) throw new Error('A person changed under the lock');
    if ((await this.people.countAdmins(tx)) === 0) {
      throw new AppError('LAST_ADMIN', 'The last admin stays an admin; make another one first', { personId: after.id });
    }
    // Who may not invite any more has not invited either.
    if (!isAdminThere(after)) await this.links.endMadeBy(tx, after.id, this.clock.now());
    if (before.disabledAt === after.disabledAt) return [moved(after.id)];
    await this.links.endResetsOf(tx, after.id, this.clock.now());
    // Also when they are enabled again: nothing from before comes back to life.
    await this.sessions.removeAllOf(after.id, { tx });
    const revoked = await this.tokens.revokeAllOf(tx, after.id, this.clock.now());
    return [moved(after.id), ...revoked.map((tokenId) => changed({ id: tokenId, personId: after.id }))];
  }
}

/** The event of a person that changed. */
export function moved(personId: PrincipalId): Change {
  return { owner: personId, event: { type: 'person.changed', personId } };
}

function factsOf({ roles, workspaceRoles, disabledAt }: PersonInfo): Readonly<Record<string, unknown>> {
  return { roles, workspace_roles: workspaceRoles, disabled: disabledAt !== null };
}

function differences(before: PersonInfo, after: PersonInfo): readonly string[] {
  const facts: string[] = [];
  if (describeRoles(before) !== describeRoles(after)) facts.push(`changed the roles of ${after.name} to ${describeRoles(after)}`);
  if (before.disabledAt !== after.disabledAt) facts.push(`${after.disabledAt === null ? 'enabled' : 'disabled'} ${after.name}`);
  return facts;
}
