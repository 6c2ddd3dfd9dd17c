import type { AccountLink, AuthState, InviteInfo, LinkPurpose, PersonInfo, SignInInfo } from '#contracts';
import { bootAuth, PASSWORD, tokenOf, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { EventReader } from '../../../test/support/event-source.js';
import { verifies } from '../../../test/support/verifies.js';
import { Passwords } from './passwords.js';

const HOUR = 3_600_000;
const PLACE = '01920000-0000-7000-8000-0000000000aa';
const NEW_PASSWORD = 'ten brown bottles';

type Failed = { readonly error: { readonly code: string } };

describe.each(engines)('links to accounts on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeEach(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
  }, 30_000);
  afterEach(() => api.close());

  const invite = async (body: object = { roles: ['operator'] }, by = owner) =>
    by.send<AccountLink & Failed>('POST', '/api/people/invites', body);
  const accept = async (link: string, name = 'Grace', http = api.caller()) => {
    const answer = await http.send<AuthState & Failed>('POST', '/api/auth/invite', { token: tokenOf(link), name, password: PASSWORD });
    http.csrf = answer.body.csrfToken ?? '';
    return { ...answer, http };
  };
  const invites = async () => (await owner.send<{ items: InviteInfo[] }>('GET', '/api/people/invites')).body.items;
  const purpose = async (link: string) =>
    (await api.caller().send<LinkPurpose & Failed>('POST', '/api/auth/link', { token: tokenOf(link) })).body;

  it('invite somebody who sets name and password and is signed in, with the roles of the invitation', async () => {
    const { status, body } = await invite({ roles: ['viewer'], workspaceRoles: { [PLACE]: ['approver'] }, note: 'Grace of operations' });
    expect([status, body.expiresAt]).toEqual([201, api.clock.now() + 72 * HOUR]);
    expect(body.url).toMatch(/\/invite#token=[A-Za-z0-9_-]{43}$/);
    expect(await invites()).toMatchObject([{ id: body.id, note: 'Grace of operations', createdByName: 'Ada', roles: ['viewer'] }]);
    expect(JSON.stringify(await invites())).not.toContain(tokenOf(body.url));
    expect(await purpose(body.url)).toMatchObject({ kind: 'invite', name: null, roles: ['viewer', 'approver'] });
    const grace = await accept(body.url);
    expect(grace.body.me).toMatchObject({
      name: 'Grace',
      roles: ['viewer'],
      workspaceScopes: { [PLACE]: expect.arrayContaining(['approvals:decide']) as string[] },
    });
    expect(await invites()).toEqual([]);
    expect((await api.caller().login('Grace')).status).toBe(200);
  });

  it('work once, however many follow one at the same time', async () => {
    const { url } = (await invite()).body;
    const tries = await Promise.all(['A', 'B', 'C', 'D'].map((name) => accept(url, name)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
    const { items } = (await owner.send<{ items: PersonInfo[] }>('GET', '/api/people')).body;
    expect(items).toHaveLength(2);
  });

  it('survive a name that is taken', async () => {
    const { url } = (await invite()).body;
    expect((await accept(url, 'aDA')).body.error.code).toBe('PERSON_NAME_TAKEN');
    expect((await accept(url)).status).toBe(200);
  });

  it('end with their time, when they are taken back, and with the role of who made them', async () => {
    const { url, id } = (await invite({ roles: ['viewer'], expiresInHours: 1 })).body;
    expect((await owner.send('DELETE', `/api/people/invites/${id}`)).status).toBe(204);
    expect((await owner.send('DELETE', `/api/people/invites/${id}`)).body.error.code).toBe('LINK_NOT_FOUND');
    const late = (await invite({ roles: ['viewer'], expiresInHours: 1 })).body.url;
    const { info, http } = await api.person(owner, 'Root', ['admin']);
    const ofRoot = (await invite({ roles: ['admin'] }, http)).body.url;
    await owner.send('PATCH', `/api/people/${info.id}`, { roles: ['viewer'] });
    api.clock.at += HOUR;
    for (const link of [url, late, ofRoot]) {
      expect((await purpose(link)).error.code).toBe('LINK_INVALID');
      expect((await accept(link)).body.error.code).toBe('LINK_INVALID');
    }
  });

  it('are made by administrators only, with roles that exist', async () => {
    const { http } = await api.person(owner, 'Olga', ['operator', 'approver']);
    expect((await invite({ roles: ['admin'] }, http)).body.error.code).toBe('SCOPE_MISSING');
    for (const body of [
      { roles: [] },
      { roles: ['root'] },
      { roles: [], workspaceRoles: { nowhere: ['viewer'] } },
      { roles: ['viewer'], workspaceRoles: [] },
    ]) {
      expect((await invite(body)).body.error.code).toBe('INPUT_INVALID');
    }
  });

  it('give somebody a new password, end their sessions and then themselves', async () => {
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    const first = (await owner.send<AccountLink>('POST', `/api/people/${info.id}/reset-link`)).body.url;
    const second = (await owner.send<AccountLink>('POST', `/api/people/${info.id}/reset-link`)).body.url;
    expect(second).toMatch(/\/reset#token=[A-Za-z0-9_-]{43}$/);
    expect(await purpose(second)).toMatchObject({ kind: 'reset', name: 'Olga' });
    const use = (url: string) => api.caller().send('POST', '/api/auth/reset', { token: tokenOf(url), password: NEW_PASSWORD });
    expect((await use(first)).body.error.code).toBe('LINK_INVALID');
    expect((await Promise.all([use(second), use(second)])).map(({ status }) => status).sort()).toEqual([204, 410]);
    expect((await http.send('GET', '/api/auth/sessions')).status).toBe(401);
    expect([(await api.caller().login('Olga')).status, (await api.caller().login('Olga', NEW_PASSWORD)).status]).toEqual([401, 200]);
  });

  it('leave no way in for a sign-in that looked at the old password meanwhile', async () => {
    const { info } = await api.person(owner, 'Olga', ['operator']);
    const { url } = (await owner.send<AccountLink>('POST', `/api/people/${info.id}/reset-link`)).body;
    const passwords = api.get(Passwords);
    const look = passwords.fits.bind(passwords);
    let isFirst = true;
    passwords.fits = async (password, hash) => {
      const fits = await look(password, hash);
      if (isFirst) {
        isFirst = false;
        await api.caller().send('POST', '/api/auth/reset', { token: tokenOf(url), password: NEW_PASSWORD });
      }
      return fits;
    };
    expect((await api.caller().login('Olga')).status).toBe(401);
  });

  it('never reset one’s own password, nor that of somebody who is disabled', async () => {
    const me = (await owner.send<AuthState>('GET', '/api/auth/state')).body.me;
    expect((await owner.send('POST', `/api/people/${me?.id ?? ''}/reset-link`)).body.error.code).toBe('INPUT_INVALID');
    const { info } = await api.person(owner, 'Olga', ['operator']);
    const { url } = (await owner.send<AccountLink>('POST', `/api/people/${info.id}/reset-link`)).body;
    await owner.send('PATCH', `/api/people/${info.id}`, { disabled: true });
    expect((await owner.send('POST', `/api/people/${info.id}/reset-link`)).body.error.code).toBe('PERSON_NOT_FOUND');
    await owner.send('PATCH', `/api/people/${info.id}`, { disabled: false });
    expect((await purpose(url)).error.code).toBe('LINK_INVALID');
  });

  verifies('auth:no-secret-in-logs', 'of invitations and resets', async () => {
    const { url } = (await invite()).body;
    await accept(url);
    const logs = api.logs.join('\n');
    for (const secret of [tokenOf(url), PASSWORD]) expect(logs).not.toContain(secret);
  });

  describe('sign-ins of a person', () => {
    const list = async (http: HttpCaller) => (await http.send<{ items: SignInInfo[] }>('GET', '/api/auth/sessions')).body.items;

    it('are listed with device, address and times, and end one by one, with their streams', async () => {
      const { http: phone } = await api.person(owner, 'Olga', ['operator']);
      api.clock.at += 1_000;
      const laptop = api.caller();
      await laptop.login('Olga');
      const [newest, oldest] = await list(laptop);
      expect([newest?.isThis, oldest?.isThis]).toEqual([true, false]);
      expect(newest).toMatchObject({ device: expect.any(String) as string, address: '127.0.0.1', createdAt: api.clock.now() });
      const watched = await EventReader.open(`${api.url}/api/events`, { cookie: phone.cookie });
      expect((await laptop.send('DELETE', `/api/auth/sessions/${oldest?.id ?? ''}`)).status).toBe(204);
      await watched.ended;
      expect((await phone.send('GET', '/api/auth/sessions')).status).toBe(401);
      expect(await list(laptop)).toHaveLength(1);
    });

    it('end all but one’s own, and a stranger’s look like none', async () => {
      const { http: phone } = await api.person(owner, 'Olga', ['operator']);
      const laptop = api.caller();
      await laptop.login('Olga');
      const foreign = (await list(owner))[0]?.id ?? '';
      expect((await laptop.send('DELETE', `/api/auth/sessions/${foreign}`)).body.error.code).toBe('SIGN_IN_NOT_FOUND');
      expect((await laptop.send('POST', '/api/auth/sessions/end-others')).status).toBe(204);
      expect([(await phone.send('GET', '/api/auth/sessions')).status, (await list(laptop)).length, (await list(owner)).length]).toEqual([
        401, 1, 1,
      ]);
    });
  });
});
