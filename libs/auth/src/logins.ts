import { Injectable } from '@nestjs/common';
import type { Principal, PrincipalId } from '#contracts';
import { AppError, Clock, EventFeed, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { checkAdministrator } from './core/grants.js';
import { readName } from './core/names.js';
import { checkPassword } from './core/password-rules.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';
import { moved } from './people.js';
import { AccountLinkRepository, ConsoleSessionRepository, PersonRepository, TicketRepository, type Login } from './ports.js';

export interface LoginTry {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

export interface ChangeOwnPassword {
  readonly by: Principal;
  /** This session goes on; the person's others end. */
  readonly sessionHash: string;
  readonly current: string;
  readonly password: string;
  readonly address: string;
}

/** Owner of "name and password fit", and of how a password changes. Says no in one way, in the same time. */
@Injectable()
export class Logins {
  constructor(
    private readonly people: PersonRepository,
    private readonly sessions: ConsoleSessionRepository,
    private readonly links: AccountLinkRepository,
    private readonly tickets: TicketRepository,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly admin: AdminChanges,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  /** The person whose password this is; a second factor may still be needed. An unknown name, a wrong password and a disabled person look the same. */
  async signIn({ name: typed, password, address }: LoginTry): Promise<PrincipalId> {
    const read = readName(typed);
    const nameKey = read.ok ? read.value.key : '';
    const attempt = this.throttle.begin(address, nameKey);
    const login = await this.people.findLogin(nameKey);
    const fits = await this.passwords.fits(password, login?.passwordHash);
    if (!login || !fits || login.person.disabledAt !== null) {
      throw new AppError('CREDENTIALS_INVALID', 'Name or password is wrong');
    }
    if (!(await this.#stillFits(login, nameKey, password))) throw new AppError('CREDENTIALS_INVALID', 'Name or password is wrong');
    attempt.succeeded();
    if (this.passwords.isOutdated(login.passwordHash)) await this.#renew(login, password);
    return login.person.id;
  }

  async changeOwn({ by, sessionHash, current, password, address }: ChangeOwnPassword): Promise<void> {
    const nameKey = unwrap(readName(by.name)).key;
    const attempt = this.throttle.begin(address, nameKey);
    const login = await this.people.findLogin(nameKey);
    if (!(await this.passwords.fits(current, login?.passwordHash)) || login?.person.id !== by.id) {
      throw new AppError('INPUT_INVALID', 'The current password is wrong', { path: 'current' });
    }
    attempt.succeeded();
    await this.#change(by, login, password, sessionHash);
  }

  /** For somebody who has lost theirs. One's own password changes with the current one only, the command line apart. */
  async reset(by: Principal, id: PrincipalId, password: string): Promise<void> {
    unwrap(checkAdministrator(by));
    if (by.id === id || by.personId === id) {
      throw new AppError('INPUT_INVALID', 'Your own password changes with the current one only', { path: 'id' });
    }
    const person = await this.people.find(id);
    const login = person && (await this.people.findLogin(unwrap(readName(person.name)).key));
    if (!login) throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId: id });
    await this.#change(by, login, password, null);
  }

  async #change(by: Principal, { person, passwordHash }: Login, typed: string, keptSession: string | null): Promise<void> {
    const password = unwrap(checkPassword(typed, unwrap(readName(person.name)).key));
    const renewed = await this.passwords.hash(password);
    await this.admin.make(by, async (tx) => {
      if (!(await this.people.changePassword(tx, person.id, passwordHash, renewed, this.clock.now()))) {
        throw new AppError('INPUT_INVALID', 'The password changed in the meantime', { path: 'password' });
      }
      await this.sessions.removeAllOf(person.id, { tx, except: keptSession });
      // What began with the old password, and links for another new one, end too.
      await this.tickets.removeAllOf(tx, person.id);
      await this.links.endResetsOf(tx, person.id, this.clock.now());
      const did = by.id === person.id ? 'changed their password' : `set a new password for ${person.name}`;
      return { action: 'person.password_changed', did, details: { person_id: person.id, name: person.name }, changes: [moved(person.id)] };
    });
  }

  /** Looking at a password takes a while; one that was set meanwhile is the one that counts. */
  async #stillFits({ passwordHash }: Login, nameKey: string, password: string): Promise<boolean> {
    const now = await this.people.findLogin(nameKey);
    return now?.passwordHash === passwordHash || this.passwords.fits(password, now?.passwordHash);
  }

  /** The same password, hashed with today's cost. Whoever is first is right. */
  async #renew({ person, passwordHash }: Login, password: string): Promise<void> {
    const renewed = await this.passwords.hash(password);
    await this.feed.write((tx) => this.people.changePassword(tx, person.id, passwordHash, renewed, this.clock.now()));
  }
}
