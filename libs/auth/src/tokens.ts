import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AGENT_SCOPES, type CreatedToken, type Principal, type PrincipalId, type Scope, type TokenId, type TokenInfo } from '#contracts';
import { AppError, Clock, newId, unwrap } from '#platform';
import { AdminChanges, type Change } from './admin-changes.js';
import { hashOf, SECRET_BYTES, tokenFrom } from './core/credentials.js';
import { checkGrant, checkTokenKeeper } from './core/grants.js';
import { readName } from './core/names.js';
import { LocalCallers } from './local-callers.js';
import { PersonRepository, TokenRepository, type NewToken } from './ports.js';

const MAX_LIFE_MS = 3_660 * 86_400_000;

/** Domain command: what REST and the command line map to. */
export interface CreateToken {
  readonly by: Principal;
  readonly name: string;
  /** The person behind it. Only the command line makes tokens without one. */
  readonly personId: PrincipalId | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
}

/** Owner of API tokens. A secret leaves this class once, in the answer to `create`. */
@Injectable()
export class Tokens {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly people: PersonRepository,
    private readonly admin: AdminChanges,
    private readonly local: LocalCallers,
    private readonly clock: Clock,
  ) {}

  /** Newest first, revoked ones included: one's own, or everybody's for an administrator. */
  async list(by: Principal): Promise<readonly TokenInfo[]> {
    return this.tokens.list(unwrap(checkTokenKeeper(by)));
  }

  async create({ by, name, personId, scopes, expiresAt }: CreateToken): Promise<CreatedToken> {
    const granted = unwrap(checkGrant(by, { personId, scopes }));
    const wanted = { name: unwrap(readName(name)).name, personId, scopes: granted, expiresAt };
    const now = this.clock.now();
    if (expiresAt !== null && (expiresAt <= now || expiresAt > now + MAX_LIFE_MS)) {
      throw new AppError('INPUT_INVALID', 'A token expires in the future, at most ten years from now', { path: 'expiresInDays' });
    }
    const person = personId === null ? undefined : await this.people.find(personId);
    if (personId !== null && person?.disabledAt !== null) throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId });
    const { row, secret } = this.#mint(wanted, null);
    await this.#insert(by, row);
    return { token: row.token, secret };
  }

  /** The token of the first start, for an agent. Undefined on every later start, and when there is an owner. */
  async createFirst(): Promise<CreatedToken | undefined> {
    if ((await this.people.countAdmins()) > 0) return undefined;
    const { row, secret } = this.#mint({ name: 'agent', personId: null, scopes: AGENT_SCOPES, expiresAt: null }, 'first_start');
    const isFirst = await this.#insert(this.local.commandLine(), row);
    return isFirst ? { token: row.token, secret } : undefined;
  }

  /** Ends a token at once. Ending it again changes nothing. */
  async revoke(by: Principal, id: PrincipalId): Promise<void> {
    const keeper = unwrap(checkTokenKeeper(by));
    const token = await this.tokens.find(id);
    // An id is not a credential: a stranger's token and no token look the same.
    if (!token || (keeper !== null && token.personId !== keeper)) throw new AppError('TOKEN_NOT_FOUND', 'No such token', { tokenId: id });
    await this.admin.make(by, async (tx) => {
      if (!(await this.tokens.revoke(tx, id, this.clock.now()))) return null;
      const details = { token_id: id, name: token.name, person_id: token.personId };
      return { action: 'token.revoked', did: `revoked the token "${token.name}"`, details, changes: [changed(token)] };
    });
  }

  #mint(
    wanted: Pick<TokenInfo, 'name' | 'personId' | 'scopes' | 'expiresAt'>,
    origin: NewToken['origin'],
  ): { row: NewToken; secret: string } {
    const secret = tokenFrom(randomBytes(SECRET_BYTES));
    const token = { ...wanted, id: newId<PrincipalId>(), createdAt: this.clock.now(), lastUsedAt: null, revokedAt: null };
    return { row: { token, hash: hashOf(secret), origin }, secret };
  }

  #insert(by: Principal, row: NewToken): Promise<boolean> {
    const { id, name, personId, scopes, expiresAt } = row.token;
    return this.admin.make(by, async (tx) => {
      if (!(await this.tokens.insert(tx, row))) return null;
      const details = { token_id: id, name, person_id: personId, scopes, expires_at: expiresAt };
      return {
        action: 'token.created',
        did: `created the token "${name}" with ${scopes.join(', ')}`,
        details,
        changes: [changed(row.token)],
      };
    });
  }
}

/** The event of a token that changed; it concerns the person behind it. */
export function changed({ id, personId }: Pick<TokenInfo, 'id' | 'personId'>): Change {
  // A token is a principal, so its id has two brands.
  return { owner: personId ?? id, event: { type: 'token.changed', tokenId: id as string as TokenId } };
}
