export const OUTCOMES = ['allow', 'ask', 'deny'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const RISKS = ['low', 'medium', 'high', 'blocked'] as const;
export type Risk = (typeof RISKS)[number];

export const EFFECTS = [
  'read',
  'write',
  'delete',
  'execute_project_code',
  'execute_inline',
  'network',
  'privilege',
  'environment',
  'process',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** What one path operand is to the command. */
export const PATH_ROLES = ['read', 'write', 'delete', 'execute', 'cwd'] as const;
export type PathRole = (typeof PATH_ROLES)[number];

/** A row of "what it may touch". `target` is a path, a host or a variable name; never a secret value. */
export interface Touch {
  readonly kind: 'path' | 'host' | 'env' | 'unknown';
  readonly target: string;
  readonly role: PathRole | 'connect' | 'set';
  /** One short fact, such as "inside the workspace" or "new file". */
  readonly note: string;
}

/** Analysis of one stage (one argv). */
export interface StageFacts {
  readonly tool: string;
  readonly subcommand: string | null;
  readonly effects: readonly Effect[];
  readonly touches: readonly Touch[];
  readonly hosts: readonly string[];
  /** Inner argv of wrappers such as `env` or `xargs`, outermost first. */
  readonly wrapped: readonly (readonly string[])[];
  /** True when every word was understood by a grammar. */
  readonly understood: boolean;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly risk: Risk;
  /** One sentence each, for people; each names its rule in `rules` at the same index. */
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
  readonly stages: readonly StageFacts[];
  readonly policyVersion: string;
  /** Who may decide and how many must; used when outcome is `ask`. */
  readonly quorum: number;
  /** Policy says the requester (and the person behind a token) may not decide. */
  readonly notRequester: boolean;
}
