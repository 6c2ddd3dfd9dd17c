import type { NoticeRoutes } from '#contracts';
import { isAtLeast, type Notice } from './notice.js';

/** Whether a webhook with these routes gets a notice. */
export function wants({ types, workspaces, leastRisk, deciders }: NoticeRoutes, notice: Notice): boolean {
  if (notice.type === 'webhook.test') return true;
  if (types.length > 0 && !types.includes(notice.type)) return false;
  if (!isAtLeast(notice.risk, leastRisk)) return false;
  if (workspaces.length > 0 && (notice.workspaceId === null || !workspaces.includes(notice.workspaceId))) return false;
  return deciders.length === 0 || notice.deciders.length === 0 || notice.deciders.some((role) => deciders.includes(role));
}
