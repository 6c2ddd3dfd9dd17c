import type { AppEvent, CreatedToken, PrincipalId, Scope, TokenInfo } from '#contracts';
import { AppError, EventFeed, PrincipalDirectory } from '#platform';
import { bootAuth, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { KnownCallers } from './known-callers.js';
import { LastSeen } from './last-seen.js';
import { LocalCallers } from './local-callers.js';
import { TokenRepository } from './ports.js';
import { Tokens } from './tokens.js';

const DAY = 86_400_000;

describe.each(engines)('tokens on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeEach(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
  }, 30_000);
  afterEach(() => api.close());

  const create = async (by: HttpCaller, body: object) =>
    by.send<CreatedToken & { error: { code: string; details: object } }>('POST', '/api/tokens', body);
  const list = async (by: HttpCaller) => (await by.send<{ items: TokenInfo[]; seq: number }>('GET', '/api/tokens')).body;
  const made = async (by: HttpCaller, scopes?: readonly Scope[]) => (await create(by, { name: 'bot', ...(scopes ? { scopes } : {}) })).body;
  /** Any route that takes every credential. */
  const enter = async (secret: string) => (await api.caller(secret).send('POST', '/api/auth/logout')).status;

  it('show their secret once, and are stored as SHA-256', async () => {
    const { status, body } = await create(owner, { name: ' build  bot ' });
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^csn_[A-Za-z0-9_-]{43}$/);
    expect(body.token).toMatchObject({
      name: 'build bot',
      scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'],
      expiresAt: null,
    });
    const { items } = await list(owner);
    expect(items).toEqual([body.token]);
    const rows = await api.db
      .selectFrom('tokens' as 'events')
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice(4));
    expect(rows).toMatchObject([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    expect(await enter(body.secret)).toBe(204);
  });

  it('expire when they should, and say so', async () => {
    const { body } = await create(owner, { name: 'bot', expiresInDays: 2 });
    expect(body.token.expiresAt).toBe(api.clock.now() + 2 * DAY);
    api.clock.at += 2 * DAY - 1;
    expect(await enter(body.secret)).toBe(204);
    api.clock.at += 1;
    const expired = await api.caller(body.secret).send('GET', '/api/tokens');
    expect([expired.status, expired.body.error.code]).toEqual([401, 'TOKEN_EXPIRED']);
    expect(expired.headers.get('www-authenticate')).toContain('error_description="This token has expired; make a new one"');
  });

  verifies('auth:revoked-at-once', 'a token', async () => {
    const { token, secret } = await made(owner);
    expect(await enter(secret)).toBe(204);
    expect((await owner.send('DELETE', `/api/tokens/${token.id}`)).status).toBe(204);
    expect(await enter(secret)).toBe(401);
    expect((await list(owner)).items).toMatchObject([{ id: token.id, revokedAt: api.clock.now() }]);
  });

  it('are refused from then on without the help of an event', async () => {
    api.get(KnownCallers).onModuleDestroy(); // hears of nothing any more
    const { token, secret } = await made(owner);
    expect(await enter(secret)).toBe(204);
    await owner.send('DELETE', `/api/tokens/${token.id}`);
    expect(await enter(secret)).toBe(401);
  });

  it('are revoked with one receipt and one event, however many ask at once', async () => {
    const { token } = await made(owner);
    const feed = api.get(EventFeed);
    const before = feed.head;
    const tries = await Promise.all([1, 2, 3, 4].map(() => owner.send('DELETE', `/api/tokens/${token.id}`)));
    expect(tries.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const events = await feed.after(before, 100);
    expect(events.filter(({ type }) => type === 'token.changed')).toEqual([expect.objectContaining({ tokenId: token.id })]);
  });

  it('that were revoked by another process are refused within seconds, at the latest', async () => {
    const { token, secret } = await made(owner);
    expect(await enter(secret)).toBe(204);
    await api.db.transaction().execute((tx) => api.get(TokenRepository).revoke(tx, token.id, 1));
    expect(await enter(secret)).toBe(204);
    api.clock.at += 5_000;
    expect(await enter(secret)).toBe(401);
  });

  it('are not remembered as good when they were revoked while they were looked up', async () => {
    const known = api.get(KnownCallers);
    const { token, secret } = await made(owner);
    const repository = api.get(TokenRepository);
    const findByHash = repository.findByHash.bind(repository);
    repository.findByHash = async (hash) => {
      const found = await findByHash(hash);
      await api.get(Tokens).revoke(api.get(LocalCallers).commandLine(), token.id);
      return found;
    };
    await enter(secret); // it came before the end of the revocation
    repository.findByHash = findByHash;
    expect(await enter(secret)).toBe(401);
    expect(known.size).toBeLessThanOrEqual(1);
  });

  it('cost a look-up and a comparison on a miss as on a hit', async () => {
    const repository = api.get(TokenRepository);
    const findByHash = repository.findByHash.bind(repository);
    const looked: string[] = [];
    repository.findByHash = (hash) => {
      looked.push(hash);
      return findByHash(hash);
    };
    const { secret } = await made(owner);
    await enter(secret);
    await enter(`csn_${'A'.repeat(43)}`);
    await enter(`csn_${'A'.repeat(43)}`);
    repository.findByHash = findByHash;
    expect(looked.map((hash) => hash.length)).toEqual([64, 64, 64]);
  });

  it('note their last use in memory and write it once a minute', async () => {
    const { token, secret } = await made(owner);
    api.clock.at += 3_000;
    await enter(secret);
    expect((await list(owner)).items[0]?.lastUsedAt).toBeNull();
    await api.get(LastSeen).write();
    expect((await list(owner)).items).toMatchObject([{ id: token.id, lastUsedAt: api.clock.now() }]);
  });

  it('of others are neither seen nor revoked by a person who is no admin', async () => {
    const { http: olga, info } = await api.person(owner, 'Olga', ['operator']);
    const { token } = await made(owner);
    const own = await made(olga);
    expect((await list(olga)).items.map(({ id }) => id)).toEqual([own.token.id]);
    expect(own.token.personId).toBe(info.id);
    const refused = await olga.send('DELETE', `/api/tokens/${token.id}`);
    const unknown = await olga.send('DELETE', `/api/tokens/${info.id}`);
    expect([refused.status, refused.body.error.code, unknown.status]).toEqual([404, 'TOKEN_NOT_FOUND', 404]);
    expect((await owner.send('DELETE', `/api/tokens/${own.token.id}`)).status).toBe(204);
    expect((await list(owner)).items).toHaveLength(2);
  });

  it('lose what the person behind them loses, at once', async () => {
    const { http: olga, info } = await api.person(owner, 'Olga', ['operator']);
    const { secret } = await made(olga);
    const directory = api.get(PrincipalDirectory);
    const scopes = async () => (await directory.find((await list(olga)).items[0]?.id as PrincipalId))?.scopes;
    expect(await scopes()).toEqual(['terminal:plan', 'terminal:execute', 'receipts:read']);
    await owner.send('PATCH', `/api/people/${info.id}`, { roles: ['viewer'] });
    expect(await scopes()).toEqual(['receipts:read']);
    expect(await enter(secret)).toBe(204);
  });

  it('give their successor to the person behind them only', async () => {
    const { http: olga } = await api.person(owner, 'Olga', ['operator']);
    const { token } = await made(olga);
    expect((await owner.send('POST', `/api/tokens/${token.id}/rotate`, { overlapHours: 1 })).status).toBe(403);
    expect((await olga.send('POST', `/api/tokens/${token.id}/rotate`, { overlapHours: 1 })).status).toBe(201);
  });

  verifies('invariant:16', 'tokens and people', async () => {
    const { secret } = await made(owner);
    const agent = api.caller(secret);
    const someone = '01920000-0000-7000-8000-000000000001';
    const tries: readonly (readonly [string, string, object?])[] = [
      ['GET', '/api/tokens'],
      ['POST', '/api/tokens', { name: 'more' }],
      ['DELETE', `/api/tokens/${someone}`],
      ['GET', '/api/people'],
      ['POST', '/api/people', { name: 'Eve', password: 'nine green bottles', roles: ['admin'] }],
      ['PATCH', `/api/people/${someone}`, { roles: ['admin'] }],
      ['POST', `/api/people/${someone}/password`, { password: 'nine green bottles' }],
      ['POST', '/api/auth/password', { current: 'x', password: 'nine green bottles' }],
    ];
    for (const [method, path, body] of tries) {
      const answer = await agent.send(method, path, body);
      expect([method, path, answer.status, answer.body.error.code]).toEqual([method, path, 403, 'SCOPE_MISSING']);
    }
    expect((await list(owner)).items).toHaveLength(1);
  });

  it('with the admin scope act for their person, and never give what they do not have', async () => {
    const { secret } = await made(owner, ['admin', 'terminal:plan']);
    const script = api.caller(secret);
    expect((await create(script, { name: 'x', scopes: ['terminal:plan'] })).status).toBe(201);
    const more = await create(script, { name: 'x', scopes: ['terminal:plan', 'approvals:decide'] });
    expect([more.status, more.body.error.code, more.body.error.details]).toEqual([
      403,
      'SCOPE_MISSING',
      { scope: 'approvals:decide', scopes: ['approvals:decide'] },
    ]);
    expect((await script.send('GET', '/api/people')).status).toBe(200);
    expect((await create(script, { name: 'x' })).status).toBe(403);
  });

  it('of nobody never administer, whatever scope the command line gave them', async () => {
    const by = api.get(LocalCallers).commandLine();
    const { secret } = await api
      .get(Tokens)
      .create({ by, name: 'root', personId: null, scopes: ['admin', 'terminal:plan'], expiresAt: null });
    for (const path of ['/api/tokens', '/api/people']) expect((await api.caller(secret).send('GET', path)).status).toBe(403);
    const invite = await api.caller(secret).send('POST', '/api/people/invites', {});
    expect(invite.body.error).toMatchObject({ code: 'SCOPE_MISSING', message: expect.stringContaining('Nobody stands behind') as string });
  });

  it.each([
    ['no name', { name: '' }],
    ['an unknown scope', { name: 'x', scopes: ['root'] }],
    ['no scope', { name: 'x', scopes: [] }],
    ['no time to live', { name: 'x', expiresInDays: 0 }],
    ['too long a life', { name: 'x', expiresInDays: 4_000 }],
    ['a field that does not exist', { name: 'x', personId: 'me' }],
  ])('are refused with %s', async (_case, body) => {
    const answer = await create(owner, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INPUT_INVALID']);
    expect((await list(owner)).items).toEqual([]);
  });

  it('of a person who does not exist are not made', async () => {
    const by = api.get(LocalCallers).commandLine();
    const personId = '01920000-0000-7000-8000-000000000001' as PrincipalId;
    const wanted = api.get(Tokens).create({ by, name: 'x', personId, scopes: ['terminal:plan'], expiresAt: null });
    await expect(wanted).rejects.toMatchObject(new AppError('PERSON_NOT_FOUND', 'No such person', { personId }));
  });

  it('tell watchers that they changed, as events of the person behind them', async () => {
    const feed = api.get(EventFeed);
    const heard: AppEvent[] = [];
    const listening = feed.live.subscribe((event) => heard.push(event));
    const { token } = await made(owner);
    await owner.send('DELETE', `/api/tokens/${token.id}`);
    listening.unsubscribe();
    expect(heard.filter(({ type }) => type === 'token.changed')).toEqual([
      expect.objectContaining({ tokenId: token.id, owner: token.personId }),
      expect.objectContaining({ tokenId: token.id, owner: token.personId }),
    ]);
  });
});
