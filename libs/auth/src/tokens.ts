import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AGENT_SCOPES,
  TOOL_FAMILIES,
  type CreatedToken,
  type Principal,
  type PrincipalId,
  type Scope,
  type TokenId,
  type TokenInfo,
  type ToolFamily,
  type WorkspaceId,
} from '#contracts';
import { AppError, Clock, newId, requireStepUp, unwrap, type Tx } from '#platform';
import { AdminChanges, type AdminAct, type Change } from './admin-changes.js';
import { hashOf, SECRET_BYTES, tokenFrom } from './core/credentials.js';
import { areRuling, checkGrant, checkHolder, checkTokenKeeper } from './core/grants.js';
import { readName } from './core/names.js';
import { LocalCallers } from './local-callers.js';
import { PersonRepository, TokenRepository, type NewToken } from './ports.js';

const DAY_MS = 86_400_000;
const MAX_LIFE_MS = 3_660 * DAY_MS;
const MAX_WORKSPACES = 200;
const MAX_OVERLAP_MS = 30 * DAY_MS;

/** Domain command: what REST and the command line map to. */
export interface CreateToken {
  readonly by: Principal;
  readonly name: string;
  /** The person behind it. Only the command line makes tokens without one. */
  readonly personId: PrincipalId | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  /** Left out or null: all. */
  readonly workspaces?: readonly WorkspaceId[] | null | undefined;
  readonly toolFamilies?: readonly ToolFamily[] | null | undefined;
  readonly ratePerMinute?: number | null | undefined;
}

/** The same token with a new secret; the old one works on for a while, so that nothing stands still. */
export interface RotateToken {
  readonly by: Principal;
  readonly id: PrincipalId;
  readonly overlapMs: number;
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
  async list(by: Principal, q?: string): Promise<readonly TokenInfo[]> {
    return this.tokens.list({ personId: unwrap(checkTokenKeeper(by)), q });
  }

  async create({
    by,
    name,
    personId,
    scopes,
    expiresAt,
    workspaces = null,
    toolFamilies = null,
    ratePerMinute = null,
  }: CreateToken): Promise<CreatedToken> {
    const granted = unwrap(checkGrant(by, { personId, scopes, workspaces }));
    this.#assertProved(by, granted);
    const wanted = {
      name: unwrap(readName(name)).name,
      personId,
      scopes: granted,
      workspaces: workspaces && [...new Set(workspaces)].sort(),
      toolFamilies: toolFamilies && TOOL_FAMILIES.filter((family) => toolFamilies.includes(family)),
      ratePerMinute,
      createdByName: by.name,
      expiresAt,
    };
    if (wanted.workspaces && (wanted.workspaces.length === 0 || wanted.workspaces.length > MAX_WORKSPACES)) {
      throw new AppError('INPUT_INVALID', `A token is bound to 1 to ${MAX_WORKSPACES} workspaces, or to none`, { path: 'workspaces' });
    }
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

  /** A successor with the same reach. Of two rotations at once, one makes it. */
  async rotate({ by, id, overlapMs }: RotateToken): Promise<CreatedToken> {
    const old = await this.#own(by, id);
    unwrap(checkHolder(by, old));
    this.#assertProved(by, old.scopes);
    const now = this.clock.now();
    if (overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
      throw new AppError('INPUT_INVALID', 'The old token works on for at most 30 days', { path: 'overlapHours' });
    }
    const isOver = old.revokedAt !== null || old.rotatedTo !== null || (old.expiresAt !== null && old.expiresAt <= now);
    if (isOver) throw new AppError('TOKEN_NOT_FOUND', 'This token is over, or has a successor already', { tokenId: id });
    const life = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
    const { name, personId, scopes, workspaces, toolFamilies, ratePerMinute } = old;
    const wanted = { name, personId, scopes, workspaces, toolFamilies, ratePerMinute, createdByName: by.name };
    const { row, secret } = this.#mint({ ...wanted, expiresAt: life === null ? null : now + life }, null);
    const endsAt = Math.min(now + overlapMs, old.expiresAt ?? Number.MAX_SAFE_INTEGER);
    const isMade = await this.admin.make(by, async (tx) => {
      if (!(await this.tokens.rotate(tx, id, row.token.id, endsAt))) return null;
      await this.tokens.insert(tx, row);
      const details = {
        token_id: id,
        name,
        before: factsOf(old),
        after: { ...factsOf({ ...old, expiresAt: endsAt }), rotated_to: row.token.id },
      };
      return { action: 'token.rotated', did: `rotated the token "${name}"`, details, changes: [changed(old), changed(row.token)] };
    });
    if (!isMade) throw new AppError('TOKEN_NOT_FOUND', 'This token is over, or has a successor already', { tokenId: id });
    return { token: row.token, secret };
  }

  /** The token of the first start, for an agent. Undefined on every later start, and when there is an owner. */
  async createFirst(): Promise<CreatedToken | undefined> {
    if ((await this.people.countAdmins()) > 0) return undefined;
    const by = this.local.commandLine();
    const everywhere = { workspaces: null, toolFamilies: null, ratePerMinute: null };
    const wanted = { name: 'agent', personId: null, scopes: AGENT_SCOPES, ...everywhere, createdByName: by.name, expiresAt: null };
    const { row, secret } = this.#mint(wanted, 'first_start');
    const isFirst = await this.#insert(by, row);
    return isFirst ? { token: row.token, secret } : undefined;
  }

  /** Ends a token at once. Ending it again changes nothing. */
  async revoke(by: Principal, id: PrincipalId): Promise<void> {
    const token = await this.#own(by, id);
    await this.admin.make(by, async (tx) => {
      if (!(await this.tokens.revoke(tx, id, this.clock.now()))) return null;
      const details = { token_id: id, name: token.name, before: factsOf(token), after: null };
      return { action: 'token.revoked', did: `revoked the token "${token.name}"`, details, changes: [changed(token)] };
    });
  }

  /** An id is not a credential: a stranger's token and no token look the same. */
  async #own(by: Principal, id: PrincipalId): Promise<TokenInfo> {
    const keeper = unwrap(checkTokenKeeper(by));
    const token = await this.tokens.find(id);
    if (!token || (keeper !== null && token.personId !== keeper)) throw new AppError('TOKEN_NOT_FOUND', 'No such token', { tokenId: id });
    return token;
  }

  /** A secret that decides or rules is given out only to a person who has just proved that it is them. */
  #assertProved(by: Principal, scopes: readonly Scope[]): void {
    if (by.kind === 'person' && areRuling(scopes)) requireStepUp(by, this.clock.now());
  }

  #mint(
    wanted: Omit<TokenInfo, 'id' | 'createdAt' | 'lastUsedAt' | 'revokedAt' | 'rotatedTo'>,
    origin: NewToken['origin'],
  ): { row: NewToken; secret: string } {
    const secret = tokenFrom(randomBytes(SECRET_BYTES));
    const unused = { createdAt: this.clock.now(), lastUsedAt: null, revokedAt: null, rotatedTo: null };
    return { row: { token: { ...wanted, ...unused, id: newId<PrincipalId>() }, hash: hashOf(secret), origin }, secret };
  }

  #insert(by: Principal, row: NewToken): Promise<boolean> {
    return this.admin.make(by, (tx) => this.#written(tx, row));
  }

  async #written(tx: Tx, row: NewToken): Promise<AdminAct | null> {
    if (!(await this.tokens.insert(tx, row))) return null;
    const { id, name, scopes } = row.token;
    const details = { token_id: id, name, before: null, after: factsOf(row.token) };
    return {
      action: 'token.created',
      did: `created the token "${name}" with ${scopes.join(', ')}`,
      details,
      changes: [changed(row.token)],
    };
  }
}

function factsOf({ personId, scopes, workspaces, toolFamilies, ratePerMinute, expiresAt }: TokenInfo): Readonly<Record<string, unknown>> {
  return {
    person_id: personId,
    scopes,
    workspaces,
    tool_families: toolFamilies,
    rate_per_minute: ratePerMinute,
    expires_at: expiresAt,
  };
}

/** The event of a token that changed; it concerns the person behind it. */
export function changed({ id, personId }: Pick<TokenInfo, 'id' | 'personId'>): Change {
  // A token is a principal, so its id has two brands.
  return { owner: personId ?? id, event: { type: 'token.changed', tokenId: id as string as TokenId } };
}
