import type {
  ApprovalFact,
  Channel,
  Evidence,
  NetworkFact,
  Plan,
  PrincipalId,
  Receipt10,
  ReceiptStatus,
  Run,
  RunOutcome,
  SandboxFacts,
  StageResult,
  StreamFact,
  TypedFact,
  Workspace,
} from '#contracts';
import { commandText, commandWords, summaryOf } from './command-text.js';
import type { EndedBy } from './ended-by.js';

/** What the executor tells at the end of a run, as far as a receipt speaks of it. */
export interface RunReport {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly stages: readonly StageResult[];
  readonly stdoutFact: StreamFact;
  readonly stderrFact: StreamFact;
  readonly sandbox: SandboxFacts;
  readonly limitHit: string | null;
  readonly survivors: readonly number[];
  readonly network?: NetworkFact;
  readonly cpuMs: number | null;
  readonly maxRssBytes: number | null;
  readonly failure: string | null;
  /** The error code that the failure stands for, if any. */
  readonly refusal?: string;
}

/** How a run came to its end, as its owner or recovery knows it. */
export interface Ending {
  readonly outcome: RunOutcome;
  readonly endedAt: number;
  readonly endedBy: EndedBy | null;
  /** Null when the executor could not tell: nothing was started, or its owner died. */
  readonly result: RunReport | null;
  /** Redacted text that stands in the receipt. */
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** Why nothing ran, in our own words. */
  readonly failure: string | null;
  readonly typed?: readonly TypedFact[];
}

export interface RunStory {
  readonly plan: Plan;
  readonly run: Run;
  readonly workspace: Workspace;
  readonly startedBy: PrincipalId;
  readonly approvals: readonly ApprovalFact[];
  readonly ending: Ending;
}

type Body = Omit<Receipt10, 'schema_version' | 'id' | 'command_sha256' | 'signature'>;

/** The 1.0 part of a run's receipt. An outcome that 1.0 cannot say is `failed` here and exact in the evidence. */
export function receiptBody({ plan, run, ending }: RunStory): Body {
  const { body, decision } = plan;
  const startedAt = ending.result?.startedAt ?? run.startedAt;
  return {
    plan_id: plan.id,
    session_id: plan.sessionId,
    command: commandText(body),
    cwd: body.cwd,
    mode: body.mode,
    risk: decision.risk,
    approved: true,
    policy: {
      allowed: decision.outcome !== 'deny',
      risk: decision.risk,
      requires_approval: decision.outcome === 'ask',
      reasons: decision.reasons,
      argv: commandWords(body.stages),
    },
    status: statusOf(ending.outcome),
    started_at: iso(startedAt),
    finished_at: iso(ending.endedAt),
    duration_ms: Math.max(0, Math.round(ending.endedAt - startedAt)),
    exit_code: ending.result?.exitCode ?? null,
    signal: ending.result?.signal ?? null,
    stdout: ending.stdout,
    stderr: ending.stderr,
    output_truncated: ending.truncated,
  };
}

export function runEvidence({ plan, run, workspace, startedBy, approvals, ending }: RunStory): Omit<Evidence, 'schema' | 'id'> {
  const { result } = ending;
  return {
    ...planEvidence(plan, workspace),
    kind: 'run',
    at: iso(ending.endedAt),
    summary: summaryOfRun(plan, ending),
    run_id: run.id,
    approvals,
    sandbox: result?.sandbox ?? plan.sandbox,
    outcome: ending.outcome,
    ...(result && {
      limit_hit: result.limitHit,
      stages: result.stages,
      stdout: result.stdoutFact,
      stderr: result.stderrFact,
      usage: {
        wall_ms: Math.max(0, Math.round(result.endedAt - result.startedAt)),
        cpu_ms: result.cpuMs,
        max_rss_bytes: result.maxRssBytes,
      },
      survivors: result.survivors,
      ...(result.network && { network: result.network }),
      ...(plan.body.tty && { typed: ending.typed ?? [] }),
    }),
    details: {
      ...(ending.endedBy && { ended_by: ending.endedBy }),
      ...(startedBy !== plan.owner && { started_by: startedBy }),
      ...(ending.failure !== null && { failure: ending.failure }),
      ...(result?.failure != null && { failure: result.failure }),
      ...(result?.refusal !== undefined && { refusal: result.refusal }),
    },
  };
}

/** How a plan ends that never runs. */
export type UnrunOutcome = 'blocked' | 'rejected' | 'expired' | 'cancelled' | 'stale';

const UNRUN_WORDS: Readonly<Record<UnrunOutcome, string>> = {
  blocked: 'Policy blocked',
  rejected: 'A person rejected',
  expired: 'Time ran out for',
  cancelled: 'Somebody took back',
  stale: 'What it saw had changed, so this was not run',
};

/** Evidence of a plan that never runs. */
export function decisionEvidence(
  plan: Plan,
  workspace: Workspace,
  verdict: {
    readonly outcome: UnrunOutcome;
    readonly at: number;
    readonly approvals: readonly ApprovalFact[];
    readonly changed?: readonly string[];
  },
): Omit<Evidence, 'schema' | 'id'> {
  return {
    ...planEvidence(plan, workspace),
    kind: 'decision',
    at: iso(verdict.at),
    summary: `${UNRUN_WORDS[verdict.outcome]}: ${summaryOf(plan.body)}`,
    approvals: verdict.approvals,
    outcome: verdict.outcome,
    ...(verdict.changed?.length && { details: { changed: verdict.changed } }),
  };
}

/** What every receipt of a plan says about it. */
function planEvidence({ id, sessionId, owner, ownerName, channel, body, pins, decision, digest, sandbox }: Plan, workspace: Workspace) {
  return {
    requester: { id: owner, name: ownerName, kind: kindBehind(channel), channel },
    plan_digest: digest,
    plan_id: id,
    session_id: sessionId,
    workspace: { id: workspace.id, name: workspace.name, root: workspace.root },
    pins,
    policy: {
      version: decision.policyVersion,
      outcome: decision.outcome,
      risk: decision.risk,
      rules: decision.rules,
      reasons: decision.reasons,
    },
    sandbox,
    limits: body.limits,
  };
}

/** Each door lets in one kind of principal only. */
function kindBehind(channel: Channel): string {
  switch (channel) {
    case 'console':
      return 'person';
    case 'stdio':
    case 'cli':
      return 'local';
    case 'rest':
    case 'mcp':
      return 'token';
  }
}

function summaryOfRun({ body }: Plan, { outcome, result }: Ending): string {
  const exit = result?.exitCode == null ? '' : `, exit code ${String(result.exitCode)}`;
  return `Run ${OUTCOME_WORDS[outcome]}${exit}: ${summaryOf(body)}`;
}

const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
  timed_out: 'ran out of time',
  interrupted: 'was interrupted',
  unknown: 'ended in a way nobody knows',
};

function statusOf(outcome: RunOutcome): ReceiptStatus {
  return outcome === 'interrupted' || outcome === 'unknown' ? 'failed' : outcome;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
