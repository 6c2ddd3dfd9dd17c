import {
  ACCOUNT_STATUSES,
  CONNECTOR_AUTH_TYPES,
  type AccountStatus,
  type ConnectorAccount,
  type ConnectorAuthType,
  type CredentialField,
  type ProviderCategory,
  type ProviderDetail,
  type ScopeOption,
  type ScopeRisk,
} from '#contracts';
import { type Fields, isFields } from './answers.js';

const IDENTIFIER = /^[A-Za-z0-9_-]{1,160}$/;
const MAX_URL = 4_096;
const MOST_SCOPES = 256;
export const SIZES = { name: 200, label: 300, description: 1_000, placeholder: 300, scope: 500, category: 120 } as const;

/** Only what is named here leaves; what does not fit its form or its size is dropped. */
export function identifier(value: unknown): string | undefined {
  return typeof value === 'string' && IDENTIFIER.test(value) ? value : undefined;
}

export function words(value: unknown, most: number): string | null {
  if (typeof value !== 'string' || value.length > most) return null;
  const trimmed = value.trim();
  return trimmed === '' ? null : trimmed;
}

/** Pages that a browser may open or load. */
export function webUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return null;
  const { protocol } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? value : null;
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function authType(value: unknown): ConnectorAuthType | null {
  return CONNECTOR_AUTH_TYPES.find((one) => one === value) ?? null;
}

function authTypes(value: unknown): readonly ConnectorAuthType[] {
  return [...new Set(list(value).flatMap((one) => authType(one) ?? []))];
}

/** The service gives words and objects for its categories; both become the same. */
function categories(value: unknown): readonly ProviderCategory[] {
  return list(value).flatMap((one): readonly ProviderCategory[] => {
    const id = words(isFields(one) ? one['id'] : one, SIZES.category);
    if (id === null) return [];
    return [{ id, name: (isFields(one) ? words(one['displayName'], SIZES.name) : null) ?? id }];
  });
}

export type BareProvider = Pick<ProviderDetail, 'service' | 'name' | 'iconUrl' | 'homepageUrl' | 'categories' | 'authTypes'>;

export function toProvider(value: unknown): BareProvider | undefined {
  const service = isFields(value) ? identifier(value['service']) : undefined;
  if (!isFields(value) || service === undefined) return undefined;
  return {
    service,
    name: words(value['displayName'], SIZES.name) ?? service,
    iconUrl: webUrl(value['iconUrl']),
    homepageUrl: webUrl(value['homepageUrl']),
    categories: categories(value['categories']),
    authTypes: authTypes(value['authTypes']),
  };
}

/** A word that we do not know never counts as active. */
function accountStatus(value: unknown): AccountStatus {
  return ACCOUNT_STATUSES.find((one) => one === value) ?? 'unknown';
}

/** An account of hosted `/v1/apps`, of self-hosted `/v1/apps` or of self-hosted `/api/connections`. */
export function toAccount(value: unknown): ConnectorAccount | undefined {
  if (!isFields(value)) return undefined;
  const id = accountId(value['id']);
  const service = identifier(value['service']);
  if (id === undefined || service === undefined) return undefined;
  const profile = isFields(value['profile']) ? value['profile'] : {};
  const alias = words(value['alias'], SIZES.label);
  const connectionName = connectionNameOf(value['connectionName'] ?? value['alias']);
  const providerAccountId = words(value['providerAccountId'] ?? profile['accountId'], SIZES.label);
  const isBare = value['status'] === undefined && value['configured'] === true; // `/api` tells only that it is there
  return {
    id,
    service,
    connectionName,
    label:
      (alias === 'default' ? null : alias) ??
      words(value['accountLabel'], SIZES.label) ??
      providerAccountId ??
      words(value['displayName'] ?? profile['displayName'], SIZES.label) ??
      id,
    providerAccountId,
    authType: authType(value['authType']),
    status: isBare ? 'active' : accountStatus(value['status']),
    isDefault: value['isDefault'] === true || value['default'] === true,
    scopes: scopesOf(value['scopes'] ?? profile['grantedScopes']),
    createdAt: finite(value['createdAt']),
    updatedAt: finite(value['updatedAt']),
  };
}

/** Accounts without a credential have ids such as `hackernews:default`. */
function accountId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,160}(:[A-Za-z0-9_-]{1,64})?$/.test(value) ? value : undefined;
}

const CONNECTION_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;

export function connectionNameOf(value: unknown): string | null {
  return typeof value === 'string' && CONNECTION_NAME.test(value) ? value : null;
}

export function scopesOf(value: unknown): readonly string[] {
  const scopes = list(value).flatMap((one) => words(one, SIZES.scope) ?? []);
  return [...new Set(scopes)].slice(0, MOST_SCOPES);
}

/** A field of a form. What of a custom credential says nothing about secrecy is a secret; an extra of an API key is not. */
function fields(value: unknown, secretUnlessSaid: boolean): readonly CredentialField[] {
  return list(value).flatMap((one): readonly CredentialField[] => {
    const key = isFields(one) ? identifier(one['key']) : undefined;
    if (!isFields(one) || key === undefined) return [];
    const secret = typeof one['secret'] === 'boolean' ? one['secret'] : secretUnlessSaid;
    return [
      {
        key,
        label: words(one['label'], SIZES.label) ?? key,
        required: one['required'] === true,
        secret,
        placeholder: words(one['placeholder'], SIZES.placeholder),
        description: words(one['description'], SIZES.description),
      },
    ];
  });
}

const RISKS: readonly ScopeRisk[] = ['standard', 'sensitive', 'destructive'];

function scopeOptions(value: unknown): readonly ScopeOption[] {
  const options = list(value).flatMap((one): readonly ScopeOption[] => {
    const scope = isFields(one) ? words(one['value'], SIZES.scope) : null;
    if (!isFields(one) || scope === null) return [];
    const required = one['required'] === true;
    return [
      {
        value: scope,
        required,
        defaultSelected: required || one['defaultSelected'] === true,
        risk: RISKS.find((risk) => risk === one['risk']) ?? 'unknown',
      },
    ];
  });
  return [...new Map(options.map((option) => [option.value, option])).values()].slice(0, MOST_SCOPES);
}

export type ConnectForms = Pick<ProviderDetail, 'apiKey' | 'customCredential' | 'oauth'>;

/** Forms of a hosted provider. */
export function hostedForms(provider: Fields, types: readonly ConnectorAuthType[]): ConnectForms {
  const { apiKeyConfig, customCredentialConfig, oauthClientConfig } = provider;
  const client = isFields(oauthClientConfig) ? oauthClientConfig : {};
  const selection = isFields(client['authorizationScopeSelection']) ? client['authorizationScopeSelection'] : {};
  return {
    apiKey: types.includes('api_key') ? keyForm(apiKeyConfig) : null,
    customCredential: types.includes('custom_credential') ? customForm(customCredentialConfig) : null,
    oauth: types.includes('oauth2')
      ? {
          isReady: client['configured'] === true,
          scopesRequired: selection['requiredInRequest'] === true,
          scopes: scopeOptions(selection['options']),
          redirectUri: null,
          clientId: null,
          canConfigure: false,
        }
      : null,
  };
}

/** Forms of a self-hosted provider: `auth` of the provider, and its OAuth client where there is one. */
export function selfHostedForms(provider: Fields, config: unknown): ConnectForms {
  const definition = (type: ConnectorAuthType): Fields | undefined => list(provider['auth']).filter(isFields).find((one) => one['type'] === type); // prettier-ignore
  const [key, custom, oauth] = [definition('api_key'), definition('custom_credential'), definition('oauth2')];
  const client = isFields(config) ? config : {};
  const chosen = new Set(scopesOf(client['effectiveScopes'] ?? oauth?.['scopes']));
  return {
    apiKey: key ? keyForm(key) : null,
    customCredential: custom ? customForm(custom) : null,
    oauth: oauth
      ? {
          isReady: client['configured'] === true,
          scopesRequired: false,
          scopes: scopesOf(oauth['scopes']).map((value) => ({
            value,
            required: false,
            defaultSelected: chosen.has(value),
            risk: 'unknown',
          })),
          redirectUri: webUrl(client['expectedRedirectUri']),
          clientId: words(client['clientId'], SIZES.label),
          canConfigure: true,
        }
      : null,
  };
}

function keyForm(value: unknown): ConnectForms['apiKey'] {
  const config = isFields(value) ? value : {};
  return {
    label: words(config['label'], SIZES.label),
    placeholder: words(config['placeholder'], SIZES.placeholder),
    description: words(config['description'], SIZES.description),
    extraFields: fields(config['extraFields'], false),
  };
}

function customForm(value: unknown): ConnectForms['customCredential'] {
  return { fields: fields(isFields(value) ? value['fields'] : [], true) };
}
