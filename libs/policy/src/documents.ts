import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Page, PolicyInForce, PolicyText, PolicyVersion, PolicyVersionInfo, Principal, Result } from '#contracts';
import { type Append, AppError, Clock, EventFeed, type Tx, unwrap } from '#platform';
import { Receipts } from '#receipts';
import { BASE_POLICY } from './core/base-policy.js';
import { checkExamples } from './core/documents/examples.js';
import { diffOf } from './core/documents/lines.js';
import { checkMayChange, checkMayRead } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { STARTER } from './core/documents/starter.js';
import { PolicyVersionRepository, type StoredVersion } from './documents.ports.js';

export interface SaveDocument {
  readonly by: Principal;
  readonly yaml: string;
  /** Number of the version that the author has seen; another one by now is a conflict. */
  readonly previous: number;
  readonly note: string;
  readonly restoredFrom?: number;
}

export interface LoadedDocument {
  readonly version: number;
  readonly policyVersion: string;
  readonly yaml: string;
  readonly document: PolicyText;
  readonly info: PolicyVersionInfo | null;
}

/** Owner of the team's policy document and its versions. Versions are only ever added, each on top of the one its author saw. */
@Injectable()
export class PolicyDocuments {
  #loaded: LoadedDocument | undefined;

  constructor(
    private readonly rows: PolicyVersionRepository,
    private readonly feed: EventFeed,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
  ) {}

  /** The document in force, looked up each time: another process may have saved one. A version never changes, so it is read once. */
  async current(tx?: Tx): Promise<LoadedDocument> {
    const version = await this.rows.current(tx);
    if (this.#loaded?.version === version) return this.#loaded;
    this.#loaded = version === 0 ? none() : await this.#load(version, tx);
    return this.#loaded;
  }

  /** Number of the version in force; 0 when there is none. */
  number(tx?: Tx): Promise<number> {
    return this.rows.current(tx);
  }

  async inForce(principal: Principal): Promise<PolicyInForce> {
    unwrap(checkMayRead(principal));
    return this.current();
  }

  async page(principal: Principal, before: number | undefined, limit: number): Promise<Page<PolicyVersionInfo>> {
    unwrap(checkMayRead(principal));
    const found = await this.rows.page(before, limit + 1);
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? String(items.at(-1)?.version ?? '') : null };
  }

  async version(principal: Principal, version: number): Promise<PolicyVersion> {
    unwrap(checkMayRead(principal));
    const stored = await this.#stored(version);
    const document = documentOf(stored);
    const before = version === 1 ? none() : await this.#load(version - 1);
    return { ...stored.info, yaml: stored.yaml, document, diff: diffOf(before, { yaml: stored.yaml, document }) };
  }

  /** Saves a version in a transaction of its own. */
  async save(wish: SaveDocument): Promise<PolicyVersion> {
    const document = this.checked(wish);
    const info = await this.feed.write((tx, append) => this.saveIn(tx, append, wish, document));
    return this.version(wish.by, info.version);
  }

  /** The document of a wish, once it is known that it may be saved. */
  checked({ by, yaml }: Pick<SaveDocument, 'by' | 'yaml'>): PolicyText {
    unwrap(checkMayChange(by));
    return unwrap(savable(yaml));
  }

  /** Saves in the caller's transaction, so that what else hangs on it is committed together. */
  async saveIn(tx: Tx, append: Append, wish: SaveDocument, document: PolicyText): Promise<PolicyVersionInfo> {
    const { by, yaml, previous, note, restoredFrom = null } = wish;
    const current = await this.rows.current(tx);
    if (current !== previous) throw conflict(current);
    const info: PolicyVersionInfo = {
      version: previous + 1,
      name: document.name,
      author: by.id,
      authorName: by.name,
      note,
      at: this.clock.now(),
      restoredFrom,
      rules: document.rules.length,
      sha256: createHash('sha256').update(yaml).digest('hex'),
    };
    const before = previous === 0 ? none() : await this.#load(previous, tx);
    if (!(await this.rows.insert(tx, { info, yaml }))) throw conflict(await this.rows.current(tx));
    await this.#record(tx, append, by, info, before, { yaml, document });
    await append({ owner: by.id, sessionId: null }, { type: 'policy.changed', version: versionName(info.version) });
    return info;
  }

  /** Brings an older text back as a new version. */
  async restore({ version, ...wish }: Omit<SaveDocument, 'yaml' | 'restoredFrom'> & { readonly version: number }): Promise<PolicyVersion> {
    unwrap(checkMayChange(wish.by));
    const { yaml } = await this.#stored(version);
    return this.save({ ...wish, yaml, restoredFrom: version });
  }

  async #record(
    tx: Tx,
    append: Append,
    by: Principal,
    info: PolicyVersionInfo,
    before: LoadedDocument,
    after: { readonly yaml: string; readonly document: PolicyText },
  ): Promise<void> {
    const { added, removed, changed } = diffOf(before, after);
    const { version, name, note, sha256, restoredFrom } = info;
    await this.receipts.write(tx, append, {
      scope: { owner: by.id, sessionId: null },
      body: null,
      evidence: {
        kind: 'admin',
        requester: { id: by.id, name: by.name, kind: by.kind, channel: by.channel },
        at: new Date(info.at).toISOString(),
        summary: `${by.name} saved version ${version} of the policy document`,
        details: {
          action: 'policy.saved',
          version,
          previous: version - 1,
          name,
          note,
          sha256,
          restored_from: restoredFrom,
          rules_added: added,
          rules_removed: removed,
          rules_changed: changed,
        },
      },
      approverNames: [],
      workspaceName: '',
    });
  }

  async #stored(version: number): Promise<StoredVersion> {
    const stored = await this.rows.find(version);
    if (!stored) throw new AppError('POLICY_VERSION_NOT_FOUND', 'There is no such version', { version });
    return stored;
  }

  async #load(version: number, tx?: Tx): Promise<LoadedDocument> {
    const stored = await this.rows.find(version, tx);
    if (!stored) throw new Error(`Version ${version} of the policy document is missing`);
    return { version, policyVersion: versionName(version), yaml: stored.yaml, document: documentOf(stored), info: stored.info };
  }
}

/** How the document in force is named in decisions, together with the built-in policy it stands on. */
export function versionName(version: number): string {
  return version === 0 ? BASE_POLICY.version : `team-${version}+${BASE_POLICY.version}`;
}

function none(): LoadedDocument {
  return { version: 0, policyVersion: versionName(0), yaml: STARTER, document: { name: 'First version', rules: [] }, info: null };
}

/** Stored texts were read before they were saved. One that cannot be read any more must not be passed over: nothing would be decided. */
function documentOf({ info, yaml }: StoredVersion): PolicyText {
  const read = readDocument(yaml);
  if (!read.ok) throw new Error(`Version ${info.version} of the policy document cannot be read`);
  return read.document;
}

function savable(yaml: string): Result<PolicyText> {
  const read = readDocument(yaml);
  const issues = read.ok ? checkExamples(read.document, read.place).issues : read.issues;
  if (read.ok && issues.length === 0) return { ok: true, value: read.document };
  return { ok: false, code: 'POLICY_INVALID', message: 'The document cannot be saved as it is', details: { issues } };
}

function conflict(current: number): AppError {
  return new AppError('POLICY_VERSION_CONFLICT', 'Somebody has saved another version since; look at it and save again', { current });
}
