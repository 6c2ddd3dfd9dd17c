import { MODES, type Mode } from '#contracts';
import { readConfig } from '#platform';
import * as z from 'zod';

/** The settings that execution owns. Seconds and bytes, as documented in docs/configuration.md (checked). */
export const ExecutionEnv = z.object({
  WORKSPACE_ROOT: z.string().min(1).optional(),
  APPROVAL_MODE: z.enum(MODES).optional(),
  SANDBOX: z.enum(['auto', 'required', 'off']).default('auto'),
  SESSION_TIMEOUT: z.coerce.number().int().min(60).max(604_800).default(3_600),
  MAX_CONCURRENT_SESSIONS: z.coerce.number().int().min(1).max(1_000).default(10),
  COMMAND_TIMEOUT: z.coerce.number().int().min(1).max(3_600).default(120),
  MAX_OUTPUT_BYTES: z.coerce.number().int().min(1_024).max(16_777_216).default(1_048_576),
});

/** What the rest of the lib sees: read once, frozen, typed; also the injection token. */
export class ExecutionConfig {
  /** Describes only the first workspace; undefined: a folder is created under the data folder. */
  readonly workspaceRoot: string | undefined;
  readonly approvalMode: Mode | undefined;
  readonly sandbox: 'auto' | 'required' | 'off';
  readonly sessionTimeoutMs: number;
  readonly maxConcurrentSessions: number;
  readonly commandTimeoutMs: number;
  readonly maxOutputBytes: number;

  constructor(env: z.output<typeof ExecutionEnv>) {
    this.workspaceRoot = env.WORKSPACE_ROOT;
    this.approvalMode = env.APPROVAL_MODE;
    this.sandbox = env.SANDBOX;
    this.sessionTimeoutMs = env.SESSION_TIMEOUT * 1_000;
    this.maxConcurrentSessions = env.MAX_CONCURRENT_SESSIONS;
    this.commandTimeoutMs = env.COMMAND_TIMEOUT * 1_000;
    this.maxOutputBytes = env.MAX_OUTPUT_BYTES;
    Object.freeze(this);
  }

  static read(): ExecutionConfig {
    return new ExecutionConfig(readConfig(ExecutionEnv));
  }
}
