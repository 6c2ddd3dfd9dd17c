import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PersonInfo, Principal, PrincipalId } from '#contracts';
import { AppError, Clock, newId, SecretBox } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { SECRET_BYTES } from './core/credentials.js';
import { describeRoles } from './core/held-roles.js';
import { readName } from './core/names.js';
import { isOfDomain, rolesOf, type Claims } from './core/sso-rules.js';
import { LocalCallers } from './local-callers.js';
import { Passwords } from './passwords.js';
import { moved, People } from './people.js';
import { IdentityProvider, IdentityRepository, PersonRepository, type BegunSignIn } from './ports.js';
import { SsoConfig, type SsoSettings } from './sso.config.js';

const BEGUN_MS = 10 * 60_000;

/** What the browser keeps, sealed, between the way out and the way back. */
interface Begun extends BegunSignIn {
  readonly endsAt: number;
  /** Who links their account, rather than signing in. */
  readonly linkTo: PrincipalId | null;
}

/** Owner of who a provider's person is here. Only its issuer and subject count: no name and no address takes an account over. */
@Injectable()
export class Sso {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly identities: IdentityRepository,
    private readonly persons: PersonRepository,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly admin: AdminChanges,
    private readonly local: LocalCallers,
    private readonly config: SsoConfig,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Where the browser goes, and what it keeps meanwhile. */
  async begin(redirectUri: string, linkTo: PrincipalId | null): Promise<{ readonly url: string; readonly kept: string }> {
    this.#settings();
    const { url, ...begun } = await this.provider.begin(redirectUri);
    const kept: Begun = { ...begun, endsAt: this.clock.now() + BEGUN_MS, linkTo };
    return { url, kept: this.box.seal(JSON.stringify(kept)) };
  }

  /** Who came back. `at` is who is signed in in this browser. */
  async finish(kept: string | undefined, answer: URL, at: Principal | null): Promise<PrincipalId> {
    const settings = this.#settings();
    const begun = this.#open(kept);
    const claims = await this.provider.finish(answer, begun);
    if (!isOfDomain(claims, settings.allowedDomains)) throw failed('This address is not of a domain that may sign in here');
    const known = await this.identities.find(claims.issuer, claims.subject);
    if (begun.linkTo !== null) return this.#link(begun.linkTo, at, claims, known?.personId);
    const person = known ? await this.persons.find(known.personId) : await this.#make(claims, settings);
    if (!person || person.disabledAt !== null) throw failed('This account may not sign in');
    if (known?.isManaged) await this.#renewRoles(person, rolesOf(claims.all[settings.rolesClaim], settings.roles), settings);
    return person.id;
  }

  async #link(personId: PrincipalId, at: Principal | null, claims: Claims, linked: PrincipalId | undefined): Promise<PrincipalId> {
    if (at?.id !== personId) throw failed('Link your account in the browser where you are signed in');
    if (linked === personId) return personId;
    if (linked !== undefined) throw failed('This sign-in belongs to another account');
    await this.admin.make(at, async (tx) => {
      const isNew = await this.identities.insert(tx, { ...claims, personId, isManaged: false, createdAt: this.clock.now() });
      if (!isNew) throw failed('This sign-in belongs to another account');
      const details = { person_id: personId, issuer: claims.issuer, before: null, after: { subject: claims.subject } };
      return { action: 'person.linked', did: `linked a sign-in of ${claims.issuer}`, details, changes: [moved(personId)] };
    });
    return personId;
  }

  /** Somebody who was never here: only with a role that the settings give, and under a name that nobody has. */
  async #make(claims: Claims, { roles: map, rolesClaim }: SsoSettings): Promise<PersonInfo> {
    const roles = rolesOf(claims.all[rolesClaim], map);
    if (roles.length === 0)
      throw failed('Nobody has given you a role here; ask an administrator for an invitation, then link your account');
    const read = readName(claims.name ?? claims.email ?? claims.subject);
    if (!read.ok) throw failed('The provider gives no name that can be shown');
    const { name, key: nameKey } = read.value;
    const person: PersonInfo = {
      id: newId(),
      name,
      roles,
      workspaceRoles: {},
      hasSecondFactor: false,
      createdAt: this.clock.now(),
      disabledAt: null,
    };
    // A password that nobody knows: this account signs in with its provider.
    const passwordHash = await this.passwords.hash(randomBytes(SECRET_BYTES).toString('base64url'));
    await this.admin.make(this.local.commandLine(), async (tx) => {
      const isFree = await this.persons.insert(tx, { person, nameKey, passwordHash });
      if (!isFree) throw failed('Somebody has this name already; sign in to that account, then link it');
      await this.identities.insert(tx, { ...claims, personId: person.id, isManaged: true, createdAt: this.clock.now() });
      const details = { person_id: person.id, name, issuer: claims.issuer, before: null, after: { roles } };
      return {
        action: 'person.created',
        did: `added ${name} as ${describeRoles(person)}, by ${claims.issuer}`,
        details,
        changes: [moved(person.id)],
      };
    });
    return person;
  }

  /** Who was made by the provider has the roles that it says now; without any they may not come in. */
  async #renewRoles(person: PersonInfo, roles: PersonInfo['roles'], { roles: map }: SsoSettings): Promise<void> {
    if (map.size === 0 || roles.join() === person.roles.join()) return;
    if (roles.length === 0) throw failed('The provider gives you no role here any more');
    await this.people.change({ by: this.local.commandLine(), id: person.id, roles, disabled: undefined });
  }

  #settings(): SsoSettings {
    const { settings } = this.config;
    if (settings) return settings;
    throw failed('There is no single sign-on here');
  }

  #open(kept: string | undefined): Begun {
    if (kept !== undefined) {
      try {
        const begun = JSON.parse(this.box.open(kept)) as Begun; // only `begin` seals it
        if (this.clock.now() < begun.endsAt) return begun;
      } catch {
        // not ours, or changed: as if there were none
      }
    }
    throw failed('This sign-in is over, or was begun in another browser');
  }
}

function failed(message: string): AppError {
  return new AppError('SSO_FAILED', message);
}
