import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Connector, ConnectorId, KeySource, Principal, Scope, WorkspaceId } from '#contracts';
import { AppError, Clock, EventFeed, newId, readConfig, SecretBox, unwrap } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import * as z from 'zod';
import { safeView } from './core/endpoint.js';
import { checkSettings, chooseSecret, type ConnectorWish, isKey, TEAM_NAME_ENV } from './core/settings.js';
import { ConnectorRepository, type HeldConnector, type Target } from './ports.js';

const MOST_CONNECTORS = 20;

/** A connector with what is needed to speak with it. Never leaves the server. */
export interface OpenConnector {
  readonly held: HeldConnector;
  readonly target: Target;
  /** Undefined: none is set. */
  readonly adminToken: string | undefined;
  readonly keySource: KeySource;
}

export interface ConnectorChanges extends Partial<ConnectorWish> {
  readonly workspaces?: readonly WorkspaceId[] | undefined;
}

/** Owner of connectors: where they are, who may use them, and their keys. Every change is a receipt; keys are sealed and never given back. */
@Injectable()
export class Connectors implements OnModuleInit {
  constructor(
    private readonly rows: ConnectorRepository,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const held of await this.rows.list()) {
      const { target, adminToken } = this.#open(held);
      this.receipts.protect([target.key, adminToken].filter((secret) => secret !== undefined));
    }
  }

  /** Those that the caller may see: administrators all, others what their workspaces may use. */
  async list(principal: Principal): Promise<readonly Connector[]> {
    return (await this.rows.list()).filter((held) => maySee(principal, held)).map((held) => this.#shown(held));
  }

  async get(principal: Principal, id: ConnectorId): Promise<Connector> {
    return this.#shown((await this.openFor(principal, id)).held);
  }

  /** An id is not a credential: a connector of other workspaces and none look the same. */
  async openFor(principal: Principal, id: ConnectorId, scope: Scope = 'connector:read'): Promise<OpenConnector> {
    const held = await this.rows.find(id);
    if (!held || !maySee(principal, held)) throw notFound();
    if (!mayDo(principal, held, scope)) throw new AppError('SCOPE_MISSING', `This needs the scope ${scope}`, { scope });
    return this.#open(held);
  }

  /** The connector that calls from a workspace mean: the one that is named, or the only one. */
  async resolve(workspaceId: WorkspaceId, reference: string | undefined): Promise<OpenConnector> {
    const usable = (await this.rows.list()).filter(({ workspaces }) => workspaces.includes(workspaceId));
    const found = reference === undefined ? usable : usable.filter(({ id, settings }) => id === reference || settings.name === reference);
    const [only, ...rest] = found;
    if (!only) throw notFound();
    if (rest.length > 0) throw new AppError('INPUT_INVALID', 'Several connectors can be used here; name one', { paths: ['connector'] });
    return this.#open(only);
  }

  async open(id: ConnectorId): Promise<OpenConnector | undefined> {
    const held = await this.rows.find(id);
    return held && this.#open(held);
  }

  async all(): Promise<readonly OpenConnector[]> {
    return (await this.rows.list()).map((held) => this.#open(held));
  }

  async create(by: Principal, wish: ConnectorWish, workspaces: readonly WorkspaceId[]): Promise<Connector> {
    if ((await this.rows.list()).length >= MOST_CONNECTORS)
      throw new AppError('CONNECTOR_CONFLICT', `There can be ${String(MOST_CONNECTORS)} connectors`, { limit: MOST_CONNECTORS });
    const settings = unwrap(checkSettings(wish));
    const now = this.clock.now();
    const held: HeldConnector = {
      ...{ id: newId<ConnectorId>(), settings, workspaces: [...new Set(workspaces)], createdAt: now, changedAt: now },
      ...{ sealedKey: null, sealedAdminToken: null, sealedRuntimeToken: null, runtimeTokenId: null },
    };
    return this.#write(by, 'connector.created', `added the connector ${settings.name}`, null, held);
  }

  async change(by: Principal, id: ConnectorId, { workspaces, ...wish }: ConnectorChanges): Promise<Connector> {
    const before = await this.#held(id);
    const { endpoint, ...kept } = before.settings;
    const isMoved = wish.endpoint !== undefined && wish.endpoint !== endpoint.url;
    const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as Partial<ConnectorWish>;
    const settings = unwrap(checkSettings({ ...kept, endpoint: endpoint.url, ...(isMoved && { apiKeyEnv: null }), ...given }));
    // Keys were given for one place; they do not follow to another.
    const isElsewhere = settings.endpoint.origin !== endpoint.origin || settings.endpoint.mode !== endpoint.mode;
    const keys = isElsewhere ? { sealedKey: null, sealedAdminToken: null, sealedRuntimeToken: null, runtimeTokenId: null } : {};
    const after = { ...before, ...keys, settings, workspaces: workspaces ? [...new Set(workspaces)] : before.workspaces };
    return this.#write(by, 'connector.changed', `changed the connector ${settings.name}`, before, after);
  }

  /** Null takes the key away; the environment may still have one. */
  async setKey(by: Principal, id: ConnectorId, which: 'key' | 'admin_token', secret: string | null): Promise<Connector> {
    const before = await this.#held(id);
    if (secret !== null && !isKey(secret)) throw new AppError('INPUT_INVALID', 'This cannot be a key', { paths: ['key'] });
    if (secret !== null) this.receipts.protect([secret.trim()]);
    const sealed = secret === null ? null : this.box.seal(secret.trim());
    const after = which === 'key' ? { ...before, sealedKey: sealed } : { ...before, sealedAdminToken: sealed, sealedRuntimeToken: null, runtimeTokenId: null }; // prettier-ignore
    const words = which === 'key' ? 'key' : 'admin token';
    const did = `${secret === null ? 'removed' : 'set'} the ${words} of the connector ${before.settings.name}`;
    return this.#write(by, `connector.${which}_${secret === null ? 'removed' : 'set'}`, did, before, after);
  }

  /** The runtime token that we minted takes the place of the one before. False: somebody changed the connector meanwhile. */
  async keepRuntimeToken(held: HeldConnector, minted: { readonly token: string; readonly id: string }): Promise<boolean> {
    this.receipts.protect([minted.token]);
    const after = { ...held, sealedRuntimeToken: this.box.seal(minted.token), runtimeTokenId: minted.id, changedAt: this.#later(held) };
    return this.feed.write((tx) => this.rows.update(tx, after, held.changedAt));
  }

  async remove(by: Principal, id: ConnectorId): Promise<void> {
    const before = await this.#held(id);
    await this.#write(by, 'connector.removed', `removed the connector ${before.settings.name}`, before, null);
  }

  defaults(id: ConnectorId): Promise<ReadonlyMap<string, string>> {
    return this.rows.defaults(id);
  }

  async setDefault(by: Principal, id: ConnectorId, service: string, accountId: string): Promise<void> {
    const { settings } = await this.#held(id);
    await this.feed.write(async (tx, append) => {
      await this.rows.setDefault(tx, id, service, accountId);
      const details = { connector_id: id, service, account_id: accountId };
      const did = `made an account of ${service} the default of the connector ${settings.name}`;
      await this.receipts.write(tx, append, adminDraft({ by, at: this.clock.now(), action: 'connector.default_set', did, details }));
      await append({ owner: by.id, sessionId: null }, { type: 'connector.changed', connectorId: id });
    });
  }

  /** A change that people made there, through us. */
  async record(by: Principal, id: ConnectorId, action: string, did: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    await this.feed.write(async (tx, append) => {
      await this.receipts.write(
        tx,
        append,
        adminDraft({ by, at: this.clock.now(), action, did, details: { connector_id: id, ...details } }),
      );
      await append({ owner: by.id, sessionId: null }, { type: 'connector.changed', connectorId: id });
    });
  }

  async #held(id: ConnectorId): Promise<HeldConnector> {
    const held = await this.rows.find(id);
    if (!held) throw notFound();
    return held;
  }

  async #write(by: Principal, action: string, did: string, before: HeldConnector | null, after: HeldConnector | null): Promise<Connector> {
    const kept = after && before ? { ...after, changedAt: this.#later(before) } : after;
    const id = (kept ?? before)?.id as ConnectorId; // one of the two is there
    await this.feed.write(async (tx, append) => {
      const isInsert = before === null && kept !== null;
      const isWritten = isInsert
        ? await this.rows.insert(tx, kept)
        : kept && before
          ? await this.rows.update(tx, kept, before.changedAt)
          : await this.rows.remove(tx, id);
      if (!isWritten && isInsert) throw new AppError('CONNECTOR_NAME_TAKEN', 'Another connector has this name');
      if (!isWritten) throw new AppError('CONNECTOR_CONFLICT', 'Somebody else has changed or removed it; load it again');
      const details = { connector_id: id, before: before && factsOf(before), after: kept && factsOf(kept) };
      await this.receipts.write(tx, append, adminDraft({ by, at: this.clock.now(), action, did, details }));
      await append({ owner: by.id, sessionId: null }, { type: 'connector.changed', connectorId: id });
    });
    return this.#shown((kept ?? before) as HeldConnector); // one of the two is there
  }

  #open(held: HeldConnector): OpenConnector {
    const { settings, sealedKey, sealedAdminToken, sealedRuntimeToken } = held;
    const { mode, base } = settings.endpoint;
    const chosen = chooseSecret(sealedKey === null ? undefined : this.box.open(sealedKey), fromEnvironment(settings.apiKeyEnv));
    const own = settings.leastPrivilege && sealedRuntimeToken !== null ? this.box.open(sealedRuntimeToken) : undefined;
    const team = mode === 'oomol-hosted' ? (settings.teamName ?? fromEnvironment(TEAM_NAME_ENV)?.trim() ?? '') : '';
    return {
      held,
      target: { base, key: own ?? chosen?.value, team: team === '' ? null : team },
      adminToken: sealedAdminToken === null || mode === 'oomol-hosted' ? undefined : this.box.open(sealedAdminToken),
      keySource: chosen?.source ?? 'none',
    };
  }

  #shown(held: HeldConnector): Connector {
    const { settings, id, workspaces, sealedAdminToken, createdAt, changedAt } = held;
    const { endpoint, ...rest } = settings;
    const hasAdminToken = sealedAdminToken !== null;
    const { apiKeyEnv, ...shown } = rest;
    return {
      ...{ id, workspaces, hasAdminToken, createdAt, changedAt, ...shown },
      configuration: safeView(endpoint, apiKeyEnv, hasAdminToken),
      teamNameEnv: TEAM_NAME_ENV,
      keySource: this.#open(held).keySource,
    };
  }

  /** Two changes never have the same time, so that the time tells whether it was changed in between. */
  #later({ changedAt }: HeldConnector): number {
    return Math.max(this.clock.now(), changedAt + 1);
  }
}

/** What a receipt says of a connector: no key, sealed or open. */
function factsOf({ settings: { endpoint, ...settings }, workspaces, sealedKey, sealedAdminToken }: HeldConnector): object {
  const keys = { has_key: sealedKey !== null, has_admin_token: sealedAdminToken !== null };
  return { ...settings, endpoint: endpoint.url, mode: endpoint.mode, workspaces, ...keys };
}

/** The name was checked when it was set. */
function fromEnvironment(name: string): string | undefined {
  const value: unknown = readConfig(z.object({ [name]: z.string().optional() }))[name];
  return typeof value === 'string' ? value : undefined;
}

function maySee(principal: Principal, held: HeldConnector): boolean {
  return mayDo(principal, held, 'connector:read') || mayDo(principal, held, 'connector:use');
}

function mayDo(principal: Principal, { workspaces }: HeldConnector, scope: Scope): boolean {
  if (hasScope(principal, 'admin', null)) return true;
  return workspaces.some((id) => hasScope(principal, scope, id));
}

function notFound(): AppError {
  return new AppError('CONNECTOR_NOT_FOUND', 'There is no such connector, or it may not be used here');
}
