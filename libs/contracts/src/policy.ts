import type { AskTerms, Effect, Outcome, PathRole, Risk } from './decision.js';
import type { AskId, PlanId, PrincipalId, ProposalId, RememberedId, SessionId, WorkspaceId } from './id.js';
import type { PrincipalKind, Role } from './principal.js';
import type { Mode } from './workspace.js';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `from` and `to` are HH:MM; a window that ends before it begins runs over midnight and belongs to the day it begins. */
export interface TimeWindow {
  readonly zone: string;
  /** Empty: every day. */
  readonly weekdays: readonly Weekday[];
  readonly from: string | null;
  readonly to: string | null;
}

/** A glob counted from the workspace; `roles` empty means any. */
export interface PathMatch {
  readonly glob: string;
  readonly roles: readonly PathRole[];
}

/** What a rule looks at. An empty list asks for nothing; within a list any entry is enough. */
export interface PolicyMatch {
  readonly workspaces: readonly string[];
  readonly principals: readonly string[];
  readonly kinds: readonly PrincipalKind[];
  readonly roles: readonly Role[];
  readonly sessions: readonly string[];
  readonly modes: readonly Mode[];
  readonly tools: readonly string[];
  readonly subcommands: readonly string[];
  /** Exactly these words, without redirections. */
  readonly argv: readonly string[] | null;
  /** Working folder counted from the workspace; `.` is the workspace itself. */
  readonly cwd: string | null;
  readonly effects: readonly Effect[];
  readonly paths: readonly PathMatch[];
  readonly hosts: readonly string[];
  readonly risks: readonly Risk[];
  /** Rules of the built-in policy that fired. */
  readonly findings: readonly string[];
  readonly connectorActions: readonly string[];
  readonly times: readonly TimeWindow[];
}

/** A command that a rule must match, or must not. Circumstances that it does not name are taken as those of the rule. */
export interface PolicyExample {
  readonly command: string | null;
  readonly argv: readonly string[] | null;
  readonly mode: Mode | null;
  readonly workspace: string | null;
  readonly cwd: string | null;
  readonly principal: string | null;
  readonly kind: PrincipalKind | null;
  readonly roles: readonly Role[] | null;
  readonly session: string | null;
  /** ISO time. */
  readonly at: string | null;
}

export interface PolicyRuleLimits {
  readonly timeoutMs: number | null;
  readonly maxOutputBytes: number | null;
  /** Null: not limited; empty: no network at all. */
  readonly hosts: readonly string[] | null;
  readonly sandboxRequired: boolean;
}

export interface PolicyRuleAsk extends AskTerms {
  readonly quorum: number;
  readonly notRequester: boolean;
}

export interface PolicyRule {
  readonly name: string;
  readonly match: PolicyMatch;
  /** Null: the rule only sets limits. */
  readonly outcome: Outcome | null;
  /** Only with outcome `ask`. */
  readonly ask: PolicyRuleAsk | null;
  readonly limits: PolicyRuleLimits | null;
  readonly reason: string | null;
  readonly examples: { readonly match: readonly PolicyExample[]; readonly notMatch: readonly PolicyExample[] };
  /** Line of the YAML text at which the rule begins, counted from 1. */
  readonly line: number;
}

/** A policy document as it was read. */
export interface PolicyText {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

/** One row of the list of versions. */
export interface PolicyVersionInfo {
  readonly version: number;
  readonly name: string;
  readonly author: PrincipalId;
  readonly authorName: string;
  readonly note: string;
  readonly at: number;
  /** The older version that this one brings back. */
  readonly restoredFrom: number | null;
  readonly rules: number;
  /** SHA-256 hex of the YAML text. */
  readonly sha256: string;
}

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  /** For `skipped`: how many equal lines are left out, as a number in text. */
  readonly text: string;
}

/** What a version changes, by rule names and by lines. */
export interface PolicyDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly lines: readonly DiffLine[];
}

/** `GET /api/policy/versions/:version`. */
export interface PolicyVersion extends PolicyVersionInfo {
  readonly yaml: string;
  readonly document: PolicyText;
  /** Against the version before it. */
  readonly diff: PolicyDiff;
}

/** `GET /api/policy`. Version 0: nobody has saved a document yet, and `yaml` is one to begin with. */
export interface PolicyInForce {
  readonly version: number;
  /** What stands in decisions, such as `team-7+base-1`. */
  readonly policyVersion: string;
  readonly yaml: string;
  readonly document: PolicyText;
  readonly info: PolicyVersionInfo | null;
}

/** `GET /api/policy/base`: the built-in policy, written as a document. */
export interface BasePolicy {
  readonly policyVersion: string;
  readonly yaml: string;
  readonly document: PolicyText;
  /** Every built-in rule that a document may name under `finding`. */
  readonly findings: readonly {
    readonly name: string;
    readonly level: string;
    readonly risk: Risk;
    readonly says: string;
    /** Whether an `allow` may lower the ask that this finding leads to. */
    readonly lowerable: boolean;
  }[];
}

/** What is wrong with a text, where. Lines and columns count from 1. */
export interface PolicyIssue {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export interface ExampleResult {
  readonly rule: string;
  readonly kind: 'match' | 'not_match';
  readonly text: string;
  readonly ok: boolean;
  /** Verdict of the whole draft on it. */
  readonly outcome: Outcome;
  readonly line: number;
}

/** `POST /api/policy/validate`. A text with issues cannot be saved; warnings do not keep it from being saved. */
export interface PolicyCheck {
  readonly ok: boolean;
  readonly issues: readonly PolicyIssue[];
  readonly warnings: readonly PolicyIssue[];
  readonly examples: readonly ExampleResult[];
  readonly document: PolicyText | null;
  /** Against the document in force; null when the text cannot be read. */
  readonly diff: PolicyDiff | null;
  readonly current: number;
}

export interface ReplayChange {
  readonly planId: PlanId;
  readonly command: string;
  readonly workspaceId: WorkspaceId;
  readonly ownerName: string;
  readonly createdAt: number;
  readonly was: Outcome;
  readonly wouldBe: Outcome;
  /** `terms`: the outcome stays, but who decides, within what time, or the limits change. */
  readonly change: 'looser' | 'stricter' | 'terms';
  readonly rules: readonly string[];
}

/** `POST /api/policy/replay`. */
export interface ReplayResult {
  readonly days: number;
  readonly plans: number;
  readonly unchanged: number;
  readonly looser: number;
  readonly stricter: number;
  readonly terms: number;
  /** Plans that were made before facts were stored with them. */
  readonly skipped: number;
  /** More plans were made in this time than one replay looks at; the newest were taken. */
  readonly capped: boolean;
  /** The looser first, then the stricter, then terms; within them the newest first. At most `limit`. */
  readonly changes: readonly ReplayChange[];
  readonly ms: number;
}

export const GENERALISATIONS = ['exact', 'subcommand', 'tool'] as const;
export type Generalisation = (typeof GENERALISATIONS)[number];

export interface LearnedOffer {
  readonly kind: Generalisation;
  readonly title: string;
  /** The rule to add, as YAML. */
  readonly rule: string;
  /** The document in force with the rule in it. */
  readonly yaml: string;
  readonly replay: ReplayResult;
}

/** `GET /api/policy/learned/:planId`. Without offers, `refusal` says why nothing may be learned from this plan. */
export interface LearnedOffers {
  readonly planId: PlanId;
  readonly offers: readonly LearnedOffer[];
  readonly refusal: string | null;
  /** The version that an acceptance names as `previous`. */
  readonly current: number;
}

export const PROPOSAL_STATUSES = ['open', 'accepted', 'dismissed'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** A change of policy that somebody without the right to make it wants. */
export interface PolicyProposal {
  readonly id: ProposalId;
  readonly by: PrincipalId;
  readonly byName: string;
  readonly byKind: PrincipalKind;
  readonly at: number;
  readonly note: string;
  /** The plan that it was learned from. */
  readonly planId: PlanId | null;
  readonly kind: Generalisation | null;
  /** The rules to add, as YAML: a list. */
  readonly rules: string;
  readonly status: ProposalStatus;
  readonly closedAt: number | null;
  readonly closedBy: PrincipalId | null;
  readonly closedByName: string | null;
  readonly closedReason: string | null;
  /** The version that took it in. */
  readonly version: number | null;
}

export const REMEMBERED_STATES = ['active', 'revoked', 'ended'] as const;
export type RememberedState = (typeof REMEMBERED_STATES)[number];

/** An approval that counts again for the same kind of command, until its session ends or it is revoked. */
export interface RememberedApproval {
  readonly id: RememberedId;
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  /** Whose session it is. */
  readonly owner: PrincipalId;
  readonly ownerName: string;
  readonly by: PrincipalId;
  readonly byName: string;
  readonly at: number;
  /** The ask that the person answered. */
  readonly askId: AskId;
  readonly planId: PlanId;
  /** The command as it was approved. */
  readonly command: string;
  /** In words, what later commands must have in common with it. */
  readonly covers: string;
  readonly state: RememberedState;
  readonly uses: number;
  readonly lastUsedAt: number | null;
  readonly endedAt: number | null;
  readonly endedByName: string | null;
}

/** `remember` of a vote: `once` is the default. */
export const REMEMBER_SCOPES = ['once', 'session'] as const;
export type RememberScope = (typeof REMEMBER_SCOPES)[number];
