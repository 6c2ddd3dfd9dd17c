import type { Enforcement, Mode, Stage } from '#contracts';

/** Where a command is read: both absolute. */
export interface Where {
  readonly cwd: string;
  /** The workspace; nothing outside it is ever touched. */
  readonly root: string;
}

/** All that a decision depends on, apart from the file system and the policy document. */
export interface CommandQuestion extends Where {
  readonly stages: readonly Stage[];
  /** Original text when the caller sent a string. */
  readonly command: string | null;
  readonly mode: Mode;
  /** Variables that the plan asks to set. */
  readonly env: Readonly<Record<string, string>>;
  /** Extra folders of executables that the workspace allows. */
  readonly toolPaths: readonly string[];
  /** Our own state; never touched by a command. */
  readonly dataDir?: string;
  /** How well this machine can contain a run. */
  readonly sandbox: Enforcement;
}

/** Folders that hold the machine's tools. The run uses the same list as PATH. */
export const TOOL_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;
