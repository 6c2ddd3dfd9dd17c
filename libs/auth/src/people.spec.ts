import type { AuthState, PersonInfo, PrincipalId, ReceiptSummary } from '#contracts';
import { EventFeed, PrincipalDirectory } from '#platform';
import { bootAuth, PASSWORD, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { LocalCallers } from './local-callers.js';

const NOBODY = '01920000-0000-7000-8000-000000000001' as PrincipalId;

describe.each(engines)('people on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  let ownerId: PrincipalId;
  beforeEach(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
    ownerId = (await me(owner))?.id ?? NOBODY;
  }, 30_000);
  afterEach(() => api.close());

  const me = async (http: HttpCaller) => (await http.send<AuthState>('GET', '/api/auth/state')).body.me;
  const people = async () => (await owner.send<{ items: PersonInfo[]; seq: number }>('GET', '/api/people')).body;
  const change = (by: HttpCaller, id: string, body: object) =>
    by.send<PersonInfo & { error: { code: string } }>('PATCH', `/api/people/${id}`, body);
  const tokenOfPerson = async (http: HttpCaller) =>
    (await http.send<{ secret: string }>('POST', '/api/tokens', { name: 'bot' })).body.secret;

  it('are added with roles and a first password, and sign in', async () => {
    const { info, http } = await api.person(owner, 'Grace', ['approver', 'viewer']);
    expect(info).toMatchObject({ name: 'Grace', roles: ['viewer', 'approver'], disabledAt: null });
    expect((await me(http))?.scopes).toEqual(['approvals:decide', 'relay:read', 'connector:read', 'receipts:read']);
    expect((await people()).items).toMatchObject([{ name: 'Ada' }, info]);
    expect(JSON.stringify(await people())).not.toContain('argon2');
  });

  it.each([
    ['a name that is taken in another case', { name: 'aDA', password: PASSWORD, roles: ['viewer'] }, 409, 'PERSON_NAME_TAKEN'],
    ['a short password', { name: 'Eve', password: 'short', roles: ['viewer'] }, 400, 'INPUT_INVALID'],
    ['no role', { name: 'Eve', password: PASSWORD, roles: [] }, 400, 'INPUT_INVALID'],
    ['an unknown role', { name: 'Eve', password: PASSWORD, roles: ['root'] }, 400, 'INPUT_INVALID'],
    ['a name of no visible character', { name: ' ', password: PASSWORD, roles: ['viewer'] }, 400, 'INPUT_INVALID'],
  ])('are not added with %s', async (_case, body, status, code) => {
    const answer = await owner.send('POST', '/api/people', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect((await people()).items).toHaveLength(1);
  });

  it('are for administrators only', async () => {
    const { http } = await api.person(owner, 'Olga', ['operator', 'approver']);
    for (const [method, path] of [
      ['GET', '/api/people'],
      ['POST', '/api/people'],
      ['PATCH', `/api/people/${ownerId}`],
    ] as const) {
      const answer = await http.send(method, path, method === 'GET' ? undefined : {});
      expect([answer.status, answer.body.error.details]).toEqual([403, { scope: 'admin' }]);
    }
  });

  it('get and lose rights at once, on the session they have', async () => {
    const { info, http } = await api.person(owner, 'Olga', ['viewer']);
    expect((await change(owner, info.id, { roles: ['operator'] })).body).toMatchObject({ roles: ['operator'] });
    expect((await me(http))?.scopes).toContain('terminal:plan');
    await change(owner, info.id, { roles: ['viewer'] });
    expect((await me(http))?.scopes).not.toContain('terminal:plan');
  });

  verifies('auth:revoked-at-once', 'a person', async () => {
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    const secret = await tokenOfPerson(http);
    expect((await change(owner, info.id, { disabled: true })).body.disabledAt).toBe(api.clock.now());
    expect(await me(http)).toBeNull();
    expect((await api.caller(secret).send('GET', '/api/tokens')).body.error.code).toBe('CREDENTIALS_INVALID');
    expect((await api.caller().login('Olga')).status).toBe(401);
    // Enabled again, they sign in anew; nothing from before comes back.
    expect((await change(owner, info.id, { disabled: false })).body.disabledAt).toBeNull();
    expect(await me(http)).toBeNull();
    expect((await api.caller(secret).send('GET', '/api/tokens')).status).toBe(401);
    expect((await api.caller().login('Olga')).status).toBe(200);
  });

  verifies('auth:last-admin', async () => {
    for (const body of [{ roles: ['viewer'] }, { disabled: true }]) {
      const { status, body: answered } = await change(owner, ownerId, body);
      expect([status, answered.error.code]).toEqual([409, 'LAST_ADMIN']);
    }
    const { info, http } = await api.person(owner, 'Grace', ['admin']);
    const tries = await Promise.all([change(owner, info.id, { roles: ['viewer'] }), change(http, ownerId, { roles: ['viewer'] })]);
    // The second fails as the last admin, or because it is no admin any more.
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = (await api.db
      .selectFrom('people' as 'events')
      .selectAll()
      .execute()) as unknown as { roles: string }[];
    expect(rows.filter(({ roles }) => roles.includes('admin'))).toHaveLength(1);
  });

  it('that are changed to what they are leave no trace', async () => {
    const feed = api.get(EventFeed);
    const before = feed.head;
    expect((await change(owner, ownerId, { roles: ['admin'], disabled: false })).status).toBe(200);
    expect((await change(owner, ownerId, {})).status).toBe(200);
    expect(feed.head).toBe(before);
  });

  it('that do not exist are not changed', async () => {
    expect((await change(owner, NOBODY, { disabled: true })).body.error.code).toBe('PERSON_NOT_FOUND');
    expect((await change(owner, 'nobody', { disabled: true })).body.error.code).toBe('INPUT_INVALID');
  });

  it('leave a signed receipt and an event of each change, in one transaction', async () => {
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    await tokenOfPerson(http);
    await change(owner, info.id, { roles: ['viewer'], disabled: true });
    const events = await api.get(EventFeed).after(0, 100);
    expect(events.map(({ type }) => type)).toEqual([
      ...['receipt.written', 'person.changed'],
      ...['receipt.written', 'person.changed'],
      ...['receipt.written', 'token.changed'],
      ...['receipt.written', 'person.changed', 'token.changed'],
    ]);
    const { body } = await owner.send<{ items: ReceiptSummary[] }>('GET', '/api/receipts');
    expect(body.items.map(({ kind, summary, requesterName }) => [kind, summary, requesterName])).toEqual([
      ['admin', 'Ada changed the roles of Olga to viewer and disabled Olga', 'Ada'],
      ['admin', 'Olga created the token "bot" with terminal:plan, terminal:execute, receipts:read', 'Olga'],
      ['admin', 'Ada added Olga as operator', 'Ada'],
      ['admin', 'Ada became the first owner through the sign-in link', 'Ada'],
    ]);
    const { body: checks } = await owner.send<{ ok: boolean | null }[]>('POST', `/api/receipts/${body.items[0]?.id}/verify`);
    expect(checks.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
  });

  it('are found by platform with what they may do now, by id and by the sign-in they came with', async () => {
    const directory = api.get(PrincipalDirectory);
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    expect(await directory.find(info.id)).toMatchObject({ kind: 'person', name: 'Olga', roles: ['operator'] });
    expect([await directory.nameOf(info.id), await directory.nameOf(NOBODY)]).toEqual(['Olga', 'unknown']);
    const local = api.get(LocalCallers).localPrincipal();
    expect(local).toMatchObject({ kind: 'local', channel: 'stdio', scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'] });
    expect(local.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await directory.find(local.id)).toEqual(local);
    await change(owner, info.id, { disabled: true });
    expect([await directory.find(info.id), await directory.find(NOBODY)]).toEqual([undefined, undefined]);
    expect(await directory.nameOf(info.id)).toBe('Olga');
    expect(await me(http)).toBeNull();
  });
});
