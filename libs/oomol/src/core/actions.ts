import type { ActionRow, ConnectorAccount, PinnedAccount } from '#contracts';
import { canonicalJson, sha256Hex } from '#receipts/core';
import { type Fields, isFields } from './answers.js';
import { effectOf, type ActionFacts } from './effect.js';
import { identifier, scopesOf, SIZES, words } from './sanitise.js';

const ACTION_ID = /^[A-Za-z0-9_-]{1,160}\.[A-Za-z0-9_-]{1,160}$/;
const MAX_SCHEMA_CHARACTERS = 200_000;
const MAX_GUIDE_CHARACTERS = 24_000;

export function actionId(value: unknown): string | undefined {
  return typeof value === 'string' && ACTION_ID.test(value) ? value : undefined;
}

/** A hit of a search, or an action of the catalog. What it needs stands in it, or in its capability. */
export function toActionRow(value: unknown): ActionRow | undefined {
  const facts = toFacts(value);
  if (!isFields(value) || !facts) return undefined;
  const capability = isFields(value['capability']) ? value['capability'] : {};
  const execution = executionOf(value, capability);
  return {
    id: facts.id,
    service: facts.id.slice(0, facts.id.indexOf('.')),
    name: facts.name,
    description: facts.description,
    effect: effectOf(facts),
    requiredScopes: facts.requiredScopes,
    isAllowedThere: previewOf(capability).allowed,
    needsAccount: execution['noAuthRunnable'] !== true,
  };
}

export function toFacts(value: unknown): ActionFacts | undefined {
  const id = isFields(value) ? actionId(value['id']) : undefined;
  if (!isFields(value) || id === undefined) return undefined;
  const capability = isFields(value['capability']) ? value['capability'] : {};
  const lifecycle = isFields(value['asyncLifecycle']) ? value['asyncLifecycle'] : undefined;
  return {
    id,
    name: identifier(value['name']) ?? id.slice(id.indexOf('.') + 1),
    description: words(value['description'], SIZES.description) ?? textOf(value['description']).slice(0, SIZES.description),
    requiredScopes: scopesOf(value['requiredScopes'] ?? capability['requiredScopes']),
    providerPermissions: scopesOf(value['providerPermissions'] ?? capability['providerPermissions']),
    lifecycle: lifecycle && {
      statusActionId: actionId(lifecycle['statusActionId']) ?? null,
      cancelActionId: actionId(lifecycle['cancelActionId']) ?? null,
    },
  };
}

function executionOf(value: Fields, capability: Fields): Fields {
  const execution = capability['execution'] ?? value['execution'];
  return isFields(execution) ? execution : {};
}

/** What the connector's own policy says. It is a preview: only its answer to the call counts. */
export function previewOf(capability: unknown): { readonly allowed: boolean; readonly rule: string | null } {
  const policy = isFields(capability) && isFields(capability['policy']) ? capability['policy'] : {};
  const checks = Array.isArray(policy['checks']) ? (policy['checks'] as readonly unknown[]) : [];
  const rule = checks.filter(isFields).flatMap((check) => words(check['rule'], SIZES.name) ?? [])[0] ?? null;
  return { allowed: policy['allowed'] !== false, rule };
}

/** Schemas of an action with their digest. Too large ones are not taken. */
export interface ActionSchema {
  readonly facts: ActionFacts;
  readonly row: ActionRow;
  readonly inputSchema: Fields;
  readonly outputSchema: Fields | null;
  readonly digest: string;
  readonly route: 'http' | 'mcp';
  readonly suggestion: string | null;
}

export function toSchema(value: unknown): ActionSchema | undefined {
  const facts = toFacts(value);
  const row = toActionRow(value);
  if (!isFields(value) || !facts || !row || !isFields(value['inputSchema'])) return undefined;
  const inputSchema = value['inputSchema'];
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARACTERS) return undefined;
  const output = isFields(value['outputSchema']) ? value['outputSchema'] : null;
  return {
    ...{ facts, row, inputSchema, route: 'http' },
    outputSchema: output && JSON.stringify(output).length <= MAX_SCHEMA_CHARACTERS ? output : null,
    // What an action needs and what it is are pinned with what it takes: each of them changes what a person agreed to.
    digest: sha256Hex(canonicalJson({ facts: { ...facts, lifecycle: facts.lifecycle ?? null }, inputSchema, outputSchema: output })),
    suggestion: suggestionOf(value),
  };
}

/** Where only the guide is to be had, the guide stands for the schema. */
export function schemaOfGuide(id: string, guide: Guide): ActionSchema | undefined {
  const facts = toFacts({ id, name: id.slice(id.indexOf('.') + 1), description: '', capability: guide.capability });
  const row = toActionRow({ id, description: '', capability: guide.capability });
  if (!facts || !row) return undefined;
  return {
    ...{ facts, row, route: 'mcp', outputSchema: null, suggestion: null },
    inputSchema: { type: 'object' },
    digest: sha256Hex(canonicalJson({ facts: { ...facts, lifecycle: facts.lifecycle ?? null }, guide: guide.markdown })),
  };
}

export interface Guide {
  readonly capability: unknown;
  readonly markdown: string;
}

export function toGuide(value: unknown): Guide | undefined {
  if (!isFields(value) || typeof value['markdown'] !== 'string') return undefined;
  const text = value['markdown'].toWellFormed();
  const cut = text.length > MAX_GUIDE_CHARACTERS;
  return { capability: value['capability'], markdown: cut ? `${text.slice(0, MAX_GUIDE_CHARACTERS).toWellFormed()}…` : text };
}

/** An action that a person may use to see what happened. */
function suggestionOf(value: Fields): string | null {
  const follow = Array.isArray(value['followUpActions']) ? (value['followUpActions'] as readonly unknown[]) : [];
  const lifecycle = isFields(value['asyncLifecycle']) ? value['asyncLifecycle'] : {};
  const ids = [lifecycle['statusActionId'], ...follow.map((one) => (isFields(one) ? (one['actionId'] ?? one['id']) : one))];
  return ids.flatMap((one) => actionId(one) ?? [])[0] ?? null;
}

/** The input as it is digested, approved and sent. Null: it is no object that JSON can hold, or it is too large. */
export function canonicalInput(input: unknown, mostBytes: number): { readonly text: string; readonly digest: string } | null {
  if (!isFields(input)) return null;
  let text: string;
  try {
    text = canonicalJson(input);
  } catch {
    return null; // no JSON has such a value
  }
  return Buffer.byteLength(text) > mostBytes ? null : { text, digest: sha256Hex(text) };
}

export type ChosenAccount = { readonly account: PinnedAccount | null } | { readonly refusal: 'ACCOUNT_NOT_FOUND' | 'ACCOUNT_AMBIGUOUS' };

/** The account that a call is for: the one that is named, or the only one that can be meant. */
export function chooseAccount(
  accounts: readonly ConnectorAccount[],
  wanted: string | undefined,
  ownDefault: string | null,
  needsAccount: boolean,
): ChosenAccount {
  const present = accounts.filter(({ status }) => status !== 'disconnected');
  if (wanted !== undefined) {
    const named = present.filter(({ id, connectionName, label }) => id === wanted || connectionName === wanted || label === wanted);
    const exact = named.find(({ id, connectionName }) => id === wanted || connectionName === wanted);
    const [only, ...rest] = named;
    if (exact) return { account: pinned(exact) };
    if (!only) return { refusal: 'ACCOUNT_NOT_FOUND' };
    return rest.length > 0 ? { refusal: 'ACCOUNT_AMBIGUOUS' } : { account: pinned(only) };
  }
  const preferred = present.find(({ id }) => id === ownDefault) ?? present.find(({ isDefault }) => isDefault);
  if (preferred) return { account: pinned(preferred) };
  const [only, ...rest] = present;
  if (rest.length > 0) return { refusal: 'ACCOUNT_AMBIGUOUS' };
  if (only) return { account: pinned(only) };
  return needsAccount ? { refusal: 'ACCOUNT_NOT_FOUND' } : { account: null };
}

function pinned({ id, connectionName, providerAccountId, label }: ConnectorAccount): PinnedAccount {
  return { id, connectionName, accountId: providerAccountId, label };
}

/** Whether the account of a plan is still who it was. */
export function isSameAccount(then: PinnedAccount | null, accounts: readonly ConnectorAccount[]): boolean {
  if (then === null) return true;
  const now = accounts.find(({ id }) => id === then.id);
  return now !== undefined && now.status !== 'disconnected' && now.connectionName === then.connectionName && (then.accountId === null || now.providerAccountId === then.accountId); // prettier-ignore
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
