import type { RunId } from '#contracts';
import type { RunSpec } from '../protocol.js';
import { isInside } from './protected-paths.js';
import { seatbeltProfile } from './seatbelt.js';

const FOLDER = { path: '/private/runs/one', scratch: '/private/runs/one/tmp', home: '/private/runs/one/tmp/home' };

function aSpec(workspaceRoot: string, workspaceWritable: boolean): RunSpec {
  return {
    runId: 'one' as RunId,
    stages: [],
    cwd: workspaceRoot,
    env: {},
    timeoutMs: 1_000,
    maxOutputBytes: 1_000,
    sandbox: { workspaceRoot, workspaceWritable, gitWritable: false, network: 'none', hidden: ['/people/ada/data', '/people/ada/.ssh'] },
    sandboxRequired: false,
  };
}

/** Later rules win, as in the kernel. */
function mayRead(profile: string, path: string): boolean {
  const rules = [...profile.matchAll(/^\((allow|deny) file-read\* (?:file-write\* )?\(subpath "([^"]+)"\)\)$/gm)];
  return rules.findLast(([, , place = '']) => isInside(path, place))?.[1] !== 'deny';
}

describe('the profile of macOS', () => {
  it.each([true, false])('hides what is hidden also inside the workspace (writable: %s)', (writable) => {
    const profile = seatbeltProfile(aSpec('/people/ada', writable), FOLDER, ['/private/runs']);
    const seen = ['/people/ada/x', '/people/ada/.ssh/id', '/people/ada/data/secret.key', '/private/runs/two/profile'];
    expect(seen.filter((path) => mayRead(profile, path))).toEqual(['/people/ada/x']);
  });

  it.each([true, false])('shows a workspace that lies in a hidden folder, and nothing beside it (writable: %s)', (writable) => {
    const profile = seatbeltProfile(aSpec('/people/ada/data/workspace', writable), FOLDER, ['/private/runs']);
    const seen = ['/people/ada/data/workspace/x', '/people/ada/data/secret.key', '/private/runs/one/tmp/x'];
    expect(seen.filter((path) => mayRead(profile, path))).toEqual(['/people/ada/data/workspace/x', '/private/runs/one/tmp/x']);
  });
});
