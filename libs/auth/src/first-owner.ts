import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PersonInfo } from '#contracts';
import { AppError, Clock, newId, PlatformConfig, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { hashOf, SECRET_BYTES, secretFrom } from './core/credentials.js';
import { readName } from './core/names.js';
import { checkPassword } from './core/password-rules.js';
import { toPersonPrincipal } from './core/principals.js';
import { Passwords } from './passwords.js';
import { moved } from './people.js';
import { PersonRepository, TokenRepository, WelcomeLinkRepository } from './ports.js';
import { changed } from './tokens.js';

const LINK_MS = 15 * 60_000;

export interface Invitation {
  /** The secret stands in the fragment, which no browser sends and no server logs. */
  readonly url: string;
  readonly expiresAt: number;
}

export interface Welcome {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/** Owner of the way in before anybody has a password: one link, once, for a quarter of an hour. */
@Injectable()
export class FirstOwner {
  /** True for ever once it is: the last admin cannot go. */
  #exists = false;

  constructor(
    private readonly people: PersonRepository,
    private readonly tokens: TokenRepository,
    private readonly links: WelcomeLinkRepository,
    private readonly passwords: Passwords,
    private readonly admin: AdminChanges,
    private readonly config: PlatformConfig,
    private readonly clock: Clock,
  ) {}

  async exists(): Promise<boolean> {
    this.#exists ||= (await this.people.countAdmins()) > 0;
    return this.#exists;
  }

  /** Called at each start: without an owner it voids the link of the last start and makes a new one. */
  async invite(): Promise<Invitation | undefined> {
    if (await this.exists()) return undefined;
    const secret = secretFrom(randomBytes(SECRET_BYTES));
    const expiresAt = this.clock.now() + LINK_MS;
    await this.links.replace(hashOf(secret), expiresAt);
    return { url: `${this.config.publicUrl}/welcome#token=${secret}`, expiresAt };
  }

  /** Uses the link: of all callers, exactly one becomes the owner. Tokens of nobody become theirs. */
  async welcome({ token, name: typed, password }: Welcome): Promise<PersonInfo> {
    const hash = hashOf(token);
    // Hashing a password is dear: whoever holds no link does not get that far.
    if (!(await this.links.isAlive(hash, this.clock.now()))) throw await this.#refusal();
    const { name, key: nameKey } = unwrap(readName(typed));
    const passwordHash = await this.passwords.hash(unwrap(checkPassword(password, nameKey)));
    const createdAt = this.clock.now();
    const person: PersonInfo = {
      id: newId(),
      name,
      roles: ['admin'],
      workspaceRoles: {},
      hasSecondFactor: false,
      createdAt,
      disabledAt: null,
    };
    const by = toPersonPrincipal(person, createdAt);
    if (!by) throw new Error('A new person is never disabled');
    const isMade = await this.admin.make({ ...by, channel: 'console' }, async (tx) => {
      if (!(await this.links.use(tx, hash, this.clock.now()))) return null;
      // A link that another process made while somebody became the owner.
      if ((await this.people.countAdmins(tx)) > 0) throw new AppError('OWNER_EXISTS', 'There is an owner already; sign in instead');
      await this.people.insert(tx, { person, nameKey, passwordHash });
      const adopted = await this.tokens.adopt(tx, person.id);
      const details = { person_id: person.id, name, adopted_tokens: adopted };
      const changes = [moved(person.id), ...adopted.map((id) => changed({ id, personId: person.id }))];
      return { action: 'owner.created', did: 'became the first owner through the sign-in link', details, changes };
    });
    if (!isMade) throw await this.#refusal();
    return person;
  }

  async #refusal(): Promise<AppError> {
    const hasOwner = await this.exists();
    const hint = hasOwner
      ? 'This link has done its work: there is an owner. Sign in with name and password'
      : 'This link is no longer valid: it was replaced or is older than 15 minutes. Restart the server; it prints a new one';
    return new AppError('LINK_INVALID', hint, { hasOwner });
  }
}
