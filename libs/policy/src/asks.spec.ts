import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import type {
  Answer,
  Ask,
  AskDelivery,
  AskQuestion,
  AskStatus,
  Deciders,
  HostId,
  PlanId,
  Principal,
  PrincipalId,
  ProofMethod,
  QuestionAnswer,
  RememberedApproval,
  SessionId,
  WorkspaceId,
} from '#contracts';
import {
  type AppError,
  Clock,
  Database,
  EventFeed,
  newId,
  PlatformConfig,
  PlatformEnv,
  PlatformModule,
  PrincipalDirectory,
} from '#platform';
import { type ReceiptDraft, Receipts } from '#receipts';
import { TestClock } from '../../../test/support/clock.js';
import { engines } from '../../../test/support/engines.js';
import { policyMigrations } from './adapters/policy.migrations.js';
import { KyselyAskRepository } from './adapters/kysely-ask.repository.js';
import { KyselyDelegationRepository } from './adapters/kysely-delegation.repository.js';
import { AskReceipts } from './ask-receipts.js';
import { AskVotes } from './asks-votes.js';
import { Delegations } from './delegations.js';
import { DelegationRepository } from './delegations.ports.js';
import { Escalations } from './escalations.js';
import { Extensions } from './extensions.js';
import { Proofs } from './proofs.js';
import { Rights } from './rights.js';
import { AskAnswers } from './asks-answers.js';
import { AskEnds } from './asks-ends.js';
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

/** Everybody whom the directory finds. */
const known = new Map<PrincipalId, Principal>();

function person(name: string, change: Partial<Principal> = {}): Principal {
  const made: Principal = {
    id: newId<PrincipalId>(),
    kind: 'person',
    name,
    roles: ['approver'],
    scopes: ['receipts:read', 'approvals:decide'],
    channel: 'console',
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...change,
  };
  known.set(made.id, made);
  return made;
}

class Directory extends PrincipalDirectory {
  override find(id: PrincipalId): Promise<Principal | undefined> {
    return Promise.resolve(known.get(id));
  }
  override nameOf(id: PrincipalId): Promise<string> {
    return Promise.resolve(known.get(id)?.name ?? 'nobody');
  }
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
  const receipts: ReceiptDraft[] = [];

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-asks-'));
    db = await open(policyMigrations);
    clock = new TestClock(1_800_000_000_000);
    const config = new PlatformConfig(PlatformEnv.parse({ COUNTERSIGN_DATA: dataDir }));
    module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot({ migrations: [], config })],
      providers: [
        Asks,
        AskAnswers,
        AskEnds,
        AskKinds,
        AskReceipts,
        AskVotes,
        Delegations,
        Escalations,
        Extensions,
        Proofs,
        Rights,
        { provide: Receipts, useValue: { write: (_tx: unknown, _append: unknown, draft: ReceiptDraft) => receipts.push(draft) } },
        { provide: PrincipalDirectory, useClass: Directory },
        { provide: DelegationRepository, useClass: KyselyDelegationRepository },
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
    receipts.length = 0;
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

  describe('more time', () => {
    it('is given by whoever may decide, up to two weeks, with an event and a receipt', async () => {
      const asked = await ask({ dueAt: clock.now() + 10 });
      const until = clock.now() + 4 * HOUR;
      const extend = (principal: Principal, at: number) => asks.extend({ principal, askId: asked.id, until: at, reason: 'I am away' });
      await expect(extend(agent, until)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await expect(extend(ada, asked.expiresAt)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(extend(ada, asked.createdAt + 15 * 24 * HOUR)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      expect(await extend(ada, until)).toMatchObject({ status: 'open', expiresAt: until, dueAt: until });
      clock.at = asked.expiresAt;
      await asks.expireOverdue();
      expect(await asks.find(asked.id)).toMatchObject({ status: 'open', expiresAt: until });
      expect((await feed.after(0, 9)).at(-1)).toMatchObject({ type: 'ask.extended', expiresAt: until, dueAt: until, by: 'Ada' });
      expect(receipts.map(({ evidence }) => evidence)).toMatchObject([
        { kind: 'decision', requester: { name: 'Ada' }, details: { action: 'ask.extended', reason: 'I am away' } },
      ]);
      clock.at = until;
      await expect(extend(ada, until + HOUR)).rejects.toMatchObject({ code: 'ASK_EXPIRED' });
      expect(await statusOf(asked)).toBe('expired');
    });
  });

  describe('escalation', () => {
    const admins: Deciders = { roles: ['admin'], people: [] };
    const approvers: Deciders = { roles: ['approver'], people: [] };
    const root = person('Root', { roles: ['admin'] });

    it('widens who may decide once its time has come, by the clock alone, and says so once', async () => {
      const at = clock.now() + 100;
      const asked = await ask({ deciders: [approvers], escalations: [{ at, how: 'widen', from: approvers, to: admins }] });
      clock.at = at - 1;
      await expect(vote(asked, root)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      clock.at = at;
      expect(await asks.mayVote(ada, asked)).toBe(true);
      await module.get(Escalations).sweep();
      await module.get(Escalations).sweep();
      expect((await vote(asked, root)).status).toBe('approved');
      expect((await events()).filter((type) => type === 'ask.escalated')).toHaveLength(1);
      expect(receipts.filter(({ evidence }) => evidence.details?.['action'] === 'ask.escalated')).toHaveLength(1);
    });

    it('moves to others only; who voted while they might still counts', async () => {
      const at = clock.now() + 100;
      const asked = await ask({ quorum: 2, deciders: [approvers], escalations: [{ at, how: 'move', from: approvers, to: admins }] });
      await vote(asked, ada);
      clock.at = at;
      await expect(vote(asked, grace)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      expect((await vote(asked, root)).status).toBe('approved');
      expect((await events()).filter((type) => type === 'ask.escalated')).toHaveLength(1);
    });
  });

  describe('delegation', () => {
    const viewer = person('Vera', { roles: ['viewer'], scopes: ['receipts:read'] });
    const give = (by: Principal, to: Principal, ms = HOUR) =>
      module.get(Delegations).give({ by, to: to.id, workspaceId: null, until: clock.now() + ms, reason: 'holiday' });

    it('lets another decide in one’s place until its end, in public', async () => {
      const asked = await ask({ quorum: 2 });
      await expect(vote(asked, viewer)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await give(ada, viewer);
      expect(await vote(asked, viewer)).toMatchObject({ votes: [{ byName: 'Vera', onBehalfOf: { id: ada.id, name: 'Ada' } }] });
      await expect(vote(asked, ada)).rejects.toMatchObject({ code: 'VOTE_ALREADY_GIVEN' }); // her right is used
      await expect(vote(asked, viewer)).rejects.toMatchObject({ code: 'VOTE_ALREADY_GIVEN' });
      expect((await vote(asked, grace)).status).toBe('approved');
      const later = await ask();
      clock.at += HOUR;
      await expect(vote({ ...later }, viewer)).rejects.toMatchObject({ code: 'ASK_EXPIRED' });
      const after = await ask();
      await expect(vote(after, viewer)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      expect(receipts[0]?.evidence).toMatchObject({ kind: 'admin', details: { action: 'delegation.given', to: { name: 'Vera' } } });
    });

    it('counts no person twice, whichever rights they hold', async () => {
      const asked = await ask({ quorum: 2 });
      await give(ada, grace);
      await vote(asked, grace);
      await expect(vote(asked, grace)).rejects.toMatchObject({ code: 'VOTE_ALREADY_GIVEN' });
      expect((await vote(asked, ada)).status).toBe('approved');
      await give(ada, viewer);
      await give(grace, viewer);
      const second = await ask({ quorum: 2 });
      await vote(second, viewer);
      await expect(vote(second, viewer)).rejects.toMatchObject({ code: 'VOTE_ALREADY_GIVEN' });
      expect(await statusOf(second)).toBe('open');
    });

    it('never lets anybody decide what they asked for themselves, nor the asker through a friend', async () => {
      const owner = person('Owner', { id: AGENT_PERSON });
      await give(ada, owner);
      await give(owner, viewer);
      const asked = await ask({ notRequester: true });
      await expect(vote(asked, owner)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await expect(vote(asked, viewer)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      known.delete(AGENT_PERSON);
    });

    it('is taken back at once, and so is a vote that was given by it', async () => {
      const asked = await ask({ quorum: 2 });
      const { id } = await give(ada, viewer);
      const [given] = (await vote(asked, viewer)).votes;
      const strange = person('Strange');
      await expect(module.get(Delegations).revoke(strange, id)).rejects.toMatchObject({ code: 'DELEGATION_NOT_FOUND' });
      await module.get(Delegations).revoke(ada, id);
      expect(await vote(asked, grace)).toMatchObject({ status: 'open', lapsed: [given?.id] });
      expect((await vote(asked, person('Third'))).status).toBe('approved');
      expect(receipts.map(({ evidence }) => evidence.details?.['action'])).toEqual(['delegation.given', 'delegation.revoked']);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['what is not theirs', () => give(viewer, ada)],
      ['to themselves', () => give(ada, ada)],
      ['for longer than 90 days', () => give(ada, viewer, 91 * 24 * HOUR)],
      ['to a token', () => give(ada, agent)],
      ['by a token', () => give(person('t', { kind: 'token', personId: ada.id }), viewer)],
    ])('lets nobody hand over %s', async (_what, act) => {
      await expect(act()).rejects.toMatchObject({ code: expect.stringMatching(/DELEGATION_REFUSED|PERSON_NOT_FOUND/) as string });
    });
  });

  describe('a voter who lost the right', () => {
    it('does not count when the last vote comes, and counts again with the right', async () => {
      const asked = await ask({ quorum: 2 });
      const joe = person('Joe');
      const [given] = (await vote(asked, joe)).votes;
      known.set(joe.id, { ...joe, scopes: ['receipts:read'] });
      expect(await vote(asked, ada)).toMatchObject({ status: 'open', lapsed: [given?.id] });
      expect(closed).toEqual([]);
      expect((await feed.after(0, 9)).at(-1)).toMatchObject({ type: 'ask.recounted', lapsed: [given?.id] });
      known.set(joe.id, joe);
      const done = await vote(asked, grace);
      expect(done).toMatchObject({ status: 'approved', votes: [{}, {}, {}] });
      expect(done.lapsed ?? []).toEqual([]);
    });

    it('is named in the evidence', async () => {
      const planId = newId<PlanId>();
      const asked = await ask({ quorum: 2, planId });
      const joe = person('Joe');
      await vote(asked, joe);
      known.delete(joe.id);
      await vote(asked, ada);
      await vote(asked, grace);
      expect(await asks.approvalsOf(planId)).toMatchObject([{ name: 'Joe', lapsed: true }, { name: 'Ada' }, { name: 'Grace' }]);
    });
  });

  describe('step-up', () => {
    const proved = (ms: number, methods: readonly ProofMethod[] = ['totp']): Principal =>
      person('Prover', { proof: { provedAt: clock.now() - ms, methods, mustEnrol: false } });

    it('takes no vote without a fresh second factor', async () => {
      const asked = await ask({ stepUp: true });
      await expect(vote(asked, ada)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED', details: { methods: [] } });
      await expect(vote(asked, proved(600_000))).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED', details: { methods: ['totp'] } });
      await expect(vote(asked, proved(1, ['password']))).rejects.toMatchObject({ code: 'SECOND_FACTOR_MISSING' });
      await expect(vote(asked, person('s', { kind: 'token' }))).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await expect(vote(asked, person('s', { kind: 'token', personId: ada.id }))).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
      expect(await statusOf(asked)).toBe('open');
      expect(await vote(asked, proved(1_000))).toMatchObject({ status: 'approved', votes: [{ provedAt: clock.now() - 1_000 }] });
    });
  });

  describe('of a host', () => {
    const hostId = newId<HostId>();
    const questions: readonly AskQuestion[] = [
      { id: 'q1', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] },
      { id: 'q2', question: 'Why?' },
      { id: 'q3', question: 'Which ones?', options: [{ label: 'X' }, { label: 'Y' }], multiSelect: true },
    ];
    const approval = (callId: string, change: Partial<NewAsk> = {}): Promise<Ask> => {
      const host = { hostId, hostSessionId: 's1', callId, toolName: 'shell', command: 'rm x' };
      return ask({ kind: 'host_approval', planId: null, sessionId: null, host, ...change });
    };
    const hosted = (callId: string, change: Partial<NewAsk> = {}): Promise<Ask> =>
      approval(callId, { kind: 'host_question', questions, ...change });
    const answer = (asked: Ask, principal: Principal, ...answers: readonly QuestionAnswer[]): Promise<Ask> =>
      asks.answer({ principal, askId: asked.id, digest: DIGEST, answers });
    const driver = person('chat client', { kind: 'token', scopes: ['relay:drive'], channel: 'mcp' });

    it('asks about one call once, whatever lane it comes by', async () => {
      const [first, second] = await Promise.all([hosted('c1'), hosted('c1')]);
      expect(second.id).toBe(first.id);
      expect((await hosted('c2')).id).not.toBe(first.id);
      expect((await events()).filter((type) => type === 'ask.opened')).toHaveLength(2);
      await asks.answer({ principal: ada, askId: first.id, digest: DIGEST, decision: 'deny' });
      expect((await hosted('c1')).id).not.toBe(first.id);
    });

    it('ends an ask when the host asks something else under the same call', async () => {
      const first = await hosted('c1');
      const second = await hosted('c1', { digest: 'e5'.repeat(32) });
      expect(second.id).not.toBe(first.id);
      expect(await asks.find(first.id)).toMatchObject({
        status: 'cancelled',
        endedWhy: 'The host asks something else under the same call id',
      });
    });

    it('is answered question by question, by two people, and closes with the last', async () => {
      const asked = await hosted('c1', { workspaceId: HERE });
      expect(await asks.find(asked.id)).toMatchObject({ questions, answers: [], delivery: 'none' });
      const half = await answer(asked, ada, { id: 'q2', selected: [], custom: 'because' });
      expect(half).toMatchObject({ status: 'open', answers: [{ id: 'q2', custom: 'because', byName: 'Ada', channel: 'console' }] });
      const done = await answer(asked, grace, { id: 'q1', selected: ['B'] }, { id: 'q3', selected: ['X', 'Y'] });
      expect(done).toMatchObject({ status: 'answered', answers: [{ id: 'q2' }, { id: 'q1', byName: 'Grace' }, { id: 'q3' }] });
      expect(await asks.find(asked.id)).toEqual(done);
      expect(await events()).toEqual(['ask.opened', 'ask.answered', 'ask.answered', 'ask.answered', 'ask.closed']);
      await expect(answer(asked, ada, { id: 'q1', selected: ['A'] })).rejects.toMatchObject({ code: 'ASK_ALREADY_RESOLVED' });
    });

    it('takes the first answer to a question and tells the second who was first', async () => {
      const asked = await hosted('c1');
      const both = await Promise.allSettled([
        answer(asked, ada, { id: 'q1', selected: ['A'] }),
        answer(asked, grace, { id: 'q1', selected: ['B'] }, { id: 'q2', selected: [], custom: 'x' }),
      ]);
      const lost = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []));
      expect(lost).toMatchObject([{ code: 'ASK_ALREADY_RESOLVED', details: { questionId: 'q1', at: clock.now() } }]);
      const now = await asks.find(asked.id);
      expect(now?.answers?.filter(({ id }) => id === 'q1')).toHaveLength(1);
      expect(new Set(now?.answers?.map(({ by }) => by)).size).toBe(1); // a half that is refused leaves nothing
    });

    it.each<[string, readonly QuestionAnswer[]]>([
      ['nothing', []],
      ['an empty answer', [{ id: 'q2', selected: [], custom: ' ' }]],
      ['no such question', [{ id: 'q9', selected: [], custom: 'x' }]],
      ['no such option', [{ id: 'q1', selected: ['C'] }]],
      ['two options where one is wanted', [{ id: 'q1', selected: ['A', 'B'] }]],
      ['the same option twice', [{ id: 'q3', selected: ['X', 'X'] }]],
      [
        'one question twice',
        [
          { id: 'q2', selected: [], custom: 'x' },
          { id: 'q2', selected: [], custom: 'y' },
        ],
      ],
    ])('refuses %s', async (_what, answers) => {
      const asked = await hosted('c1');
      await expect(answer(asked, ada, ...answers)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      expect(await asks.find(asked.id)).toMatchObject({ status: 'open', answers: [] });
    });

    it('lets who drives the host answer questions, and only who may decide approve', async () => {
      const asked = await hosted('c1', { requester: driver.id, requesterPersonId: null });
      expect((await answer(asked, driver, { id: 'q2', selected: [], custom: 'x' })).answers).toHaveLength(1);
      const change = { requester: driver.id, requesterPersonId: null } as const;
      const asksMore = await approval('c2', change);
      await expect(vote(asksMore, driver)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await expect(answer(asksMore, ada, { id: 'q1', selected: [] })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      const trusted = { ...driver, scopes: ['relay:drive', 'approvals:decide'] as const };
      expect((await asks.answer({ principal: trusted, askId: asksMore.id, digest: DIGEST, decision: 'approve' })).status).toBe('approved');
      const strict = await approval('c3', { ...change, notRequester: true });
      await expect(vote(strict, trusted)).rejects.toMatchObject({ code: 'VOTE_NOT_ALLOWED' });
      await expect(vote(asked, ada)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    });

    it('says how far a decision has come, and nothing goes back', async () => {
      const asked = await approval('c1');
      await vote(asked, ada);
      const step = (to: AskDelivery, note?: string) => feed.write((tx, append) => asks.delivered(tx, append, asked.id, to, note));
      expect([await step('sent'), await step('failed', 'no answer'), await step('accepted')]).toEqual([true, true, false]);
      expect(await asks.find(asked.id)).toMatchObject({ delivery: 'failed', deliveryNote: 'no answer' });
      expect([await step('sent'), await step('accepted'), await step('applied')]).toEqual([true, true, true]);
      expect([await step('failed'), await step('sent')]).toEqual([false, false]);
      expect((await feed.after(0, 100)).filter(({ type }) => type === 'ask.delivery')).toHaveLength(5);
    });

    it('settles with a reason, once, and tells who closed it after the commit', async () => {
      const after: string[] = [];
      module.get(AskKinds).register('host_approval', {
        closed: () => Promise.resolve(),
        afterClosed: async ({ id, status }) => {
          after.push(`${(await asks.find(id))?.status ?? ''} ${status}`);
        },
      });
      const asked = await approval('c1');
      const end = () => feed.write((tx, append) => asks.settle(tx, append, asked.id, 'host_gone', 'The host ended'));
      expect([await end(), await end()]).toEqual([true, false]);
      expect(await asks.find(asked.id)).toMatchObject({ status: 'host_gone', endedWhy: 'The host ended' });
      expect((await feed.after(0, 100)).at(-1)).toMatchObject({ type: 'ask.closed', status: 'host_gone', why: 'The host ended' });
      await vote(await approval('c2'), ada, 'deny');
      await approval('c3', { expiresAt: clock.now() + 1 });
      clock.at += 1;
      await asks.expireOverdue();
      while (after.length < 2) await new Promise((done) => setImmediate(done));
      expect(after).toEqual(['denied denied', 'expired expired']);
    });
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
