import { CLIENT_CAPABILITIES_META_KEY, type AuthInfo, type ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '#contracts';
import type { ClientCan } from './tool-call.js';

/** What a door knows about one message. The SDK carries it to the handler untouched. */
export interface CallFacts {
  readonly principal: Principal;
  /** Of the HTTP request, for the log. */
  readonly requestId: string;
  /** Declared at `initialize`; undefined for modern clients, who declare with every request. */
  readonly capabilities?: unknown;
  readonly protocolVersion: string;
  /** What the message asks for; undefined for a batch. */
  readonly method?: string | undefined;
  /** Resources that this legacy connection follows; absent where nothing can be sent later. */
  readonly followed?: Set<string>;
  readonly stepUpUrl?: string | undefined;
}

/** Finds the facts of the message that a handler serves. */
export type FactsOf = (context: ServerContext) => CallFacts;

const FACTS = 'facts';

/** The token itself stays at the guard; nothing behind it needs one. */
export function toAuthInfo(facts: CallFacts): AuthInfo {
  const { principal, stepUpUrl } = facts;
  return {
    token: '',
    clientId: principal.id,
    scopes: [...principal.scopes],
    expiresAt: Math.floor(principal.expiresAt / 1_000),
    ...(stepUpUrl !== undefined && { resourceMetadataUrl: stepUpUrl }),
    extra: { [FACTS]: facts },
  };
}

export function fromAuthInfo(authInfo: AuthInfo | undefined): CallFacts {
  const facts = authInfo?.extra?.[FACTS] as CallFacts | undefined; // only `toAuthInfo` writes it
  if (!facts) throw new Error('A message arrived without its caller');
  return facts;
}

export const factsFromAuthInfo: FactsOf = ({ http }) => fromAuthInfo(http?.authInfo);

/** What this client may be asked for now. */
export function clientCan({ mcpReq }: ServerContext, { capabilities }: CallFacts): ClientCan {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined; // its type has no key for what we look for
  const declared = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? capabilities) as { readonly elicitation?: unknown } | undefined;
  const elicitation = declared?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return { form: false, url: false };
  const url = 'url' in elicitation;
  return { form: 'form' in elicitation || !url, url }; // without a word about modes, forms are meant
}
