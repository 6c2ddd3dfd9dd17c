import type { Role } from './principal.js';

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

/** Program text that a project file holds under a name, such as a script of `package.json`: what really runs. */
export interface ScriptText {
  readonly name: string;
  /** The file that holds it. */
  readonly file: string;
  /** As it stands in the file, or its beginning. */
  readonly text: string;
  readonly isWhole: boolean;
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
  /** The tool of the stage and every tool that it wraps, with their subcommands. */
  readonly commands?: readonly ToolCommand[];
  /** Folders that the tool goes through with all that is below. */
  readonly walks?: readonly string[];
  /** In the order in which they would run; absent when the command names none. */
  readonly scripts?: readonly ScriptText[];
}

export interface ToolCommand {
  readonly tool: string;
  readonly subcommand: string | null;
  /** A wrapper that changes nothing about what the inner command is. */
  readonly through?: boolean;
  /** What a shortened subcommand may stand for. */
  readonly short?: boolean;
}

/** Who may answer: a person who has one of the roles or is one of the people. People are named by id or name. */
export interface Deciders {
  readonly roles: readonly Role[];
  readonly people: readonly string[];
}

/** How an ask is to be decided, beyond how many must agree. */
export interface AskTerms {
  /** A voter must be among each of them; none: whoever may decide asks. */
  readonly deciders: readonly Deciders[];
  /** Null: as long as a plan waits. */
  readonly withinMs: number | null;
  /** After `withinMs` the ask ends, or it is only marked as late. */
  readonly onExpiry: 'deny' | 'wait';
  /** Whether an approval may be remembered for the session. */
  readonly remember: boolean;
}

/** Bounds that policy sets to a run; absent ones are not limited by policy. */
export interface PolicyLimits {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** The only hosts that the command may name; empty: no network. */
  readonly hosts?: readonly string[];
  readonly sandboxRequired?: boolean;
}

/** What the built-in policy said before the team's document had its word. */
export interface BaseVerdict {
  readonly outcome: Outcome;
  readonly risk: Risk;
  /** Names of the rules that fired, one list per stage. */
  readonly findings: readonly (readonly string[])[];
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
  readonly terms?: AskTerms;
  readonly limits?: PolicyLimits;
  readonly base?: BaseVerdict;
}
