import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountLink, InviteInfo, LinkId, LinkPurpose, PersonInfo, Principal, PrincipalId, Role, WorkspaceRoles } from '#contracts';
import { AppError, Clock, newId, PlatformConfig, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { hashOf, SECRET_BYTES, secretFrom } from './core/credentials.js';
import { checkAdministrator } from './core/grants.js';
import { describeRoles, readRoles } from './core/held-roles.js';
import { readName } from './core/names.js';
import { checkPassword } from './core/password-rules.js';
import { toPersonPrincipal } from './core/principals.js';
import { Passwords } from './passwords.js';
import { moved } from './people.js';
import { AccountLinkRepository, ConsoleSessionRepository, PersonRepository, TicketRepository, type OpenLink } from './ports.js';

const HOUR = 3_600_000;
const RESET_MS = HOUR;
const MAX_NOTE = 120;

export interface Invite {
  readonly by: Principal;
  readonly roles: readonly Role[];
  readonly workspaceRoles: WorkspaceRoles;
  readonly note: string;
  readonly expiresInHours: number;
}

export interface AcceptInvite {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/** Owner of one-use links that make a person or give one a new password. A secret leaves this class once, in its link. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly links: AccountLinkRepository,
    private readonly people: PersonRepository,
    private readonly sessions: ConsoleSessionRepository,
    private readonly tickets: TicketRepository,
    private readonly passwords: Passwords,
    private readonly admin: AdminChanges,
    private readonly config: PlatformConfig,
    private readonly clock: Clock,
  ) {}

  async invite({ by, roles, workspaceRoles, note, expiresInHours }: Invite): Promise<AccountLink> {
    unwrap(checkAdministrator(by));
    const held = unwrap(readRoles(roles, workspaceRoles));
    const { link, secret } = this.#make(
      by,
      { kind: 'invite', personId: null, ...held, note: note.trim().slice(0, MAX_NOTE) },
      expiresInHours * HOUR,
    );
    await this.admin.make(by, async (tx) => {
      await this.links.insert(tx, link, hashOf(secret));
      const details = { invite_id: link.id, before: null, after: { roles: held.roles, workspace_roles: held.workspaceRoles } };
      return { action: 'invite.created', did: `invited somebody as ${describeRoles(held)}`, details, changes: [moved(by.id)] };
    });
    return this.#toLink(link, secret);
  }

  /** Open invitations, newest first. */
  async invites(by: Principal): Promise<readonly InviteInfo[]> {
    unwrap(checkAdministrator(by));
    return (await this.links.list('invite', this.clock.now())).map(
      ({ id, roles, workspaceRoles, note, createdByName, createdAt, expiresAt }) => ({
        ...{ id, roles, workspaceRoles, note, createdByName, createdAt, expiresAt },
      }),
    );
  }

  async revokeInvite(by: Principal, id: LinkId): Promise<void> {
    unwrap(checkAdministrator(by));
    const isMade = await this.admin.make(by, async (tx) => {
      const link = await this.links.end(tx, id, 'invite', this.clock.now());
      if (!link) return null;
      const details = { invite_id: id, before: { roles: link.roles, workspace_roles: link.workspaceRoles }, after: null };
      return { action: 'invite.revoked', did: `took back an invitation as ${describeRoles(link)}`, details, changes: [moved(by.id)] };
    });
    if (!isMade) throw new AppError('LINK_NOT_FOUND', 'No such open invitation', { id });
  }

  /** A link with which somebody who lost their password sets a new one. One's own changes with the current one only. */
  async offerReset(by: Principal, personId: PrincipalId): Promise<AccountLink> {
    unwrap(checkAdministrator(by));
    if (by.id === personId || by.personId === personId) {
      throw new AppError('INPUT_INVALID', 'Your own password changes with the current one only', { path: 'id' });
    }
    const person = await this.people.find(personId);
    if (!person || person.disabledAt !== null) throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId });
    const { link, secret } = this.#make(by, { kind: 'reset', personId, roles: [], workspaceRoles: {}, note: person.name }, RESET_MS);
    await this.admin.make(by, async (tx) => {
      await this.links.endResetsOf(tx, personId, this.clock.now());
      await this.links.insert(tx, link, hashOf(secret));
      const details = { person_id: personId, name: person.name, link_id: link.id };
      return {
        action: 'person.reset_offered',
        did: `made a link for a new password of ${person.name}`,
        details,
        changes: [moved(personId)],
      };
    });
    return this.#toLink(link, secret);
  }

  /** What a link is for, told to whoever holds it. */
  async purposeOf(token: string): Promise<LinkPurpose> {
    const { kind, personId, roles, workspaceRoles, note, expiresAt } = await this.#held(token);
    const all = [...new Set([...roles, ...Object.values(workspaceRoles).flat()])];
    return { kind, name: personId === null ? null : note, roles: all, expiresAt };
  }

  /** Uses an invitation: of all callers, exactly one becomes that person. */
  async accept({ token, name: typed, password }: AcceptInvite): Promise<PersonInfo> {
    // Hashing a password is dear: whoever holds no link does not get that far.
    const link = await this.#held(token);
    if (link.kind !== 'invite') throw over();
    const { name, key: nameKey } = unwrap(readName(typed));
    const passwordHash = await this.passwords.hash(unwrap(checkPassword(password, nameKey)));
    const { roles, workspaceRoles } = link;
    const person: PersonInfo = {
      id: newId(),
      name,
      roles,
      workspaceRoles,
      hasSecondFactor: false,
      createdAt: this.clock.now(),
      disabledAt: null,
    };
    const by = toPersonPrincipal(person, person.createdAt);
    if (!by) throw new Error('A new person is never disabled');
    const isMade = await this.admin.make({ ...by, channel: 'console' }, async (tx) => {
      if (!(await this.links.use(tx, hashOf(token), this.clock.now()))) return null;
      if (!(await this.people.insert(tx, { person, nameKey, passwordHash }))) {
        throw new AppError('PERSON_NAME_TAKEN', 'Somebody has this name already', { path: 'name' });
      }
      const after = { roles, workspace_roles: workspaceRoles, disabled: false };
      const details = { person_id: person.id, name, invite_id: link.id, invited_by: link.createdBy, before: null, after };
      const did = `joined as ${describeRoles(person)}, invited by ${link.createdByName}`;
      return { action: 'person.joined', did, details, changes: [moved(person.id)] };
    });
    if (!isMade) throw over();
    return person;
  }

  /** Uses a reset link. All sessions of the person end; a second factor stays asked for. */
  async reset(token: string, typed: string): Promise<void> {
    const link = await this.#held(token);
    const person = link.personId === null ? undefined : await this.people.find(link.personId);
    const login = person && (await this.people.findLogin(unwrap(readName(person.name)).key));
    const by = person && toPersonPrincipal(person, this.clock.now());
    if (link.kind !== 'reset' || !login || !by) throw over();
    const { id, name } = login.person;
    const renewed = await this.passwords.hash(unwrap(checkPassword(typed, unwrap(readName(name)).key)));
    const isMade = await this.admin.make({ ...by, channel: 'console' }, async (tx) => {
      const now = this.clock.now();
      if (!(await this.links.use(tx, hashOf(token), now))) return null;
      if (!(await this.people.changePassword(tx, id, login.passwordHash, renewed, now))) throw over();
      await this.sessions.removeAllOf(id, { tx });
      await this.tickets.removeAllOf(tx, id);
      const did = `set a new password with a link of ${link.createdByName}`;
      const details = { person_id: id, name, link_id: link.id, offered_by: link.createdBy };
      return { action: 'person.password_changed', did, details, changes: [moved(id)] };
    });
    if (!isMade) throw over();
  }

  async #held(token: string): Promise<OpenLink> {
    const link = await this.links.find(hashOf(token), this.clock.now());
    if (!link) throw over();
    return link;
  }

  #make(by: Principal, what: Pick<OpenLink, 'kind' | 'personId' | 'roles' | 'workspaceRoles' | 'note'>, lifeMs: number) {
    const createdAt = this.clock.now();
    const link: OpenLink = {
      ...what,
      id: newId<LinkId>(),
      createdBy: by.personId ?? by.id,
      createdByName: by.name,
      createdAt,
      expiresAt: createdAt + lifeMs,
    };
    return { link, secret: secretFrom(randomBytes(SECRET_BYTES)) };
  }

  #toLink({ id, kind, expiresAt }: OpenLink, secret: string): AccountLink {
    return { id, url: `${this.config.publicUrl}/${kind}#token=${secret}`, expiresAt };
  }
}

function over(): AppError {
  return new AppError('LINK_INVALID', 'This link was used, replaced, taken back or is too old; ask for a new one', { hasOwner: true });
}
