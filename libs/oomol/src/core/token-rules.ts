import type { PolicyText } from '#contracts';

const MOST_RULES = 128;
const ACTION_RULE = /^([\w-]+\.([\w-]+|\*)|\*)$/;

export interface TokenRules {
  readonly allowedActions: readonly string[];
  readonly blockedActions: readonly string[];
  readonly allowedProxies: readonly string[];
  readonly allowedConnections: readonly string[];
}

/**
 * What a runtime token of ours may do: nothing that the team's document denies without conditions, and never the proxy. Null: the rules
 * are more than a token can hold. What the document denies only to some, or only at times, stays with our own policy.
 */
export function tokenRules({ rules }: Pick<PolicyText, 'rules'>): TokenRules | null {
  const denied = rules.flatMap(({ outcome, match }) => {
    const { connectorActions, providers = [], connectors = [], actionEffects = [], times } = match;
    const others = [match.workspaces, match.principals, match.kinds, match.roles, match.sessions, match.modes, match.tools, match.effects, match.paths, match.hosts, match.risks, match.findings, connectors, actionEffects, times]; // prettier-ignore
    const isPlain = match.argv === null && match.cwd === null && others.every((list) => list.length === 0);
    if (outcome !== 'deny' || !isPlain || (connectorActions.length > 0 && providers.length > 0)) return [];
    return [...connectorActions, ...providers.map((provider) => `${provider}.*`)];
  });
  const blocked = [...new Set(denied)].filter((rule) => ACTION_RULE.test(rule) && Buffer.byteLength(rule) <= 256).sort();
  if (blocked.length > MOST_RULES) return null;
  return { allowedActions: [], blockedActions: blocked, allowedProxies: [], allowedConnections: [] };
}
