import type { BaseVerdict, Decision, Mode, Stage, StageFacts } from '#contracts';

/** `POST /api/policy/explain`: a decision that was not made about a plan, with the stages as the server read them. */
export interface Explained extends Pick<Decision, 'outcome' | 'risk' | 'reasons' | 'rules' | 'policyVersion'> {
  readonly facts: readonly StageFacts[];
  readonly stages: readonly Stage[];
  readonly mode: Mode;
  readonly cwd: string;
  /** What the built-in policy says without the rules of the team. */
  readonly base?: BaseVerdict;
}
