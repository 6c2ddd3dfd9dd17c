import type { Decision, Mode, Risk } from '#contracts';

const REASON = 'It runs in a terminal, and does what people type into it.';

const RULE = 'terminal.input';

/**
 * What will be typed is not known beforehand, so a person decides; a mode that runs only what is known to read has no terminals.
 * It stands among the findings too: no document lowers it, and no approval of it is remembered or learned from.
 */
export function withTerminal(decision: Decision, mode: Mode): Decision {
  if (decision.outcome === 'deny') return decision;
  const told = { reasons: [REASON, ...decision.reasons], rules: [RULE, ...decision.rules] };
  const outcome = mode === 'inspect' ? 'deny' : 'ask';
  const risk: Risk = outcome === 'deny' ? 'blocked' : decision.risk === 'high' ? 'high' : 'medium';
  const findings = decision.base?.findings.map((names) => [...names, RULE]);
  return { ...decision, ...told, outcome, risk, ...(findings && { base: { outcome, risk, findings } }) };
}
