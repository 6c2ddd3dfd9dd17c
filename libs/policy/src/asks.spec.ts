import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Answer, Ask, AskStatus, PlanId, Principal, PrincipalId, RememberedApproval, SessionId, WorkspaceId } from '#contracts';
import {
  type AppError,
  Clock,
  Database,
  EventFeed,
  newId,
  PlatformConfig,
  PlatformEnv,
  PlatformModule,
  type PrincipalDirectory,
} from '#platform';
import { TestClock } from '../../../test/support/clock.js';
import { engines } from '../../../test/support/engines.js';
import { policyMigrations } from './adapters/policy.migrations.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { AskKinds } from './asks-kinds.js';
import { AskRepository } from './asks.ports.js';
import { Asks, type NewAsk } from './asks.js';
import { Remembered } from './remembered.js';
import { RememberedRepository } from './remembered.ports.js';
import { KyselyRememberedRepository } from './adapters/kysely-remembered.repository.js';
import { Voters } from './voters.js';

const DIGEST = 'd1'.repeat(32);
const HOUR = 3_600_000;
const AGENT = newId<PrincipalId>();
const AGENT_PERSON = newId<PrincipalId>();

function person(name: string, change: Partial<Principal> = {}): Principal {
  return {
    id: newId<PrincipalId>(),
    kind: 'person',
    name,
    roles: ['approver'],
    scopes: ['receipts:read', 'approvals:decide'],
    channel: 'console',
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...change,
  };
}

const agent = person('bot', { id: AGENT, kind: 'token', personId: AGENT_PERSON, scopes: ['terminal:plan'], channel: 'mcp' });
const HERE = newId<WorkspaceId>();
const local = person('Lin', { roles: ['viewer'], workspaceRoles: { [HERE]: ['approver'] } });
const ada = person('Ada');
const grace = person('Grace');

describe.each(engines)('Asks on %s', (_name, open) => {
  let module: TestingModule;
  let dataDir: string;
  let db: Database;
  let feed: EventFeed;
  let clock: TestClock;
  let asks: Asks;
  let closed: Ask[];
  let refuse: boolean;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-asks-'));
    db = await open(policyMigrations);
    clock = new TestClock(1_800_000_000_000);
    const config = new PlatformConfig(PlatformEnv.parse({ COUNTERSIGN_DATA: dataDir }));
    module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot({ migrations: [], config })],
      providers: [
        Asks,
        AskKinds,
        Voters,
        Remembered,
        { provide: RememberedRepository, useClass: KyselyRememberedRepository },
        { provide: AskRepository, useClass: KyselyAskRepository },
      ],
    })
      .overrideProvider(Database)
      .useValue(db)
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    await module.init();
    asks = module.get(Asks);
    feed = module.get(EventFeed);
    closed = [];
    refuse = false;
    module.get(AskKinds).register('plan_approval', {
      closed: (_tx, _append, ask) => {
        if (refuse) throw new Error('The plan cannot move');
        closed.push(ask);
        return Promise.resolve();
      },
    });
  });
  afterEach(async () => {
    await module.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function ask(change: Partial<NewAsk> = {}): Promise<Ask> {
    const asked: NewAsk = {
      kind: 'plan_approval',
      planId: newId<PlanId>(),
      sessionId: newId<SessionId>(),
      workspaceId: newId<WorkspaceId>(),
      requester: AGENT,
      requesterName: 'bot',
      requesterPersonId: AGENT_PERSON,
      title: 'Run a command',
      summary: 'rm x',
      risk: 'medium',
      reasons: ['Deletes x'],
      digest: DIGEST,
      quorum: 1,
      notRequester: false,
      expiresAt: clock.now() + HOUR,
      ...change,
    };
    return feed.write((tx, append) => asks.open(tx, append, asked));
  }

  const vote = ({ id }: Ask, principal: Principal, answer: Answer = 'approve', digest = DIGEST): Promise<Ask> =>
    asks.vote({ principal, askId: id, answer, digest, reason: null });
  const statusOf = async ({ id }: Ask): Promise<AskStatus | undefined> => (await asks.find(id))?.status;
  const events = async () => (await feed.after(0, 100)).map(({ type }) => type);

  it('closes with the first vote that decides, and tells it once', async () => {
    const asked = await ask();
    const answer = await vote(asked, ada);
    expect(answer).toMatchObject({
      status: 'approved',
      resolvedAt: clock.now(),
      votes: [{ by: ada.id, byName: 'Ada', channel: 'console', digest: DIGEST }],
    });
    expect(await asks.find(asked.id)).toEqual(answer);
    expect(closed).toEqual([answer]);
    expect(await events()).toEqual(['ask.opened', 'ask.voted', 'ask.closed']);
  });

  it('lets one of two approvals win, and tells the other who and when', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const asked = await ask();
      const results = await Promise.allSettled([vote(asked, ada), vote(asked, grace)]);
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
      expect([won.length, lost.length]).toEqual([1, 1]);
      const by = won[0]?.votes[0]?.byName;
      expect(lost[0]).toMatchObject({ code: 'ASK_ALREADY_RESOLVED', details: { by, at: clock.now(), answer: 'approve' } });
      expect(closed).toHaveLength(turn + 1);
    }
    expect((await events()).filter((type) => type === 'ask.closed')).toHaveLength(5);
  });

  it('lets nobody fill the inbox: a requester with 50 waiting plans asks for no more', async () => {
    const waiting: Ask[] = [];
    for (let n = 0; n < 50; n += 1) waiting.push(await ask());
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { limit: 50 } });
    expect((await ask({ requester: newId<PrincipalId>() })).status).toBe('open');
    expect((await ask({ kind: 'host_question' })).status).toBe('open');
    await vote(waiting[0] as Ask, ada, 'deny');
    expect((await ask()).status).toBe('open');
    clock.at += HOUR;
    expect((await ask()).status).toBe('open'); // what is over waits no more, also before that is written down
  });

  it('ends approve against deny, at once, as exactly one of them', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const asked = await ask();
      const results = await Promise.allSettled([vote(asked, ada, 'approve'), vote(asked, grace, 'deny')]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const end = await asks.find(asked.id);
      expect(end?.votes).toHaveLength(1);
      expect(end?.status).toBe(end?.votes[0]?.answer === 'approve' ? 'approved' : 'denied');
      expect(closed.filter(({ id }) => id === asked.id)).toHaveLength(1);
    }
  });

  it('counts votes of different people up to the quorum, also when all vote at once', async () => {
    const asked = await ask({ quorum: 3 });
    const people = Array.from({ length: 6 }, (_, index) => person(`P${String(index)}`));
    const results = await Promise.allSettled(people.map((voter) => vote(asked, voter)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await asks.find(asked.id)).toMatchObject({ status: 'approved', votes: [{}, {}, {}] });
    expect(closed).toHaveLength(1);
  });

  it('ends with one no, whatever the quorum', async () => {
    const asked = await ask({ quorum: 3 });
    expect((await vote(asked, ada)).status).toBe('open');
    expect((await vote(asked, grace, 'deny')).status).toBe('denied');
  });

  it('takes one vote of a person, whichever credential is used', async () => {
    const asked = await ask({ quorum: 2 });
    const token = person('Ada’s script', { kind: 'token', personId: ada.id });
    const results = await Promise.allSettled([vote(asked, ada), vote(asked, token), vote(asked, ada)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(vote(asked, token)).rejects.toMatchObject({ code: 'VOTE_ALREADY_GIVEN' });
    expect(await statusOf(asked)).toBe('open');
  });

  it('takes back what was remembered once policy wants each answered, or who gave it may not answer any more', async () => {
    const family = { family: 'f1', covers: 'touch' };
    let isThere = true;
    const directory = { find: () => Promise.resolve(isThere ? ada : undefined) } as unknown as PrincipalDirectory;
    const rows = module.get(RememberedRepository);
    const remembered = new Remembered(rows, module.get(AskRepository), module.get(Voters), feed, clock, directory);
    const first = await ask({ remembers: family });
    await asks.vote({ principal: ada, askId: first.id, answer: 'approve', digest: DIGEST, remember: 'session' });
    const { items } = await remembered.page({ principal: ada, state: 'active', before: undefined, limit: 1 });
    const given = items[0] as RememberedApproval; // written by the vote
    const { id: _, ...again } = { ...first, planId: newId<PlanId>() };
    const second = await feed.write((tx, append) => asks.open(tx, append, again, given));
    expect(second.status).toBe('approved');
    expect([await remembered.stands(second.id, family), await remembered.stands(second.id, { refusal: 'each' })]).toEqual([true, false]);
    expect(await remembered.stands(second.id, { ...family, family: 'f2' })).toBe(false);
    expect(await remembered.stands(first.id, { refusal: 'each' })).toBe(true);
    isThere = false;
    expect(await remembered.stands(second.id, family)).toBe(false);
  });

  it('refuses a vote on another digest', async () => {
    const asked = await ask();
    await expect(vote(asked, ada, 'approve', 'e2'.repeat(32))).rejects.toMatchObject({ code: 'ASK_DIGEST_MISMATCH' });
    expect(await asks.find(asked.id)).toMatchObject({ status: 'open', votes: [] });
  });

  it.each<[string, Principal, Partial<NewAsk>, boolean]>([
    ['an approver', ada, {}, true],
    ['a person without the scope', person('Eve', { scopes: ['receipts:read'] }), {}, false],
    ['the requesting token', agent, {}, false],
    ['the requesting token with every scope', { ...agent, scopes: ['approvals:decide', 'admin'] }, {}, false],
    ['the person behind the token', person('Owner', { id: AGENT_PERSON, scopes: [] }), {}, true],
    ['the person behind the token, where policy says not', person('Owner', { id: AGENT_PERSON }), { notRequester: true }, false],
    [
      'a script of that person, where policy says not',
      person('Script', { kind: 'token', personId: AGENT_PERSON }),
      { notRequester: true },
      false,
    ],
    ['another approver, where policy says not the requester', ada, { notRequester: true }, true],
    ['a person who asked', person('Asker', { id: AGENT_PERSON, scopes: [] }), { requester: AGENT_PERSON, requesterPersonId: null }, true],
    [
      'a person who asked, where policy says not',
      person('Asker', { id: AGENT_PERSON }),
      { requester: AGENT_PERSON, requesterPersonId: null, notRequester: true },
      false,
    ],
    ['a token of nobody', person('Script', { kind: 'token' }), {}, true],
    ['a token of nobody, where several people have to agree', person('Script', { kind: 'token' }), { quorum: 2 }, false],
    ['a token of nobody, where policy wants somebody else', person('Script', { kind: 'token' }), { notRequester: true }, false],
    ['a token that is called like a decider', person('Ada', { kind: 'token' }), { deciders: [{ roles: [], people: ['Ada'] }] }, false],
    ['an approver of this workspace', local, { workspaceId: HERE, deciders: [{ roles: ['approver'], people: [] }] }, true],
    ['an approver of another workspace', local, { deciders: [{ roles: ['approver'], people: [] }] }, false],
    ['a decision script of somebody else', person('Decider', { kind: 'token', personId: ada.id }), {}, true],
  ])('decides whether %s may vote', async (_who, principal, change, may) => {
    const asked = await ask(change);
    expect(await asks.mayVote(principal, asked)).toBe(may);
    const outcome = await vote(asked, principal).then(
      ({ status }) => status,
      (error: unknown) => (error as AppError).code,
    );
    expect(outcome).toBe(may ? 'approved' : 'VOTE_NOT_ALLOWED');
  });

  it('shows agents their own asks only', async () => {
    const asked = await ask();
    const other = person('other bot', { kind: 'token', scopes: ['terminal:plan'] });
    await expect(asks.read(other, asked.id)).rejects.toMatchObject({ code: 'ASK_NOT_FOUND' });
    await expect(vote(asked, other)).rejects.toMatchObject({ code: 'ASK_NOT_FOUND' });
    await expect(vote({ ...asked, id: newId() }, ada)).rejects.toMatchObject({ code: 'ASK_NOT_FOUND' });
    expect((await asks.read(agent, asked.id)).id).toBe(asked.id);
    const seenBy = async (principal: Principal) => (await asks.list({ principal, state: 'open' })).items.length;
    expect([await seenBy(agent), await seenBy(other), await seenBy(ada)]).toEqual([1, 0, 1]);
  });

  it('never takes silence for a yes: late votes find it expired, once', async () => {
    const asked = await ask();
    clock.at = asked.expiresAt;
    expect(await statusOf(asked)).toBe('expired'); // as it is seen, before it is written
    const late = await Promise.allSettled([vote(asked, ada), vote(asked, grace, 'deny'), asks.expireOverdue()]);
    expect(late.map((result) => (result.status === 'rejected' ? (result.reason as AppError).code : 'done'))).toEqual([
      'ASK_EXPIRED',
      'ASK_EXPIRED',
      'done',
    ]);
    expect(closed).toMatchObject([{ status: 'expired', votes: [] }]);
    expect(await events()).toEqual(['ask.opened', 'ask.closed']);
  });

  it('ends what nobody answered by itself', async () => {
    const soon = await ask({ expiresAt: clock.now() + 1_000 });
    const later = await ask();
    clock.at += 1_000;
    await asks.expireOverdue();
    expect([await statusOf(soon), await statusOf(later)]).toEqual(['expired', 'open']);
  });

  it('keeps the ask open when what hangs on it cannot move', async () => {
    const asked = await ask();
    refuse = true;
    await expect(vote(asked, ada)).rejects.toThrow('cannot move');
    expect(await asks.find(asked.id)).toMatchObject({ status: 'open', votes: [] });
    refuse = false;
    expect((await vote(asked, ada)).status).toBe('approved');
  });

  it('is cancelled once, and a later vote hears that', async () => {
    const asked = await ask();
    await feed.write((tx, append) => asks.cancel(tx, append, asked.id, 'cancelled'));
    await feed.write((tx, append) => asks.cancel(tx, append, asked.id, 'host_gone'));
    expect(closed).toMatchObject([{ status: 'cancelled' }]);
    await expect(vote(asked, ada)).rejects.toMatchObject({
      code: 'ASK_ALREADY_RESOLVED',
      details: { by: null, answer: 'cancelled', status: 'cancelled' },
    });
  });

  it('lists the open by danger and then by time, the closed by their end', async () => {
    const low = await ask({ risk: 'low', expiresAt: clock.now() + 10 });
    const high = await ask({ risk: 'high', expiresAt: clock.now() + 3 * HOUR });
    const sooner = await ask({ risk: 'high', expiresAt: clock.now() + HOUR });
    const open = await asks.list({ principal: ada, state: 'open' });
    expect(open.items.map(({ id }) => id)).toEqual([sooner.id, high.id, low.id]);
    expect(open).toMatchObject({ seq: 3, next: null });
    clock.at += 20; // `low` is over, though nobody wrote it down
    await vote(high, ada);
    clock.at += 20;
    await vote(sooner, ada, 'deny');
    const first = await asks.list({ principal: ada, state: 'closed', limit: 2 });
    expect(first.items.map(({ id, status }) => [id, status])).toEqual([
      [sooner.id, 'denied'],
      [high.id, 'approved'],
    ]);
    const second = await asks.list({ principal: ada, state: 'closed', limit: 2, before: first.next ?? '' });
    expect(second.items.map(({ id, status }) => [id, status])).toEqual([[low.id, 'expired']]);
    expect(second.next).toBeNull();
    expect((await asks.list({ principal: ada, state: 'open' })).items).toEqual([]);
    await expect(asks.list({ principal: ada, state: 'closed', before: 'x' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('gives votes on a plan as evidence', async () => {
    const planId = newId<PlanId>();
    const asked = await ask({ planId, quorum: 2 });
    await asks.vote({ principal: ada, askId: asked.id, answer: 'approve', digest: DIGEST, reason: 'looks right' });
    clock.at += 5;
    await vote(asked, grace);
    const at = new Date(clock.now()).toISOString();
    expect(await asks.approvalsOf(planId)).toEqual([
      {
        by: ada.id,
        name: 'Ada',
        channel: 'console',
        answer: 'approve',
        reason: 'looks right',
        at: new Date(clock.now() - 5).toISOString(),
      },
      { by: grace.id, name: 'Grace', channel: 'console', answer: 'approve', reason: null, at },
    ]);
  });

  describe('waitClosed', () => {
    const never = new AbortController().signal;

    it('wakes with the vote', async () => {
      const asked = await ask();
      const waiting = asks.waitClosed(asked.id, 20_000, never);
      const other = asks.waitClosed(asked.id, 20_000, never);
      await vote(asked, ada, 'deny');
      expect([(await waiting).status, (await other).status]).toEqual(['denied', 'denied']);
    });

    it('answers at once when it is closed already', async () => {
      const asked = await ask();
      await vote(asked, ada);
      expect((await asks.waitClosed(asked.id, 20_000, never)).status).toBe('approved');
    });

    it('is bounded by its time, by the signal and by the ask’s own end', async () => {
      const asked = await ask();
      expect((await asks.waitClosed(asked.id, 20, never)).status).toBe('open');
      const abort = new AbortController();
      const waiting = asks.waitClosed(asked.id, 20_000, abort.signal);
      abort.abort();
      expect((await waiting).status).toBe('open');
      clock.at = asked.expiresAt;
      expect((await asks.waitClosed(asked.id, 20_000, never)).status).toBe('expired');
      await expect(asks.waitClosed(newId(), 10, never)).rejects.toMatchObject({ code: 'ASK_NOT_FOUND' });
    });

    it('ends when the server stops', async () => {
      const asked = await ask();
      const waiting = asks.waitClosed(asked.id, 20_000, never);
      await feed.onModuleDestroy();
      expect((await waiting).status).toBe('open');
    });
  });
});
