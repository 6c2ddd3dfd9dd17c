import type { FilePin } from '#contracts';

/** Whether a file is still the one that was pinned: by content where a digest was taken, else by identity and times. */
export function isSameFile(then: FilePin, now: FilePin | undefined): boolean {
  if (now?.path !== then.path) return false;
  if (then.sha256 !== undefined) return now.sha256 === then.sha256;
  return (
    now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeMs === then.mtimeMs && now.ctimeMs === then.ctimeMs
  );
}
