import type { Principal, WorkspaceId } from '#contracts';
import { newId, type EventFeed, type PlatformConfig } from '#platform';
import type { Receipts } from '#receipts';
import { TestClock } from '../../../test/support/clock.js';
import { FakeLook } from '../../../test/support/fake-look.js';
import { PROJECT } from '../../../test/support/policy-workspace.js';
import { Explanations, WorkspaceFinder } from './explanations.js';
import { PolicyDocuments } from './documents.js';
import { PolicyVersionRepository } from './documents.ports.js';
import { Policy } from './policy.js';
import { Rulings } from './rulings.js';

const principal = { id: 'p', kind: 'token' } as unknown as Principal; // the finder of this spec does not look at it
const platform = { dataDir: '/ws/data' } as PlatformConfig;

/** Nobody has saved a document. */
class NoVersions extends PolicyVersionRepository {
  override current = () => Promise.resolve(0);
  override find = () => Promise.resolve(undefined);
  override page = () => Promise.resolve([]);
  override insert = () => Promise.resolve(false);
}

// Explanations save nothing, so neither the feed nor receipts are touched.
const documents = new PolicyDocuments(new NoVersions(), {} as EventFeed, {} as Receipts, new TestClock(0));
const rulings = new Rulings(documents, new TestClock(0));

function explanations(): Explanations {
  const finder = new WorkspaceFinder();
  finder.use((reference) =>
    Promise.resolve({
      id: newId<WorkspaceId>(),
      name: 'site',
      root: '/ws',
      mode: reference === 'strict' ? 'inspect' : 'confirm',
      toolPaths: [],
    }),
  );
  return new Explanations(new Policy(new FakeLook(PROJECT)), rulings, finder, platform);
}

it('counts the roles of a requester in the workspace at hand', async () => {
  const [here, there] = [newId<WorkspaceId>(), newId<WorkspaceId>()];
  const caller = { ...principal, kind: 'person', roles: ['viewer'], workspaceRoles: { [here]: ['operator'] } } as unknown as Principal;
  expect((await rulings.requester(caller, here)).roles).toEqual(['viewer', 'operator']);
  expect((await rulings.requester(caller, there)).roles).toEqual(['viewer']);
});

describe('an explanation', () => {
  it('gives facts, rules and verdict in the mode of the workspace or another', async () => {
    const asked = { principal, argv: ['touch', 'x'] };
    expect(await explanations().explain(asked)).toMatchObject({ mode: 'confirm', cwd: '/ws', decision: { outcome: 'ask' } });
    expect(await explanations().explain({ ...asked, mode: 'trusted' })).toMatchObject({ decision: { outcome: 'allow' } });
    expect(await explanations().explain({ ...asked, workspace: 'strict' })).toMatchObject({ decision: { outcome: 'deny' } });
  });

  it('reads a string as stages, or says why not', async () => {
    const good = await explanations().explain({ principal, command: 'cd src && ls | head', cwd: '.' });
    expect(good.stages.map(({ argv }) => argv[0])).toEqual(['env', 'env']);
    const bad = await explanations().explain({ principal, command: 'ls $(id)' });
    expect(bad.decision).toMatchObject({ outcome: 'deny', risk: 'blocked', rules: ['command.syntax'], stages: [] });
  });

  it('keeps away from our own state and from folders outside', async () => {
    expect(await explanations().explain({ principal, argv: ['ls', 'data'] })).toMatchObject({ decision: { outcome: 'deny' } });
    expect(await explanations().explain({ principal, argv: ['ls'], cwd: '/etc' })).toMatchObject({ decision: { outcome: 'deny' } });
  });

  it('wants one form of the command, and a workspace', async () => {
    await expect(explanations().explain({ principal })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(explanations().explain({ principal, argv: ['ls'], command: 'ls' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(new WorkspaceFinder().find(undefined, principal)).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' });
  });
});
