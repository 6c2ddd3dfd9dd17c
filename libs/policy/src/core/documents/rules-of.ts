import type { PolicyRule } from '#contracts';
import type { WrittenRule } from './shape.js';

/** What makes a rule meaningless or dangerous although each part of it is well formed. */
export function faultsOf(rule: WrittenRule, before: readonly WrittenRule[]): readonly (readonly [readonly string[], string])[] {
  const faults: (readonly [readonly string[], string])[] = [];
  const { name, match, outcome, ask, limits } = rule;
  if (before.some((other) => other.name === name)) faults.push([['name'], 'is the name of an earlier rule']);
  if (outcome === undefined && limits === undefined) faults.push([[], 'has neither an outcome nor limits']);
  if (ask !== undefined && outcome !== 'ask') faults.push([['ask'], 'belongs to the outcome ask']);
  if (limits !== undefined && outcome === 'deny') faults.push([['limits'], 'mean nothing where all is denied']);
  if (match.subcommand !== undefined && match.tool === undefined)
    faults.push([['match', 'subcommand'], 'needs the tool that it belongs to']);
  if (match.argv !== undefined && (match.tool ?? match.subcommand) !== undefined) faults.push([['match', 'argv'], 'says the tool already']);
  if (outcome !== 'allow') return faults;
  if (match.tool === undefined && match.argv === undefined) faults.push([['match'], 'of an allow names the tool or the whole argv']);
  if (match.tool?.some((tool) => tool.includes('*')) === true) faults.push([['match', 'tool'], 'of an allow has no *: name each tool']);
  if (match.argv?.[0]?.includes('/') === true && match.cwd === undefined)
    faults.push([['match', 'argv'], 'of an allow names a program by path, so it needs the cwd from which it counts']);
  if (match.principal?.some((who) => !UUID.test(who)) === true)
    faults.push([['match', 'principal'], 'of an allow names principals by id: several tokens may have one name']);
  return faults;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What may be meant, but mostly is not. */
export function warningsOf({ match, ask, examples, outcome }: WrittenRule): readonly string[] {
  const cannotDecide =
    ask?.role !== undefined && ask.people === undefined && ask.role.every((role) => role === 'viewer' || role === 'operator');
  return [
    ...(cannotDecide ? ['People with only these roles may not decide, so nobody may'] : []),
    ...(outcome === 'allow' && examples.not_match.length === 0
      ? ['An allow without an example that must not match may let more through than is meant']
      : []),
    ...(match.connector_action !== undefined ? ['Matches actions of connectors only, never a command'] : []),
  ];
}

/** A written rule with everything in its place. */
export function toRule({ name, match, outcome, ask, limits, reason, examples }: WrittenRule, line: number): PolicyRule {
  return {
    name,
    match: {
      workspaces: match.workspace ?? [],
      principals: match.principal ?? [],
      kinds: match.kind ?? [],
      roles: match.role ?? [],
      sessions: match.session ?? [],
      modes: match.mode ?? [],
      tools: match.tool ?? [],
      subcommands: match.subcommand ?? [],
      argv: match.argv ?? null,
      cwd: match.cwd ?? null,
      effects: match.effect ?? [],
      paths: match.path ?? [],
      hosts: match.host ?? [],
      risks: match.risk ?? [],
      findings: match.finding ?? [],
      connectorActions: match.connector_action ?? [],
      times: (match.time ?? []).map(({ zone, weekdays = [], from = null, to = null }) => ({ zone, weekdays, from, to })),
    },
    outcome: outcome ?? null,
    ask:
      outcome === 'ask'
        ? {
            deciders: ask?.role === undefined && ask?.people === undefined ? [] : [{ roles: ask.role ?? [], people: ask.people ?? [] }],
            quorum: ask?.quorum ?? 1,
            notRequester: ask?.not_requester ?? false,
            withinMs: ask?.within ?? null,
            onExpiry: ask?.on_expiry ?? 'deny',
            remember: ask?.remember ?? true,
          }
        : null,
    limits: limits
      ? {
          timeoutMs: limits.timeout ?? null,
          maxOutputBytes: limits.output ?? null,
          hosts: limits.network ?? null,
          sandboxRequired: limits.sandbox === 'required',
        }
      : null,
    reason: reason ?? null,
    examples: { match: examples.match, notMatch: examples.not_match },
    line,
  };
}
