import type { Decision, Mode } from '#contracts';

const REASON = 'It runs in a terminal, and does what people type into it.';

/** What will be typed is not known beforehand, so a person decides; a mode that runs only what is known to read has no terminals. */
export function withTerminal(decision: Decision, mode: Mode): Decision {
  if (decision.outcome === 'deny') return decision;
  const told = { reasons: [REASON, ...decision.reasons], rules: ['terminal.input', ...decision.rules] };
  if (mode === 'inspect') return { ...decision, ...told, outcome: 'deny', risk: 'blocked' };
  return { ...decision, ...told, outcome: 'ask', risk: decision.risk === 'high' ? 'high' : 'medium' };
}
