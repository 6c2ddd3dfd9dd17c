import type { Decision, Mode, Risk, SandboxFacts, StageFacts } from '#contracts';
import { hostRule, hostText } from './network-hosts.js';
import { registryHosts } from './registry-hosts.js';

/** A decision that says which hosts the run may reach, and those hosts. */
export interface Grant {
  readonly decision: Decision;
  readonly hosts: readonly string[];
}

export interface NetworkQuestion {
  readonly mode: Mode;
  /** Hosts that the plan asks for. */
  readonly wished: readonly string[];
  /** Package settings of the workspace, nearest first. */
  readonly packageSettings: readonly string[];
  /** What the sandbox of this machine can do with hosts. */
  readonly machine: Pick<SandboxFacts, 'kind' | 'network'>;
}

/**
 * A run reaches hosts that have a name in its plan, and no others. They follow from the command as policy read it, from the registry of
 * a package tool, or from what the plan asks for on top; asking is always put before a person. A command that connects and leaves open
 * where to is refused: nobody could say what they approve.
 */
export function withNetwork(decision: Decision, question: NetworkQuestion): Grant {
  const stages = decision.stages.map((stage) => withRegistry(stage, question.packageSettings));
  const named = new Set(stages.flatMap(({ hosts }) => hosts).flatMap(canonical));
  const asked = question.wished.filter((host) => !named.has(host));
  const hosts = [...named, ...asked];
  const known: Decision = { ...decision, stages: asked.length === 0 ? stages : withAsked(stages, asked) };
  if (decision.outcome === 'deny') return { decision: known, hosts };
  if (asked.length === 0 && stages.some((stage) => connects(stage, decision) && stage.hosts.length === 0)) {
    return { decision: stricter(known, 'deny', 'network.hosts-unknown', UNKNOWN), hosts };
  }
  const grown = asked.length === 0 ? known : ask(known, question.mode, asked);
  const isHeld = hosts.length === 0 || (question.machine.kind === 'bwrap' && question.machine.network === 'none');
  return { decision: isHeld || grown.outcome === 'deny' ? grown : stricter(grown, 'ask', 'network.not-held', NOT_HELD), hosts };
}

const UNKNOWN = 'It does not say which hosts it connects to. Name them in limits.network.hosts.';
const NOT_HELD = 'This machine cannot hold the run to the named hosts: it could reach any.';

function ask(decision: Decision, mode: Mode, hosts: readonly string[]): Decision {
  const reason = `The plan asks to reach ${hosts.join(', ')}.`;
  if (mode !== 'inspect') return stricter(decision, 'ask', 'network.hosts', reason);
  return stricter(decision, 'deny', 'mode.inspect', `Mode inspect gives no network. ${reason}`);
}

function stricter(decision: Decision, outcome: 'ask' | 'deny', rule: string, reason: string): Decision {
  const risk: Risk = outcome === 'deny' ? 'blocked' : 'high';
  const rest = decision.rules.map((name, index) => [name, decision.reasons[index] ?? ''] as const).filter(([name]) => name !== 'read.only');
  return {
    ...decision,
    outcome,
    risk,
    rules: [rule, ...rest.map(([name]) => name)],
    reasons: [reason, ...rest.map(([, text]) => text)],
    ...(decision.base && { base: { outcome, risk, findings: decision.base.findings.map((names) => [...names, rule]) } }),
  };
}

/** Opening a port of its own needs no host. */
function connects({ effects }: StageFacts, { rules }: Decision): boolean {
  return effects.includes('network') && !rules.includes('network.listen');
}

function withRegistry(stage: StageFacts, settings: readonly string[]): StageFacts {
  if (!stage.effects.includes('network') || stage.hosts.length > 0) return stage;
  return withHosts(stage, registryHosts(stage.tool, settings), 'registry');
}

/** What the plan asks for is shown with its first program. */
function withAsked([first, ...rest]: readonly StageFacts[], asked: readonly string[]): readonly StageFacts[] {
  if (!first) return rest;
  const { effects } = first;
  return [withHosts({ ...first, effects: effects.includes('network') ? effects : [...effects, 'network'] }, asked, 'asked for'), ...rest];
}

function withHosts(stage: StageFacts, hosts: readonly string[], note: string): StageFacts {
  const touches = hosts.map((target) => ({ kind: 'host', target, role: 'connect', note }) as const);
  return { ...stage, hosts: [...stage.hosts, ...hosts], touches: [...stage.touches, ...touches] };
}

function canonical(host: string): readonly string[] {
  const rule = hostRule(host);
  return rule ? [hostText(rule)] : [];
}
