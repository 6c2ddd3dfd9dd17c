import type { Decision, StageFacts } from '#contracts';
import { limitHit } from './limits.js';
import type { PathLook } from './path-look.js';
import { LEVELS, type Level, type PolicyDocument } from './policy-document.js';
import type { CommandQuestion } from './question.js';
import type { RuleId } from './rules.js';

interface Finding {
  readonly rule: RuleId;
  readonly reason: string;
}

/** Decides a command on its typed words. The strictest finding wins. */
export function decideCommand(question: CommandQuestion, _look: PathLook, policy: PolicyDocument): Decision {
  const hit = limitHit(question.stages);
  if (hit) return verdict([hit], [], question, policy);
  const findings = question.stages.map(({ argv }): Finding => ({ rule: 'tool.unknown', reason: `${argv[0] ?? ''} is not a known tool.` }));
  const facts = question.stages.map(({ argv }): StageFacts => ({
    tool: argv[0] ?? '',
    subcommand: null,
    effects: [],
    touches: [],
    hosts: [],
    wrapped: [],
    understood: false,
  }));
  return verdict(findings, facts, question, policy);
}

function verdict(findings: readonly Finding[], stages: readonly StageFacts[], { mode }: CommandQuestion, policy: PolicyDocument): Decision {
  const level = findings.map(({ rule }) => policy.rules[rule]?.level ?? 'never').reduce<Level>(stricter, 'read');
  const outcome = policy.outcomes[mode][level];
  return {
    outcome,
    risk: outcome === 'deny' ? 'blocked' : level === 'read' ? 'low' : 'high',
    reasons: findings.map(({ reason }) => reason),
    rules: findings.map(({ rule }) => rule),
    stages,
    policyVersion: policy.version,
    quorum: policy.quorum,
    notRequester: policy.notRequester,
  };
}

function stricter(one: Level, other: Level): Level {
  return LEVELS.indexOf(one) >= LEVELS.indexOf(other) ? one : other;
}
