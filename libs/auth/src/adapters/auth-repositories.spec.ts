import { setTimeout } from 'node:timers/promises';
import type { LinkId, PersonInfo, PrincipalId, SignInId, TokenInfo, WorkspaceId } from '#contracts';
import { newId, type Database, type Tx } from '#platform';
import { engines } from '../../../../test/support/engines.js';
import type { ConsoleSession, NewPerson, NewToken, OpenLink } from '../ports.js';
import { authMigrations } from './auth.migrations.js';
import { KyselyAccountLinkRepository } from './kysely-account-link.repository.js';
import { KyselyConsoleSessionRepository } from './kysely-console-session.repository.js';
import { KyselyFactorRepository } from './kysely-factor.repository.js';
import { KyselyPersonRepository } from './kysely-person.repository.js';
import { KyselySignInRuleRepository } from './kysely-sign-in-rules.repository.js';
import { KyselyTicketRepository } from './kysely-ticket.repository.js';
import { KyselyTokenRepository } from './kysely-token.repository.js';
import { KyselyWelcomeLinkRepository } from './kysely-welcome-link.repository.js';

const plain = { workspaceRoles: {}, hasSecondFactor: false };

function aPerson(part: Partial<PersonInfo> = {}): NewPerson {
  const person: PersonInfo = { id: newId(), name: 'Ada', roles: ['admin'], ...plain, createdAt: 1_000, disabledAt: null, ...part };
  return { person, nameKey: person.name.toLowerCase(), passwordHash: `hash of ${person.name}` };
}
function aToken(part: Partial<TokenInfo> = {}, origin: NewToken['origin'] = null): NewToken {
  const token: TokenInfo = {
    id: newId(),
    name: 'agent',
    personId: null,
    scopes: ['terminal:plan', 'receipts:read'],
    workspaces: null,
    toolFamilies: null,
    ratePerMinute: null,
    createdByName: 'Ada',
    createdAt: 1_000,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    rotatedTo: null,
    ...part,
  };
  return { token, hash: `hash of ${token.id}`, origin };
}

describe.each(engines)('the repositories of auth on %s', (_name, open) => {
  let db: Database;
  let people: KyselyPersonRepository;
  let tokens: KyselyTokenRepository;
  let sessions: KyselyConsoleSessionRepository;
  let links: KyselyWelcomeLinkRepository;

  beforeAll(async () => {
    db = await open(authMigrations);
    people = new KyselyPersonRepository(db);
    tokens = new KyselyTokenRepository(db);
    sessions = new KyselyConsoleSessionRepository(db);
    links = new KyselyWelcomeLinkRepository(db);
  });
  afterEach(async () => {
    for (const table of [
      ...['passwords', 'console_sessions', 'tokens', 'welcome_links', 'account_links'],
      ...['totp_secrets', 'recovery_codes', 'passkeys', 'proof_tickets', 'people'],
    ])
      await db.deleteFrom(table as 'events').execute();
  });
  afterAll(() => db.destroy());

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work);
  const add = (...all: readonly NewPerson[]) => Promise.all(all.map((person) => write((tx) => people.insert(tx, person))));

  describe('people', () => {
    it('come back as they went in, and by name key with the hash of their password', async () => {
      const ada = aPerson();
      const grace = aPerson({ name: 'Grace', roles: ['viewer', 'approver'], createdAt: 2_000, disabledAt: 3_000 });
      await add(ada, grace);
      expect(await people.list()).toEqual([ada.person, grace.person]);
      expect(await people.find(grace.person.id)).toEqual(grace.person);
      expect(await people.findLogin('grace')).toEqual({ person: grace.person, passwordHash: 'hash of Grace' });
      expect(await people.findLogin('nobody')).toBeUndefined();
      expect(await people.find(newId())).toBeUndefined();
    });

    it('let a name be taken once, however many come at once', async () => {
      expect((await add(...Array.from({ length: 5 }, () => aPerson()))).filter(Boolean)).toHaveLength(1);
      expect(await people.list()).toHaveLength(1);
    });

    it('count those who are admin and not disabled', async () => {
      await add(
        aPerson(),
        aPerson({ name: 'B', roles: ['viewer', 'admin'] }),
        aPerson({ name: 'C', disabledAt: 1 }),
        aPerson({ name: 'D', roles: ['viewer'] }),
      );
      expect(await people.countAdmins()).toBe(2);
    });

    it('move by compare-and-set on what was read', async () => {
      const { person, ...rest } = aPerson();
      await add({ person, ...rest });
      expect(await write((tx) => people.move(tx, person, { ...plain, roles: ['viewer'], disabledAt: 9 }))).toBe(true);
      expect(await write((tx) => people.move(tx, person, { ...plain, roles: ['admin'], disabledAt: null }))).toBe(false);
      expect(await people.find(person.id)).toEqual({ ...person, roles: ['viewer'], disabledAt: 9 });
      expect(
        await write((tx) =>
          people.move(tx, { ...person, roles: ['viewer'], disabledAt: 9 }, { ...plain, roles: ['viewer'], disabledAt: null }),
        ),
      ).toBe(true);
    });

    it('never lose the last admin when two take each other’s role at once', async () => {
      const [ada, grace] = [aPerson(), aPerson({ name: 'Grace' })];
      await add(ada, grace);
      const both = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
      const demote = (person: PersonInfo, index: number) =>
        write(async (tx) => {
          await people.lockAdmins(tx);
          if (!(await people.move(tx, person, { ...plain, roles: ['viewer'], disabledAt: null }))) throw new Error('moved');
          both[index]?.resolve(index);
          // Each waits for the other to have come this far; the lock is what keeps that from happening.
          await Promise.race([Promise.all(both.map(({ promise }) => promise)), setTimeout(100)]);
          if ((await people.countAdmins(tx)) === 0) throw new Error('last');
        });
      const results = await Promise.allSettled([demote(ada.person, 0), demote(grace.person, 1)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await people.countAdmins()).toBe(1);
    });

    it('change a password only from the hash that was read', async () => {
      const { person, ...rest } = aPerson();
      await add({ person, ...rest });
      const tries = ['one', 'two', 'three'].map((to) => write((tx) => people.changePassword(tx, person.id, 'hash of Ada', to, 5)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });
  });

  describe('tokens', () => {
    it('are found by their hash, with the person behind them', async () => {
      const ada = aPerson();
      await add(ada);
      const own = aToken({ personId: ada.person.id, expiresAt: 7, lastUsedAt: 6, revokedAt: 5 });
      const nobodys = aToken({ createdAt: 2_000 });
      for (const token of [own, nobodys]) await write((tx) => tokens.insert(tx, token));
      const { createdAt: _createdAt, hasSecondFactor: _has, ...facts } = ada.person;
      const person = { ...facts, factors: [] };
      expect(await tokens.findByHash(own.hash)).toEqual({ token: own.token, hash: own.hash, person });
      expect(await tokens.findByHash(nobodys.hash)).toEqual({ token: nobodys.token, hash: nobodys.hash, person: null });
      expect(await tokens.findByHash('none')).toBeUndefined();
      expect(await tokens.find(own.token.id)).toEqual(own.token);
      expect(await tokens.list({ personId: null })).toEqual([nobodys.token, own.token]);
      expect(await tokens.list({ personId: ada.person.id })).toEqual([own.token]);
    });

    it('of the first start exist once, however many processes start at once', async () => {
      const tries = Array.from({ length: 4 }, () => write((tx) => tokens.insert(tx, aToken({}, 'first_start'))));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await write((tx) => tokens.insert(tx, aToken()))).toBe(true);
      expect(await write((tx) => tokens.insert(tx, aToken()))).toBe(true);
    });

    it('are found by words of their name and of who made them, taken as they are', async () => {
      const [build, deploy] = [aToken({ name: 'Build 100%' }), aToken({ name: 'deploy', createdByName: 'Grace' })];
      for (const token of [build, deploy]) await write((tx) => tokens.insert(tx, token));
      const found = async (q: string) => (await tokens.list({ personId: null, q })).map(({ name }) => name);
      expect([await found('build'), await found('GRACE'), await found('%'), await found('_')]).toEqual([
        ['Build 100%'],
        ['deploy'],
        ['Build 100%'],
        [],
      ]);
    });

    it('keep their bounds, and get one successor, however many want to make it', async () => {
      const bound = aToken({ workspaces: [newId<WorkspaceId>()], toolFamilies: ['relay'], ratePerMinute: 5, expiresAt: 90 });
      await write((tx) => tokens.insert(tx, bound));
      expect(await tokens.find(bound.token.id)).toEqual(bound.token);
      const successors = [1, 2, 3].map(() => newId<PrincipalId>());
      const tries = await Promise.all(successors.map((to) => write((tx) => tokens.rotate(tx, bound.token.id, to, 50))));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await tokens.find(bound.token.id)).toMatchObject({ expiresAt: 50, rotatedTo: successors[tries.indexOf(true)] });
    });

    it('are revoked once, by one of many', async () => {
      const token = aToken();
      await write((tx) => tokens.insert(tx, token));
      const tries = [1, 2, 3, 4].map((at) => write((tx) => tokens.revoke(tx, token.token.id, at)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    it('go to a person when they are nobody’s, and end with that person', async () => {
      const [ada, grace] = [aPerson(), aPerson({ name: 'Grace' })];
      await add(ada, grace);
      const [loose, graces, ended] = [aToken(), aToken({ personId: grace.person.id }), aToken({ revokedAt: 1 })];
      for (const token of [loose, graces, ended]) await write((tx) => tokens.insert(tx, token));
      expect([...(await write((tx) => tokens.adopt(tx, ada.person.id)))].sort()).toEqual([loose.token.id, ended.token.id].sort());
      expect(await write((tx) => tokens.revokeAllOf(tx, ada.person.id, 9))).toEqual([loose.token.id]);
      expect(await tokens.find(graces.token.id)).toEqual(graces.token);
      expect((await tokens.find(ended.token.id))?.revokedAt).toBe(1);
    });

    it('remember their last use, and never an earlier one', async () => {
      const { token, ...rest } = aToken();
      await write((tx) => tokens.insert(tx, { token, ...rest }));
      await tokens.sawUse(new Map([[token.id, 50]]));
      await tokens.sawUse(
        new Map([
          [token.id, 40],
          [newId<PrincipalId>(), 60],
        ]),
      );
      await tokens.sawUse(new Map());
      expect((await tokens.find(token.id))?.lastUsedAt).toBe(50);
    });
  });

  describe('console sessions', () => {
    const aSession = (personId: PrincipalId, hash: string, createdAt = 10): ConsoleSession => ({
      hash,
      id: newId<SignInId>(),
      personId,
      device: 'Firefox on Linux',
      address: '192.0.2.7',
      createdAt,
      seenAt: createdAt,
      provedAt: createdAt,
      expiresAt: createdAt + 1_000,
    });

    it('are found by their hash, with the person, until they are removed', async () => {
      const ada = aPerson();
      await add(ada);
      const session = aSession(ada.person.id, 'h1');
      await sessions.insert(session);
      const { createdAt: _createdAt, hasSecondFactor: _has, ...facts } = ada.person;
      const person = { ...facts, factors: [] };
      expect(await sessions.find('h1')).toEqual({ session, person });
      expect(await sessions.listOf(ada.person.id)).toEqual([session]);
      await sessions.proved('h1', 12);
      await sessions.proved('h1', 11);
      expect((await sessions.find('h1'))?.session.provedAt).toBe(12);
      expect(await write((tx) => sessions.remove(tx, 'h1'))).toBe(ada.person.id);
      expect(await write((tx) => sessions.remove(tx, 'h1'))).toBeUndefined();
      expect(await sessions.find('h1')).toBeUndefined();
    });

    it('end all at once, but for the one that asks', async () => {
      const [ada, grace] = [aPerson(), aPerson({ name: 'Grace' })];
      await add(ada, grace);
      for (const hash of ['a1', 'a2', 'a3']) await sessions.insert(aSession(ada.person.id, hash));
      await sessions.insert(aSession(grace.person.id, 'g1'));
      await write((tx) => sessions.removeAllOf(ada.person.id, { tx, except: 'a2' }));
      expect(await left('a1', 'a2', 'a3', 'g1')).toEqual(['a2', 'g1']);
      await write((tx) => sessions.removeAllOf(ada.person.id, { tx }));
      expect(await left('a2', 'g1')).toEqual(['g1']);
    });

    it('keep the newest of a person', async () => {
      const ada = aPerson();
      await add(ada);
      for (const at of [3, 1, 2]) await sessions.insert(aSession(ada.person.id, `h${at}`, at));
      await sessions.trim(ada.person.id, 2);
      expect(await left('h1', 'h2', 'h3')).toEqual(['h2', 'h3']);
    });

    it('go when they are past their end or idle, and their last use moves forward only', async () => {
      const ada = aPerson();
      await add(ada);
      for (const hash of ['ended', 'idle', 'alive']) await sessions.insert(aSession(ada.person.id, hash));
      await sessions.sawUse(
        new Map([
          ['ended', 500],
          ['alive', 500],
        ]),
      );
      await sessions.sawUse(new Map([['alive', 400]]));
      await sessions.removeEnded(0, 100);
      expect(await left('ended', 'idle', 'alive')).toEqual(['ended', 'alive']);
      expect((await sessions.find('alive'))?.session.seenAt).toBe(500);
      await sessions.removeEnded(1_010, 0);
      expect(await left('ended', 'alive')).toEqual([]);
    });

    async function left(...hashes: readonly string[]): Promise<string[]> {
      const found = await Promise.all(hashes.map((hash) => sessions.find(hash)));
      return hashes.filter((_hash, index) => found[index] !== undefined);
    }
  });

  describe('the welcome link', () => {
    it('is alive until its end, until it is used or until another takes its place', async () => {
      await links.replace('one', 100);
      expect([await links.isAlive('one', 99), await links.isAlive('one', 100), await links.isAlive('two', 0)]).toEqual([
        true,
        false,
        false,
      ]);
      await links.replace('two', 200);
      expect([await links.isAlive('one', 0), await links.isAlive('two', 0)]).toEqual([false, true]);
      expect(await write((tx) => links.use(tx, 'two', 200))).toBe(false);
      expect(await write((tx) => links.use(tx, 'one', 0))).toBe(false);
      expect(await write((tx) => links.use(tx, 'two', 0))).toBe(true);
      expect(await links.isAlive('two', 0)).toBe(false);
    });

    it('opens for exactly one of many', async () => {
      await links.replace('one', 100);
      const tries = Array.from({ length: 5 }, () => write((tx) => links.use(tx, 'one', 1)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });
  });

  describe('links to accounts', () => {
    const aLink = (part: Partial<OpenLink> = {}): OpenLink => ({
      id: newId<LinkId>(),
      kind: 'invite',
      personId: null,
      roles: ['viewer'],
      workspaceRoles: { [newId<WorkspaceId>()]: ['approver'] },
      note: 'Grace',
      createdBy: 'ada' as PrincipalId,
      createdByName: 'Ada',
      createdAt: 10,
      expiresAt: 100,
      ...part,
    });
    let made: KyselyAccountLinkRepository;
    beforeEach(() => {
      made = new KyselyAccountLinkRepository(db);
    });

    it('are open until their end, and open for exactly one of many', async () => {
      const link = aLink();
      await write((tx) => made.insert(tx, link, 'h'));
      expect([await made.find('h', 99), await made.find('h', 100), await made.find('other', 0)]).toEqual([link, undefined, undefined]);
      const tries = Array.from({ length: 5 }, () => write((tx) => made.use(tx, 'h', 50)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect([await made.find('h', 50), await made.list('invite', 50)]).toEqual([undefined, []]);
    });

    it('are taken back once, by their maker’s fall, and with the person whose password they reset', async () => {
      const ada = aPerson();
      await add(ada);
      const [one, two, reset] = [
        aLink(),
        aLink({ createdAt: 20 }),
        aLink({ kind: 'reset', personId: ada.person.id, createdBy: 'eve' as PrincipalId }),
      ];
      for (const link of [one, two, reset]) await write((tx) => made.insert(tx, link, `hash of ${link.id}`));
      expect(await made.list('invite', 50)).toEqual([two, one]);
      const ends = [1, 2].map(() => write((tx) => made.end(tx, one.id, 'invite', 50)));
      expect((await Promise.all(ends)).filter(Boolean)).toEqual([one]);
      expect(await write((tx) => made.end(tx, reset.id, 'invite', 50))).toBeUndefined();
      await write((tx) => made.endMadeBy(tx, 'ada' as PrincipalId, 50));
      expect(await made.list('invite', 50)).toEqual([]);
      await write((tx) => made.endResetsOf(tx, ada.person.id, 50));
      expect(await made.list('reset', 50)).toEqual([]);
    });
  });

  describe('second factors', () => {
    let factors: KyselyFactorRepository;
    let id: PrincipalId;
    beforeEach(async () => {
      factors = new KyselyFactorRepository(db);
      const ada = aPerson();
      await add(ada);
      id = ada.person.id;
    });

    it('stand beside the person', async () => {
      expect([await people.factorsOf(id), (await people.find(id))?.hasSecondFactor]).toEqual([[], false]);
      await write((tx) => people.setFactors(tx, id, ['totp']));
      expect([await people.factorsOf(id), (await people.find(id))?.hasSecondFactor]).toEqual([['totp'], true]);
    });

    it('use each step of an authenticator once, forwards, after it was confirmed', async () => {
      expect(await write((tx) => factors.offerTotp(tx, id, 'first', 1))).toBe(true);
      expect(await write((tx) => factors.offerTotp(tx, id, 'second', 2))).toBe(true);
      expect(await write((tx) => factors.useTotp(tx, id, 5, null))).toBe(false);
      expect(await write((tx) => factors.useTotp(tx, id, 5, 9))).toBe(true);
      expect(await factors.totp(id)).toEqual({ sealed: 'second', createdAt: 2, confirmedAt: 9, usedStep: 5 });
      expect(await write((tx) => factors.offerTotp(tx, id, 'third', 3))).toBe(false);
      const tries = [6, 6, 6].map((step) => write((tx) => factors.useTotp(tx, id, step, null)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await write((tx) => factors.useTotp(tx, id, 4, null))).toBe(false);
      expect([await write((tx) => factors.removeTotp(tx, id)), await write((tx) => factors.removeTotp(tx, id))]).toEqual([true, false]);
    });

    it('use each recovery code once, for its own person', async () => {
      await write((tx) => factors.replaceRecoveryCodes(tx, id, ['a', 'b']));
      expect(await write((tx) => factors.useRecoveryCode(tx, newId(), 'a'))).toBe(false);
      const tries = [1, 2, 3].map(() => write((tx) => factors.useRecoveryCode(tx, id, 'a')));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await factors.countRecoveryCodes(id)).toBe(1);
      await write((tx) => factors.replaceRecoveryCodes(tx, id, ['c']));
      expect(await write((tx) => factors.useRecoveryCode(tx, id, 'b'))).toBe(false);
    });

    it('keep passkeys, and count their uses by compare-and-set', async () => {
      const key = { id: 'k', name: 'Laptop', publicKey: 'pk', uses: 3, transports: ['usb'], createdAt: 1, lastUsedAt: null };
      expect(await write((tx) => factors.addPasskey(tx, id, key))).toBe(true);
      expect(await write((tx) => factors.addPasskey(tx, id, key))).toBe(false);
      expect(await factors.passkeys(id)).toEqual([key]);
      const tries = [1, 2].map(() => write((tx) => factors.usePasskey(tx, 'k', 3, 4, 9)));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await factors.passkeys(id)).toEqual([{ ...key, uses: 4, lastUsedAt: 9 }]);
      expect(await write((tx) => factors.removePasskey(tx, newId(), 'k'))).toBe(false);
      expect(await write((tx) => factors.removePasskey(tx, id, 'k'))).toBe(true);
      await write((tx) => factors.addPasskey(tx, id, key));
      await write((tx) => factors.removeAll(tx, id));
      expect(await factors.passkeys(id)).toEqual([]);
    });

    it('give a ticket its tries and no more, for its own purpose, until its end', async () => {
      const tickets = new KyselyTicketRepository(db);
      await tickets.insert('t', 'sign_in', id, 3, 100);
      expect([
        await tickets.look('t', 'sign_in', 99),
        await tickets.take('t', 'passkey_new', 0),
        await tickets.take('t', 'sign_in', 100),
      ]).toEqual([id, undefined, undefined]);
      const tries = Array.from({ length: 6 }, () => tickets.take('t', 'sign_in', 50));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3);
      await tickets.insert('u', 'sign_in', id, 3, 100);
      await tickets.removeEnded(50);
      expect(await tickets.look('u', 'sign_in', 50)).toBe(id);
      await write((tx) => tickets.removeAllOf(tx, id));
      expect(await tickets.look('u', 'sign_in', 50)).toBeUndefined();
    });

    it('remember which roles need one', async () => {
      const rules = new KyselySignInRuleRepository(db);
      expect(await rules.secondFactorRoles()).toEqual([]);
      await write((tx) => rules.setSecondFactorRoles(tx, ['admin']));
      await write((tx) => rules.setSecondFactorRoles(tx, ['approver', 'admin']));
      expect(await rules.secondFactorRoles()).toEqual(['approver', 'admin']);
    });
  });
});
