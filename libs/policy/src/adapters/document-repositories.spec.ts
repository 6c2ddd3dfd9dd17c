import { setTimeout } from 'node:timers/promises';
import type { AskId, PlanId, PolicyProposal, PrincipalId, ProposalId, RememberedApproval } from '#contracts';
import type { RememberedId, SessionId, WorkspaceId } from '#contracts';
import { newId, type Database, type Tx } from '#platform';
import { engines } from '../../../../test/support/engines.js';
import type { StoredVersion } from '../documents.ports.js';
import { KyselyPolicyVersionRepository } from './kysely-policy-version.repository.js';
import { KyselyProposalRepository } from './kysely-proposal.repository.js';
import { KyselyRememberedRepository } from './kysely-remembered.repository.js';
import { policyMigrations } from './policy.migrations.js';

/** Beyond 32 bits, so that a column too narrow for a time shows. */
const NOW = 1_800_000_000_000;
const ada = newId<PrincipalId>();
const grace = newId<PrincipalId>();

function aVersion(version: number, authorName = 'Ada'): StoredVersion {
  const yaml = `name: „${authorName}“ ${version}\nrules: []\n`;
  const info = { version, name: `rules ${version}`, author: ada, authorName, note: 'é\u{1F512}', at: NOW };
  return { info: { ...info, restoredFrom: null, rules: 0, sha256: 'a'.repeat(64) }, yaml };
}

function aProposal(part: Partial<PolicyProposal> = {}): PolicyProposal {
  const who = { id: newId<ProposalId>(), by: ada, byName: 'Ada', byKind: 'token', at: NOW, note: 'often' } as const;
  const from = { planId: null, kind: null, rules: '- { name: x, match: { tool: ls }, outcome: allow }' };
  const closing = { closedAt: null, closedBy: null, closedByName: null, closedReason: null, version: null };
  return { ...who, ...from, status: 'open', ...closing, ...part };
}

function anApproval(part: Partial<RememberedApproval> = {}): RememberedApproval {
  const where = { id: newId<RememberedId>(), sessionId: newId<SessionId>(), workspaceId: newId<WorkspaceId>() };
  const who = { owner: ada, ownerName: 'agent', by: grace, byName: 'Grace', at: NOW };
  const what = { askId: newId<AskId>(), planId: newId<PlanId>(), command: 'cp a b', covers: 'cp with two files' };
  return { ...where, ...who, ...what, state: 'active', uses: 0, lastUsedAt: null, endedAt: null, endedByName: null, ...part };
}

/** Ids in the order of their making, the newest first. */
const newestFirst = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] => [...all].sort((a, b) => (a.id < b.id ? 1 : -1));

/** Every page in turn, as a reader turns them. */
async function turned<T>(page: (last: T | undefined) => Promise<readonly T[]>): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  for (;;) {
    const next = await page(pages.at(-1)?.at(-1));
    if (next.length === 0) return pages;
    pages.push(next);
  }
}

describe.each(engines)('the repositories of policy documents on %s', (_name, open) => {
  let db: Database;
  let versions: KyselyPolicyVersionRepository;
  let proposals: KyselyProposalRepository;
  let remembered: KyselyRememberedRepository;

  beforeAll(async () => {
    db = await open(policyMigrations);
    versions = new KyselyPolicyVersionRepository(db);
    proposals = new KyselyProposalRepository(db);
    remembered = new KyselyRememberedRepository(db);
  });
  afterEach(async () => {
    for (const table of ['policy_versions', 'policy_proposals', 'remembered_approvals']) await db.deleteFrom(table as 'events').execute();
  });
  afterAll(() => db.destroy());

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work);

  describe('versions', () => {
    const add = (...all: readonly StoredVersion[]) => Promise.all(all.map((version) => write((tx) => versions.insert(tx, version))));

    it('begin at none, come back as they went in, and the highest number is in force', async () => {
      expect([await versions.current(), await versions.find(1)]).toEqual([0, undefined]);
      const [first, second] = [aVersion(1), aVersion(2, 'Grace')];
      await add(first);
      await add(second);
      expect([await versions.current(), await versions.find(1), await versions.find(2)]).toEqual([2, first, second]);
    });

    it('are read by the transaction that saves them', async () => {
      await write(async (tx) => {
        await versions.insert(tx, aVersion(1));
        expect([await versions.current(tx), (await versions.find(1, tx))?.info.version]).toEqual([1, 1]);
      });
      expect(await versions.current()).toBe(1);
    });

    it('let one of many that save on top of the same version win, and keep what it wrote', async () => {
      await add(aVersion(1));
      const authors = ['A', 'B', 'C', 'D', 'E', 'F'];
      const save = (authorName: string) =>
        write(async (tx) => {
          const next = (await versions.current(tx)) + 1;
          await setTimeout(5); // others read the same version meanwhile, where the engine lets them
          return next === 2 && (await versions.insert(tx, aVersion(next, authorName)));
        });
      const results = await Promise.all(authors.map(save));
      const won = authors.filter((_author, index) => results[index]);
      expect(won).toHaveLength(1);
      expect([await versions.current(), (await versions.find(2))?.info.authorName]).toEqual([2, won[0]]);
    });

    it('leave nothing behind when their transaction fails, so that the number is free', async () => {
      const failing = write(async (tx) => {
        await versions.insert(tx, aVersion(1));
        throw new Error('no receipt');
      });
      await expect(failing).rejects.toThrow('no receipt');
      expect([await versions.current(), await add(aVersion(1, 'Grace'))]).toEqual([0, [true]]);
      expect((await versions.find(1))?.info.authorName).toBe('Grace');
    });

    it('are turned page by page, the newest first, and a save in between moves no row', async () => {
      for (let version = 1; version <= 7; version += 1) await add(aVersion(version));
      let saved = false;
      const pages = await turned<{ readonly version: number }>(async (last) => {
        const page = await versions.page(last?.version, 3);
        if (!saved) await add(aVersion(8));
        saved = true;
        return page;
      });
      expect(pages.map((page) => page.map(({ version }) => version))).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    });
  });

  describe('proposals', () => {
    const add = (...all: readonly PolicyProposal[]) =>
      write(async (tx) => {
        for (const proposal of all) await proposals.insert(tx, proposal);
      });
    const closed = (proposal: PolicyProposal, part: Partial<PolicyProposal>): PolicyProposal => ({
      ...proposal,
      ...{ status: 'dismissed', closedAt: NOW + 1, closedBy: grace, closedByName: 'Grace', closedReason: 'too wide' },
      ...part,
    });

    it('come back as they went in, and are counted for whoever proposes while they are open', async () => {
      const [one, two, hers] = [aProposal(), aProposal({ planId: newId<PlanId>(), kind: 'exact' }), aProposal({ by: grace })];
      await add(one, two, hers);
      expect([await proposals.find(two.id), await proposals.find(newId<ProposalId>())]).toEqual([two, undefined]);
      const count = (by: PrincipalId) => write((tx) => proposals.countOpen(tx, by));
      expect([await count(ada), await count(grace), await count(newId<PrincipalId>())]).toEqual([2, 1, 0]);
      await write((tx) => proposals.close(tx, closed(one, {})));
      expect([await count(ada), await count(grace)]).toEqual([1, 1]);
    });

    it('are closed by one of many that accept and dismiss at once, and stay as it left them', async () => {
      const proposal = aProposal();
      await add(proposal);
      const ends = [1, 2, 3, 4, 5].map((version) =>
        version % 2 === 0 ? closed(proposal, { closedReason: `no ${version}` }) : closed(proposal, { status: 'accepted', version }),
      );
      const results = await Promise.all(ends.map((end) => write((tx) => proposals.close(tx, end))));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await proposals.find(proposal.id)).toEqual(ends[results.indexOf(true)]);
      expect(await write((tx) => proposals.close(tx, closed(aProposal(), {})))).toBe(false);
    });

    it('are open again when the transaction that closed them fails', async () => {
      const proposal = aProposal();
      await add(proposal);
      const failing = write(async (tx) => {
        expect(await proposals.close(tx, closed(proposal, {}))).toBe(true);
        throw new Error('no version');
      });
      await expect(failing).rejects.toThrow('no version');
      expect(await proposals.find(proposal.id)).toEqual(proposal);
    });

    it('are turned page by page, of one proposer or one status, whatever id the reader names', async () => {
      const all = newestFirst(Array.from({ length: 7 }, (_none, index) => aProposal({ by: index % 2 === 0 ? ada : grace })));
      await add(...all);
      const everybodys = { by: undefined, status: undefined, before: undefined, limit: 3 };
      const pages = await turned<PolicyProposal>((last) => proposals.page({ ...everybodys, before: last?.id }));
      expect(pages).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
      const hers = all.filter(({ by }) => by === grace);
      expect(await proposals.page({ ...everybodys, by: grace, limit: 50 })).toEqual(hers);
      expect(await proposals.page({ ...everybodys, by: grace, before: hers[0]?.id })).toEqual(hers.slice(1));
      expect(await proposals.page({ ...everybodys, status: 'accepted' })).toEqual([]);
      expect([await proposals.page({ ...everybodys, before: '' }), await proposals.page({ ...everybodys, before: "'; --" })]).toEqual([
        [],
        [],
      ]);
    });
  });

  describe('remembered approvals', () => {
    const add = (approval: RememberedApproval, family = 'cp') => write((tx) => remembered.insert(tx, approval, family));
    const use = (id: RememberedId, at = NOW) => write((tx) => remembered.use(tx, id, at));
    const revoke = (id: RememberedId, byName = 'Grace') => write((tx) => remembered.end(tx, id, { state: 'revoked', at: NOW + 9, byName }));

    it('come back as they went in, and are found for their family in their session alone', async () => {
      const [one, ended] = [anApproval(), anApproval({ state: 'ended', uses: 3, lastUsedAt: NOW + 1, endedAt: NOW + 2 })];
      const elsewhere = anApproval();
      await add(one);
      await add({ ...ended, sessionId: one.sessionId });
      await add(elsewhere);
      expect(await remembered.find(ended.id)).toEqual({ ...ended, sessionId: one.sessionId });
      expect(await remembered.find(newId<RememberedId>())).toBeUndefined();
      expect([await remembered.active(one.sessionId, 'cp'), await remembered.active(one.sessionId, 'mv')]).toEqual([[one], []]);
      expect(await write((tx) => remembered.activeIn(tx, one.sessionId))).toEqual([one.id]);
      expect(await write((tx) => remembered.activeIn(tx, newId<SessionId>()))).toEqual([]);
    });

    it('count each of many uses at once', async () => {
      const { id, ...rest } = anApproval();
      await add({ id, ...rest });
      expect(await Promise.all(Array.from({ length: 8 }, (_none, index) => use(id, NOW + index)))).toEqual(Array(8).fill(true));
      expect(await remembered.find(id)).toMatchObject({ uses: 8, state: 'active' });
      expect(await write((tx) => remembered.hold(tx, id))).toBe(true);
      expect(await remembered.find(id)).toMatchObject({ uses: 8 });
    });

    it('are revoked once while they are used, and count no use that came after', async () => {
      const approval = anApproval();
      await add(approval);
      const ends = ['Ada', 'Grace'];
      const [uses, revoked] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, () => use(approval.id))),
        Promise.all(ends.map((name) => revoke(approval.id, name))),
      ]);
      expect(revoked.filter(Boolean)).toHaveLength(1);
      expect(await remembered.find(approval.id)).toMatchObject({
        state: 'revoked',
        uses: uses.filter(Boolean).length,
        endedAt: NOW + 9,
        endedByName: ends[revoked.indexOf(true)],
      });
      const hold = await write((tx) => remembered.hold(tx, approval.id));
      expect([await use(approval.id), hold, await revoke(approval.id)]).toEqual([false, false, false]);
      expect(await remembered.active(approval.sessionId, 'cp')).toEqual([]);
    });

    it.each(['use', 'hold'] as const)('wait with their end until whoever has them in a %s is through', async (by) => {
      const { id, ...rest } = anApproval();
      await add({ id, ...rest });
      const order: string[] = [];
      const taken = Promise.withResolvers<undefined>();
      const taking = write(async (tx) => {
        expect(by === 'use' ? await remembered.use(tx, id, NOW) : await remembered.hold(tx, id)).toBe(true);
        taken.resolve(undefined);
        await setTimeout(80);
        order.push(by);
      });
      await taken.promise;
      const ending = revoke(id).then((isEnded) => order.push(`revoked ${isEnded}`));
      await Promise.all([taking, ending]);
      expect(order).toEqual([by, 'revoked true']);
    });

    it('refuse a use that waited for their end', async () => {
      const { id, ...rest } = anApproval();
      await add({ id, ...rest });
      const ended = Promise.withResolvers<undefined>();
      const ending = write(async (tx) => {
        await remembered.end(tx, id, { state: 'ended', at: NOW, byName: null });
        ended.resolve(undefined);
        await setTimeout(80);
      });
      await ended.promise;
      const [used] = await Promise.all([use(id), ending]);
      expect([used, (await remembered.find(id))?.uses]).toEqual([false, 0]);
    });

    it('are turned page by page, of one owner or one state, whatever id the reader names', async () => {
      const all = newestFirst(Array.from({ length: 5 }, (_none, index) => anApproval({ owner: index % 2 === 0 ? ada : grace })));
      for (const approval of all) await add(approval);
      const everybodys = { owner: undefined, state: undefined, before: undefined, limit: 2 };
      const pages = await turned<RememberedApproval>((last) => remembered.page({ ...everybodys, before: last?.id }));
      expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
      const hers = all.filter(({ owner }) => owner === grace);
      expect(await remembered.page({ ...everybodys, owner: grace })).toEqual(hers);
      await revoke(all[0]?.id ?? newId());
      expect(await remembered.page({ ...everybodys, state: 'active', limit: 9 })).toEqual(all.slice(1));
      expect((await remembered.page({ ...everybodys, state: 'revoked' })).map(({ id }) => id)).toEqual([all[0]?.id]);
      expect(await remembered.page({ ...everybodys, before: '' })).toEqual([]);
    });
  });
});
