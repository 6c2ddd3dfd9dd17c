import type { Touch } from '#contracts';

/** A target as it is read inside a workspace: from its folder on, where it lies in there. Pure. */
export function touchName(touch: Touch, root: string): string {
  if (touch.kind !== 'path' || root === '') return touch.target;
  if (touch.target === root) return './';
  return touch.target.startsWith(`${root}/`) ? touch.target.slice(root.length + 1) : touch.target;
}
