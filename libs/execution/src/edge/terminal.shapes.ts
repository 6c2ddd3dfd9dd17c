import {
  MODES,
  OUTCOMES,
  OUTPUT_STREAMS,
  PLAN_STATUSES,
  RISKS,
  RUN_STATUSES,
  SESSION_STATUSES,
  STAGE_JOINS,
  type Limits,
  type Plan,
  type ReceiptFile,
  type SandboxFacts,
  type Session,
  type Workspace,
} from '#contracts';
import type { ListedResource } from '#mcp';
import { receiptFileOutput } from '#receipts';
import * as z from 'zod';
import type { WishedLimits } from '../core/limits.js';

/** The wire shapes of the terminal tools: snake_case, strict inputs, so that a run never takes words from its caller. */

export const PlanRef = z.strictObject({
  session_id: z.uuid().describe('The session that the plan belongs to'),
  plan_id: z.uuid().describe('The plan, as terminal_plan named it'),
});

export const WaitInput = PlanRef.extend({
  wait_ms: z.int().min(0).max(50_000).optional().describe('How long to wait at most; 50 seconds when left out'),
});

export const SessionInput = z.strictObject({ session_id: z.uuid() });

export const OpenInput = z.strictObject({
  workspace: z.string().min(1).max(64).optional().describe('Name or id of a registered workspace; the first one when left out'),
});

const LimitsInput = z.strictObject({
  timeout_ms: z.int().optional(),
  max_output_bytes: z.int().optional(),
  cpu_ms: z.int().optional().describe('Processor time of all its processes'),
  memory_bytes: z.int().optional().describe('Memory of all its processes together'),
  processes: z.int().optional().describe('Processes alive at once'),
  file_bytes: z.int().optional().describe('Size of one file that it writes'),
  open_files: z.int().optional(),
  network: z
    .strictObject({ hosts: z.array(z.string().min(1).max(262)).max(32) })
    .optional()
    .describe('Hosts that the run must reach beyond those that the command names: host, host:port or *.domain. A person is asked.'),
});
const LimitsOutput = z.object({
  timeout_ms: z.int(),
  max_output_bytes: z.int(),
  cpu_ms: z.int().optional(),
  memory_bytes: z.int().optional(),
  processes: z.int().optional(),
  file_bytes: z.int().optional(),
  open_files: z.int().optional(),
  network: z.object({ hosts: z.array(z.string()) }).optional(),
});

export const PlanInput = z.strictObject({
  session_id: z.uuid().optional().describe('Your open session for the workspace is used when left out'),
  workspace: z.string().min(1).max(64).optional().describe('Name or id of a registered workspace'),
  command: z.string().min(1).max(131_072).optional().describe('A command line with pipes and && at most. Either this or argv.'),
  argv: z.array(z.string().max(131_072)).min(1).max(1_024).optional().describe('Program and arguments, taken as they are'),
  cwd: z.string().max(4_096).optional().describe('Working folder, from the root of the workspace'),
  env: z.record(z.string(), z.string()).optional().describe('Variables to set; only names on the allow-list'),
  limits: LimitsInput.optional(),
  tty: z.boolean().optional().describe('Run it in a terminal; a person must approve, and only people of the console can type into it'),
});

export const ApproveInput = PlanRef.extend({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The digest of the plan that you have seen'),
  answer: z.enum(['approve', 'deny']).optional().describe('approve when left out'),
  reason: z.string().max(1_000).optional(),
});

export const OutputInput = PlanRef.extend({
  after: z.int().min(0).optional().describe('Number of the last chunk that you have'),
  limit: z.int().min(1).max(1_000).optional(),
});

export const SessionOutput = z.object({
  session_id: z.uuid(),
  workspace_id: z.uuid(),
  workspace: z.string(),
  mode: z.enum(MODES),
  status: z.enum(SESSION_STATUSES),
  created_at: z.int(),
  last_active_at: z.int(),
});

const Argv = z.array(z.string());
const Sandbox = z.object({
  kind: z.string(),
  version: z.string().nullable(),
  enforcement: z.string(),
  network: z.string(),
  file_system: z.string(),
  pid_namespace: z.boolean(),
  seccomp: z.boolean(),
});

export const PlanOutput = z.object({
  plan_id: z.uuid(),
  session_id: z.uuid(),
  status: z.enum(PLAN_STATUSES),
  decision: z.object({
    outcome: z.enum(OUTCOMES),
    allowed: z.boolean(),
    risk: z.enum(RISKS),
    requires_approval: z.boolean(),
    reasons: z.array(z.string()),
    rules: z.array(z.string()),
  }),
  command: z.string().nullable(),
  argv: Argv.optional(),
  stages: z
    .array(
      z.object({
        join: z.enum(STAGE_JOINS),
        argv: Argv,
        redirects: z.array(z.object({ stream: z.string(), path: z.string(), append: z.boolean() })),
      }),
    )
    .optional(),
  cwd: z.string(),
  mode: z.enum(MODES),
  limits: LimitsOutput,
  digest: z.string(),
  expires_at: z.int(),
  sandbox: Sandbox,
  ask_id: z.uuid().optional(),
  approval_url: z.string().optional(),
});

/** A finished run has `receipt`, `evidence` and `proof`; anything else says in `status` where the plan stands. */
export const RunOutput = z.object({
  status: z.enum(['pending_approval', ...PLAN_STATUSES]).optional(),
  session_id: z.uuid().optional(),
  plan_id: z.uuid().optional(),
  run_id: z.uuid().optional(),
  ask_id: z.uuid().optional(),
  approval_url: z.string().optional(),
  expires_at: z.int().optional(),
  poll_after_ms: z.int().optional(),
  message: z.string().optional(),
  ...receiptFileOutput.partial().shape,
});
export type RunAnswer = z.input<typeof RunOutput>;

export const MovedOutput = z.object({
  session_id: z.uuid(),
  plan_id: z.uuid(),
  run_id: z.uuid().nullable(),
  status: z.enum([...RUN_STATUSES, ...PLAN_STATUSES]),
});

export const OutputOutput = z.object({
  session_id: z.uuid(),
  plan_id: z.uuid(),
  run_id: z.uuid().nullable(),
  chunks: z.array(z.object({ seq: z.int(), stream: z.enum(OUTPUT_STREAMS), text: z.string(), at: z.int() })),
  next: z.int().describe('Send it as `after` the next time'),
  ended: z.boolean().describe('True when no more will come'),
});

export function toSessionOutput(session: Session, { name, mode }: Workspace): z.input<typeof SessionOutput> {
  return {
    session_id: session.id,
    workspace_id: session.workspaceId,
    workspace: name,
    mode,
    status: session.status,
    created_at: session.createdAt,
    last_active_at: session.lastActiveAt,
  };
}

export function toPlanOutput(plan: Plan, approvalUrl: string | undefined): z.input<typeof PlanOutput> {
  const { body, decision } = plan;
  const [first, ...rest] = body.stages;
  const isPlain = rest.length === 0 && first?.redirects.length === 0;
  return {
    plan_id: plan.id,
    session_id: plan.sessionId,
    status: plan.status,
    decision: {
      outcome: decision.outcome,
      allowed: decision.outcome !== 'deny',
      risk: decision.risk,
      requires_approval: decision.outcome === 'ask',
      reasons: [...decision.reasons],
      rules: [...decision.rules],
    },
    command: body.command,
    ...(isPlain
      ? { argv: [...first.argv] }
      : { stages: body.stages.map(({ join, argv, redirects }) => ({ join, argv: [...argv], redirects: [...redirects] })) }),
    cwd: body.cwd,
    mode: body.mode,
    limits: toLimitsOutput(body.limits),
    digest: plan.digest,
    expires_at: plan.expiresAt,
    sandbox: toSandbox(plan.sandbox),
    ...(plan.askId && { ask_id: plan.askId }),
    ...(plan.status === 'awaiting_approval' && approvalUrl !== undefined && { approval_url: approvalUrl }),
  };
}

/** The caller's wish; names that were not sent stay away. */
export function fromLimitsInput(input: z.output<typeof LimitsInput>): WishedLimits {
  const { timeout_ms, max_output_bytes, cpu_ms, memory_bytes, processes, file_bytes, open_files, network } = input;
  return {
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(max_output_bytes !== undefined && { maxOutputBytes: max_output_bytes }),
    ...(cpu_ms !== undefined && { cpuMs: cpu_ms }),
    ...(memory_bytes !== undefined && { memoryBytes: memory_bytes }),
    ...(processes !== undefined && { processes }),
    ...(file_bytes !== undefined && { fileBytes: file_bytes }),
    ...(open_files !== undefined && { openFiles: open_files }),
    ...(network && { network }),
  };
}

function toLimitsOutput(limits: Limits): z.input<typeof LimitsOutput> {
  const { timeoutMs, maxOutputBytes, cpuMs, memoryBytes, processes, fileBytes, openFiles, network } = limits;
  return {
    timeout_ms: timeoutMs,
    max_output_bytes: maxOutputBytes,
    ...(cpuMs !== undefined && { cpu_ms: cpuMs }),
    ...(memoryBytes !== undefined && { memory_bytes: memoryBytes }),
    ...(processes !== undefined && { processes }),
    ...(fileBytes !== undefined && { file_bytes: fileBytes }),
    ...(openFiles !== undefined && { open_files: openFiles }),
    ...(network && { network: { hosts: [...network.hosts] } }),
  };
}

export function toRunOutput({ receipt, evidence, proof }: ReceiptFile): RunAnswer {
  return { receipt: receipt && { ...receipt }, evidence: { ...evidence }, proof: { ...proof } };
}

/** The receipt that an answer holds, for clients that read resources. */
export function toReceiptLinks({ evidence }: RunAnswer): readonly ListedResource[] {
  if (!evidence) return [];
  return [{ uri: `receipt://${String(evidence['id'])}`, name: 'receipt', mimeType: 'application/json' }];
}

export function toPlanLinks({ plan_id }: { readonly plan_id: string }): readonly ListedResource[] {
  return [{ uri: `plan://${plan_id}`, name: 'plan', mimeType: 'application/json' }];
}

function toSandbox({ kind, version, enforcement, network, fileSystem, pidNamespace, seccomp }: SandboxFacts): z.input<typeof Sandbox> {
  return { kind, version, enforcement, network, file_system: fileSystem, pid_namespace: pidNamespace, seccomp };
}
