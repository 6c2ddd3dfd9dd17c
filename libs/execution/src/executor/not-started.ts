import type { RunResult } from './protocol.js';

/** Why a run could not start or go on; the message is for people, and is redacted before it leaves. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';

  constructor(
    message: string,
    readonly refusal?: NonNullable<RunResult['refusal']>,
  ) {
    super(message);
  }
}

/** What a failed system call means for someone who planned a command. */
export function explain(thrown: unknown, what: string): NotStarted {
  if (thrown instanceof NotStarted) return thrown;
  const code = (thrown as NodeJS.ErrnoException | null)?.code ?? '';
  return new NotStarted(`${what}: ${MEANINGS[code] ?? (thrown instanceof Error ? thrown.message : String(thrown))}`);
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist (any more)',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'it lies on a file system that may only be read',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link, or its path holds too many of them',
  ENOSPC: 'the disk is full',
  E2BIG: 'the command line and its environment are longer than this system allows',
  ERR_INVALID_ARG_VALUE: 'an argument holds a NUL character',
  EAGAIN: 'this system cannot start more processes at the moment',
  ENOMEM: 'this system has no memory left',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this system has too many files open',
};
