import type { ActionEffect, ConnectorCall, Decision, Effect, Mode, Outcome, Risk, Stage, StageFacts } from '#contracts';

/** The version of these rules; it changes when they do. */
export const ACTION_POLICY_VERSION = 'connector-1';

const EFFECTS: Readonly<Record<ActionEffect, readonly Effect[]>> = {
  read: ['network', 'read'],
  write: ['network', 'write'],
  destructive: ['network', 'delete'],
  unknown: ['network', 'write', 'delete'],
};
const RISK: Readonly<Record<ActionEffect, Risk>> = { read: 'low', write: 'medium', destructive: 'high', unknown: 'high' };

/** The one stage that stands for a call: its words are the action, the account and the input. */
export function stageOf({ action, account, input }: Pick<ConnectorCall, 'action' | 'account' | 'input'>): Stage {
  return { join: 'first', argv: [action, ...(account === null ? [] : [account.connectionName ?? account.id]), input], redirects: [] };
}

/** What the built-in policy says to an action: what only reads runs, everything else is put before a person. */
export function decideCall(call: ConnectorCall, mode: Mode, policyVersion: string): Decision {
  const { effect } = call.effect;
  const [outcome, rule, words] = verdict(call, mode);
  const facts: StageFacts = {
    tool: call.action,
    subcommand: null,
    effects: EFFECTS[effect],
    touches: [{ kind: 'host', target: new URL(call.origin).host, role: 'connect', note: `the connector ${call.connectorName}` }],
    hosts: [new URL(call.origin).host],
    wrapped: [],
    understood: effect !== 'unknown',
    commands: [{ tool: call.action, subcommand: null }],
  };
  const risk = outcome === 'deny' ? 'blocked' : RISK[effect];
  return {
    outcome,
    risk,
    reasons: [words, call.effect.reason],
    rules: [rule, `connector.effect.${call.effect.source}`],
    stages: [facts],
    policyVersion,
    quorum: 1,
    notRequester: false,
    base: { outcome, risk, findings: [outcome === 'allow' ? [] : [rule]] },
  };
}

function verdict({ effect: { effect }, preview }: ConnectorCall, mode: Mode): readonly [Outcome, string, string] {
  if (!preview.allowed) return ['deny', 'connector.refused-there', 'The connector itself does not allow this action.'];
  if (effect === 'read') return ['allow', 'connector.read', 'The action only reads.'];
  if (mode === 'inspect') return ['deny', 'connector.inspect', 'In this workspace nothing is changed, and this action may change something.']; // prettier-ignore
  return ['ask', `connector.${effect}`, effect === 'unknown' ? 'Nobody knows what this action does.' : `The action ${effect === 'write' ? 'changes' : 'takes away'} something at the service.`]; // prettier-ignore
}
