import type { ToolUse } from '../grammar/tool.js';
import { resolvePath } from '../paths/resolve.js';
import { scanFolder, type Skips } from '../paths/scan.js';

/** Folders that a tool walks by itself and whose contents it prints: secrets below them count as read. */
export function judgeWalk(use: ToolUse, folders: readonly string[], from = use.context.cwd, skips?: Skips): void {
  const { look, root } = use.context;
  for (const folder of folders.length > 0 ? folders : ['.']) {
    const resolved = resolvePath(look, from, folder, true);
    if (resolved?.fact?.kind !== 'directory') continue;
    use.analysis.walks(resolved.real);
    const { secret } = scanFolder(look, resolved.real, root, skips);
    if (secret !== null) use.fire('path.secret-below', secret);
  }
}

/** Folders that a tool walks, following links as it goes. */
export function judgeFollowingWalk(use: ToolUse, folders: readonly string[]): void {
  const { look, cwd, root } = use.context;
  for (const folder of folders) {
    const resolved = resolvePath(look, cwd, folder, true);
    if (resolved?.fact?.kind !== 'directory') continue;
    use.analysis.walks(resolved.real);
    const { secret, link, partial } = scanFolder(look, resolved.real, root);
    if (secret !== null) use.fire('path.secret-below', secret);
    if (link !== null) use.fire('path.link-below', link);
    else if (partial) use.fire('path.unclear', folder);
  }
}
