import { setTimeout } from 'node:timers/promises';
import type { PersonInfo, PrincipalId, TokenInfo } from '#contracts';
import { newId, type Database, type Tx } from '#platform';
import { engines } from '../../../../test/support/engines.js';
import type { ConsoleSession, NewPerson, NewToken } from '../ports.js';
import { authMigrations } from './auth.migrations.js';
import { KyselyConsoleSessionRepository } from './kysely-console-session.repository.js';
import { KyselyPersonRepository } from './kysely-person.repository.js';
import { KyselyTokenRepository } from './kysely-token.repository.js';
import { KyselyWelcomeLinkRepository } from './kysely-welcome-link.repository.js';

function aPerson(part: Partial<PersonInfo> = {}): NewPerson {
  const person: PersonInfo = { id: newId(), name: 'Ada', roles: ['admin'], createdAt: 1_000, disabledAt: null, ...part };
  return { person, nameKey: person.name.toLowerCase(), passwordHash: `hash of ${person.name}` };
}
function aToken(part: Partial<TokenInfo> = {}, origin: NewToken['origin'] = null): NewToken {
  const token: TokenInfo = {
    id: newId(),
    name: 'agent',
    personId: null,
    scopes: ['terminal:plan', 'receipts:read'],
    createdAt: 1_000,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
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
    for (const table of ['passwords', 'console_sessions', 'tokens', 'welcome_links', 'people'])
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
      expect(await write((tx) => people.move(tx, person, { roles: ['viewer'], disabledAt: 9 }))).toBe(true);
      expect(await write((tx) => people.move(tx, person, { roles: ['admin'], disabledAt: null }))).toBe(false);
      expect(await people.find(person.id)).toEqual({ ...person, roles: ['viewer'], disabledAt: 9 });
      expect(
        await write((tx) => people.move(tx, { ...person, roles: ['viewer'], disabledAt: 9 }, { roles: ['viewer'], disabledAt: null })),
      ).toBe(true);
    });

    it('never lose the last admin when two take each other’s role at once', async () => {
      const [ada, grace] = [aPerson(), aPerson({ name: 'Grace' })];
      await add(ada, grace);
      const both = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
      const demote = (person: PersonInfo, index: number) =>
        write(async (tx) => {
          await people.lockAdmins(tx);
          if (!(await people.move(tx, person, { roles: ['viewer'], disabledAt: null }))) throw new Error('moved');
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
      const { createdAt: _createdAt, ...person } = ada.person;
      expect(await tokens.findByHash(own.hash)).toEqual({ token: own.token, hash: own.hash, person });
      expect(await tokens.findByHash(nobodys.hash)).toEqual({ token: nobodys.token, hash: nobodys.hash, person: null });
      expect(await tokens.findByHash('none')).toBeUndefined();
      expect(await tokens.find(own.token.id)).toEqual(own.token);
      expect(await tokens.list(null)).toEqual([nobodys.token, own.token]);
      expect(await tokens.list(ada.person.id)).toEqual([own.token]);
    });

    it('of the first start exist once, however many processes start at once', async () => {
      const tries = Array.from({ length: 4 }, () => write((tx) => tokens.insert(tx, aToken({}, 'first_start'))));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await write((tx) => tokens.insert(tx, aToken()))).toBe(true);
      expect(await write((tx) => tokens.insert(tx, aToken()))).toBe(true);
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
      personId,
      createdAt,
      seenAt: createdAt,
      expiresAt: createdAt + 1_000,
    });

    it('are found by their hash, with the person, until they are removed', async () => {
      const ada = aPerson();
      await add(ada);
      const session = aSession(ada.person.id, 'h1');
      await sessions.insert(session);
      const { createdAt: _createdAt, ...person } = ada.person;
      expect(await sessions.find('h1')).toEqual({ session, person });
      await sessions.remove('h1');
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
});
