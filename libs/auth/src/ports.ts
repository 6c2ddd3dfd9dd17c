import type { PersonInfo, PrincipalId, Role, TokenInfo } from '#contracts';
import type { Tx } from '#platform';

export interface NewPerson {
  readonly person: PersonInfo;
  /** See `readName`. */
  readonly nameKey: string;
  readonly passwordHash: string;
}

/** A person with the stored hash of their password. */
export interface Login {
  readonly person: PersonInfo;
  readonly passwordHash: string;
}

/** Storage for people and their passwords. */
export abstract class PersonRepository {
  abstract list(): Promise<readonly PersonInfo[]>;
  abstract find(id: PrincipalId, tx?: Tx): Promise<PersonInfo | undefined>;
  abstract findLogin(nameKey: string): Promise<Login | undefined>;
  /** People who are admin and not disabled. */
  abstract countAdmins(tx?: Tx): Promise<number>;
  /** Until the transaction ends, nobody else changes who is admin: two admins cannot demote each other at once. */
  abstract lockAdmins(tx: Tx): Promise<void>;
  /** False: the name is taken, and nothing was written. */
  abstract insert(tx: Tx, person: NewPerson): Promise<boolean>;
  /** Compare-and-set on what was read. False: someone else was first. */
  abstract move(tx: Tx, from: PersonInfo, to: Pick<PersonInfo, 'roles' | 'disabledAt'>): Promise<boolean>;
  /** Compare-and-set on the old hash. False: someone else was first. */
  abstract changePassword(tx: Tx, id: PrincipalId, from: string, to: string, at: number): Promise<boolean>;
}

export interface NewToken {
  readonly token: TokenInfo;
  readonly hash: string;
  /** Unique where it is not null; there is one first token, however many processes start at once. */
  readonly origin: 'first_start' | null;
}

export interface PersonOfCredential {
  readonly id: PrincipalId;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly disabledAt: number | null;
}

export interface HeldToken {
  readonly token: TokenInfo;
  readonly hash: string;
  readonly person: PersonOfCredential | null;
}

/** Storage for API tokens, of which it knows the SHA-256 only. */
export abstract class TokenRepository {
  /** Newest first; null lists everybody's. */
  abstract list(personId: PrincipalId | null): Promise<readonly TokenInfo[]>;
  abstract find(id: PrincipalId): Promise<TokenInfo | undefined>;
  abstract findByHash(hash: string): Promise<HeldToken | undefined>;
  /** False: a token of this origin exists. */
  abstract insert(tx: Tx, token: NewToken): Promise<boolean>;
  /** Compare-and-set: false when it is revoked already. */
  abstract revoke(tx: Tx, id: PrincipalId, at: number): Promise<boolean>;
  /** Ids of the tokens that this call revoked. */
  abstract revokeAllOf(tx: Tx, personId: PrincipalId, at: number): Promise<readonly PrincipalId[]>;
  /** Gives every token that belongs to nobody to a person; ids of those that moved. */
  abstract adopt(tx: Tx, personId: PrincipalId): Promise<readonly PrincipalId[]>;
  /** Moves `lastUsedAt` forward, never back. */
  abstract sawUse(uses: ReadonlyMap<PrincipalId, number>): Promise<void>;
}

export interface ConsoleSession {
  /** SHA-256 of the cookie's value; also its name in here. */
  readonly hash: string;
  readonly personId: PrincipalId;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** Storage for console sessions, of which it knows the SHA-256 only. */
export abstract class ConsoleSessionRepository {
  abstract insert(session: ConsoleSession): Promise<void>;
  abstract find(hash: string): Promise<{ readonly session: ConsoleSession; readonly person: PersonOfCredential } | undefined>;
  abstract remove(hash: string): Promise<void>;
  abstract removeAllOf(personId: PrincipalId, how: { readonly tx: Tx; readonly except?: string | null }): Promise<void>;
  /** Keeps the newest sessions of a person. */
  abstract trim(personId: PrincipalId, keep: number): Promise<void>;
  /** Removes what is over: past its end, or not seen since `idleSince`. */
  abstract removeEnded(now: number, idleSince: number): Promise<void>;
  /** Moves `seenAt` forward, never back. */
  abstract sawUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** Storage for the one welcome link that may be alive; a new one takes the place of the old. */
export abstract class WelcomeLinkRepository {
  abstract replace(hash: string, expiresAt: number): Promise<void>;
  abstract isAlive(hash: string, now: number): Promise<boolean>;
  /** Compare-and-set: true exactly once per link. */
  abstract use(tx: Tx, hash: string, now: number): Promise<boolean>;
}
