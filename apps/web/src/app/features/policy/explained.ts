import type { Decision, Stage } from '#contracts';

interface Explained {
  readonly decision?: Decision;
  readonly stages?: readonly Stage[];
}

/** The decision in an answer of the explain route, which may carry the parsed stages beside it. */
export function decisionOf(answer: unknown): Decision {
  // The cast is the route's contract: a decision, alone or with its stages.
  const explained = answer as Explained & Decision;
  return explained.decision ?? explained;
}

/** The stages as the server parsed them; where it does not send them, the tools it recognised. */
export function stagesOf(answer: unknown, command: string): readonly Stage[] {
  const { decision, stages } = answer as Explained;
  if (decision !== undefined && stages !== undefined) return stages;
  return [{ join: 'first', argv: command.split(/\s+/), redirects: [] }];
}
