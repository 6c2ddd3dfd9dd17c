import type { LinkId, PasskeyInfo, PersonInfo, PrincipalId, Role, SignInId, TokenInfo, WorkspaceRoles } from '#contracts';
import type { Tx } from '#platform';
import type { Factor } from './core/principals.js';

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
  /** Inside a transaction they stay as they are until it ends. */
  abstract factorsOf(id: PrincipalId, tx?: Tx): Promise<readonly Factor[]>;
  abstract setFactors(tx: Tx, id: PrincipalId, factors: readonly Factor[]): Promise<void>;
  /** People who are admin and not disabled. */
  abstract countAdmins(tx?: Tx): Promise<number>;
  /** Until the transaction ends, nobody else changes who is admin: two admins cannot demote each other at once. */
  abstract lockAdmins(tx: Tx): Promise<void>;
  /** False: the name is taken, and nothing was written. */
  abstract insert(tx: Tx, person: NewPerson): Promise<boolean>;
  /** Compare-and-set on what was read. False: someone else was first. */
  abstract move(tx: Tx, from: PersonInfo, to: Pick<PersonInfo, 'roles' | 'workspaceRoles' | 'disabledAt'>): Promise<boolean>;
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
  readonly workspaceRoles: WorkspaceRoles;
  readonly factors: readonly Factor[];
  readonly disabledAt: number | null;
}

/** What a list of tokens shows. */
export interface TokenFilter {
  /** Null lists everybody's. */
  readonly personId: PrincipalId | null;
  /** Looked for in the names of the token and of who made it. */
  readonly q?: string | undefined;
}

export interface HeldToken {
  readonly token: TokenInfo;
  readonly hash: string;
  readonly person: PersonOfCredential | null;
}

/** Storage for API tokens, of which it knows the SHA-256 only. */
export abstract class TokenRepository {
  /** Newest first. */
  abstract list(filter: TokenFilter): Promise<readonly TokenInfo[]>;
  abstract find(id: PrincipalId): Promise<TokenInfo | undefined>;
  abstract findByHash(hash: string): Promise<HeldToken | undefined>;
  /** False: a token of this origin exists. */
  abstract insert(tx: Tx, token: NewToken): Promise<boolean>;
  /** Compare-and-set: names the successor and the end of the overlap. False: it is revoked or was rotated already. */
  abstract rotate(tx: Tx, id: PrincipalId, to: PrincipalId, expiresAt: number): Promise<boolean>;
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
  /** SHA-256 of the cookie's value. */
  readonly hash: string;
  /** Its name outside. */
  readonly id: SignInId;
  readonly personId: PrincipalId;
  readonly device: string;
  readonly address: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** When the person last proved in it that it is them. */
  readonly provedAt: number;
  readonly expiresAt: number;
}

/** Storage for console sessions, of which it knows the SHA-256 only. */
export abstract class ConsoleSessionRepository {
  abstract insert(session: ConsoleSession): Promise<void>;
  abstract find(hash: string): Promise<{ readonly session: ConsoleSession; readonly person: PersonOfCredential } | undefined>;
  /** Newest first. */
  abstract listOf(personId: PrincipalId): Promise<readonly ConsoleSession[]>;
  /** Whose session ended; undefined: there was none. */
  abstract remove(tx: Tx, hash: string): Promise<PrincipalId | undefined>;
  abstract proved(hash: string, at: number): Promise<void>;
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

export interface OpenLink {
  readonly id: LinkId;
  readonly kind: 'invite' | 'reset';
  /** Whose password is reset; null for an invitation. */
  readonly personId: PrincipalId | null;
  readonly roles: readonly Role[];
  readonly workspaceRoles: WorkspaceRoles;
  readonly note: string;
  readonly createdBy: PrincipalId;
  readonly createdByName: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Storage for one-use links of which it knows the SHA-256 only. A link that was used, revoked or replaced is ended. */
export abstract class AccountLinkRepository {
  abstract insert(tx: Tx, link: OpenLink, hash: string): Promise<void>;
  /** Only while it is open. */
  abstract find(hash: string, now: number): Promise<OpenLink | undefined>;
  /** Open ones of a kind, newest first. */
  abstract list(kind: OpenLink['kind'], now: number): Promise<readonly OpenLink[]>;
  /** Compare-and-set: true exactly once per link, and never after its end. */
  abstract use(tx: Tx, hash: string, now: number): Promise<boolean>;
  /** Compare-and-set. The link as it was; undefined: it is not open. */
  abstract end(tx: Tx, id: LinkId, kind: OpenLink['kind'], now: number): Promise<OpenLink | undefined>;
  abstract endResetsOf(tx: Tx, personId: PrincipalId, now: number): Promise<void>;
  /** Ends what somebody made who may not invite any more. */
  abstract endMadeBy(tx: Tx, creator: PrincipalId, now: number): Promise<void>;
}

export interface TotpSecret {
  readonly sealed: string;
  readonly createdAt: number;
  readonly confirmedAt: number | null;
  readonly usedStep: number;
}

export interface StoredPasskey extends PasskeyInfo {
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** What the authenticator counted at its last use; a copy of it would count differently. */
  readonly uses: number;
  readonly transports: readonly string[];
}

/** Storage for second factors. */
export abstract class FactorRepository {
  abstract totp(personId: PrincipalId, tx?: Tx): Promise<TotpSecret | undefined>;
  /** A new secret that waits for its first code; one that waits already is replaced, one in force is not. False: one is in force. */
  abstract offerTotp(tx: Tx, personId: PrincipalId, sealed: string, at: number): Promise<boolean>;
  /** Compare-and-set on the last step that was used: no code counts twice. */
  abstract useTotp(tx: Tx, personId: PrincipalId, step: number, confirmAt: number | null): Promise<boolean>;
  abstract removeTotp(tx: Tx, personId: PrincipalId): Promise<boolean>;
  abstract replaceRecoveryCodes(tx: Tx, personId: PrincipalId, hashes: readonly string[]): Promise<void>;
  /** True exactly once per code. */
  abstract useRecoveryCode(tx: Tx, personId: PrincipalId, hash: string): Promise<boolean>;
  abstract countRecoveryCodes(personId: PrincipalId): Promise<number>;
  abstract passkeys(personId: PrincipalId, tx?: Tx): Promise<readonly StoredPasskey[]>;
  /** False: this passkey is registered already. */
  abstract addPasskey(tx: Tx, personId: PrincipalId, passkey: StoredPasskey): Promise<boolean>;
  /** Compare-and-set on the counter that was read. */
  abstract usePasskey(tx: Tx, id: string, from: number, to: number, at: number): Promise<boolean>;
  abstract removePasskey(tx: Tx, personId: PrincipalId, id: string): Promise<boolean>;
  abstract removeAll(tx: Tx, personId: PrincipalId): Promise<void>;
}

/** What a ticket stands for: a password that was right, or a challenge that a passkey has to sign. */
export type TicketKind = 'sign_in' | 'passkey_sign_in' | 'passkey_proof' | 'passkey_new';

/** Storage for short-lived tickets, of which it knows the SHA-256 only. */
export abstract class TicketRepository {
  abstract insert(hash: string, kind: TicketKind, personId: PrincipalId, tries: number, expiresAt: number): Promise<void>;
  /** Takes one of its tries; the person, or undefined when it is over. */
  abstract take(hash: string, kind: TicketKind, now: number): Promise<PrincipalId | undefined>;
  /** Whose it is, without taking a try. */
  abstract look(hash: string, kind: TicketKind, now: number): Promise<PrincipalId | undefined>;
  abstract remove(hash: string): Promise<void>;
  abstract removeAllOf(tx: Tx, personId: PrincipalId): Promise<void>;
  abstract removeEnded(now: number): Promise<void>;
}

/** Storage for what a team asks of its sign-ins. */
export abstract class SignInRuleRepository {
  /** Whoever has one of these roles signs in with a second factor. */
  abstract secondFactorRoles(tx?: Tx): Promise<readonly Role[]>;
  abstract setSecondFactorRoles(tx: Tx, roles: readonly Role[]): Promise<void>;
}

/** What a browser answered, as it came. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>;
export type MadePasskey = Pick<StoredPasskey, 'id' | 'publicKey' | 'uses' | 'transports'>;

/** The WebAuthn arithmetic. */
export abstract class PasskeyChecks {
  /** False where the address of this server is no name that a browser keeps passkeys for. */
  abstract get isPossible(): boolean;
  /** What a browser needs to make a passkey, as JSON. */
  abstract newOptions(name: string, known: readonly StoredPasskey[], challenge: Buffer): Promise<object>;
  /** What a browser needs to use one, as JSON. */
  abstract options(known: readonly StoredPasskey[], challenge: Buffer): Promise<object>;
  /** Undefined: the answer proves nothing. */
  abstract made(answer: PasskeyAnswer, isOurs: (challenge: string) => Promise<boolean>): Promise<MadePasskey | undefined>;
  /** The new count of uses; undefined: the answer proves nothing. */
  abstract uses(
    answer: PasskeyAnswer,
    passkey: StoredPasskey,
    isOurs: (challenge: string) => Promise<boolean>,
  ): Promise<number | undefined>;
}
