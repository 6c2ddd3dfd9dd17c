import type { AuditEntry, AuthState, Page } from '#contracts';
import { bootAuth, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { toCsvLine } from './core/audit-lines.js';

describe.each(engines)('the audit of administration on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeAll(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    api.clock.at += 1_000;
    await owner.send('PATCH', `/api/people/${info.id}`, {
      roles: ['viewer'],
      workspaceRoles: { '01920000-0000-7000-8000-0000000000aa': ['approver'] },
    });
    const { body } = await http.send<{ token: { id: string } }>('POST', '/api/tokens', { name: 'bot, "one"', scopes: ['receipts:read'] });
    await http.send('DELETE', `/api/tokens/${body.token.id}`);
  }, 30_000);
  afterAll(() => api.close());

  const read = async (query = '') => (await owner.send<Page<AuditEntry>>('GET', `/api/audit${query}`)).body;

  verifies('auth:audit', async () => {
    const { items } = await read();
    expect(items.map(({ action, byName }) => [action, byName])).toEqual([
      ['token.revoked', 'Olga'],
      ['token.created', 'Olga'],
      ['person.changed', 'Ada'],
      ['person.created', 'Ada'],
      ['owner.created', 'Ada'],
    ]);
    expect(items[2]).toMatchObject({
      before: { roles: ['operator'], workspace_roles: {}, disabled: false },
      after: { roles: ['viewer'], workspace_roles: { '01920000-0000-7000-8000-0000000000aa': ['approver'] } },
      details: { name: 'Olga' },
    });
    expect(items[1]).toMatchObject({ before: null, after: { scopes: ['receipts:read'], workspaces: null } });
    // The receipt of the change is the same record.
    const file = await owner.send<{ evidence: { details: { action: string } } }>('GET', `/api/receipts/${items[2]?.receiptId ?? ''}`);
    expect(file.body.evidence.details.action).toBe('person.changed');
  });

  it('is filtered by words, person, action and time, in pages', async () => {
    const me = (await owner.send<AuthState>('GET', '/api/auth/state')).body.me;
    const actions = async (query: string) => (await read(query)).items.map(({ action }) => action);
    expect(await actions(`?by=${me?.id ?? ''}`)).toEqual(['person.changed', 'person.created', 'owner.created']);
    expect(await actions('?action=token.')).toEqual(['token.revoked', 'token.created']);
    expect(await actions('?q=revoked')).toEqual(['token.revoked']);
    expect(await actions(`?to=${api.clock.now()}`)).toEqual(['person.created', 'owner.created']);
    const first = await read('?limit=2&action=person.');
    expect([first.items.length, (await read(`?action=person.&before=${first.next ?? ''}`)).items]).toEqual([2, []]);
    const page = await read('?limit=3');
    expect((await read(`?limit=3&before=${page.next ?? ''}`)).items.map(({ action }) => action)).toEqual([
      'person.created',
      'owner.created',
    ]);
  });

  it('is exported as a table and as lines of JSON', async () => {
    const get = (format: string) =>
      fetch(`${api.url}/api/audit/export?format=${format}&action=token.`, { headers: { cookie: owner.cookie } });
    const [csv, jsonl] = await Promise.all([get('csv'), get('jsonl')]);
    expect([csv.headers.get('content-type'), jsonl.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="countersign-audit.jsonl"',
    ]);
    const rows = (await csv.text()).trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain('"Olga revoked the token ""bot, ""one"""""');
    const lines = (await jsonl.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEntry).action)).toEqual(['token.revoked', 'token.created']);
  });

  it('is for administrators only', async () => {
    const { http } = await api.person(owner, 'Eve', ['operator', 'approver']);
    expect([(await http.send('GET', '/api/audit')).status, (await http.send('GET', '/api/audit/export')).status]).toEqual([403, 403]);
  });
});

it('holds no formula that a table would carry out', () => {
  const entry: AuditEntry = {
    receiptId: 'r',
    index: 1,
    at: 0,
    byId: '',
    byName: '=HYPERLINK("http://evil")',
    channel: 'console',
    action: 'person.created',
    summary: '@sum',
    before: null,
    after: null,
    details: {},
  };
  expect(toCsvLine(entry)).toBe('1970-01-01T00:00:00.000Z,person.created,"\'=HYPERLINK(""http://evil"")",,console,\'@sum,,,{},r,1\r\n');
});
