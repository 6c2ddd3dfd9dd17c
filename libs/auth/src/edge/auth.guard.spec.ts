import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SCOPES, type Principal, type Scope } from '#contracts';
import { Caller, Public, Requires, SignedIn } from '#platform';
import { bootAuth, type AuthApp, type HttpCaller } from '../../../../test/support/auth-app.js';
import { verifies } from '../../../../test/support/verifies.js';
import { LocalCallers } from '../local-callers.js';
import { Tokens } from '../tokens.js';

@Controller('doors')
class DoorsController {
  @Get('public')
  @Public()
  open(): object {
    return { entered: true };
  }

  @Get('signed-in')
  @SignedIn()
  signedIn(@Caller() { id, kind, channel, roles, scopes }: Principal): object {
    return { id, kind, channel, roles, scopes };
  }

  @Get('scoped')
  @Requires('terminal:plan')
  scoped(): object {
    return { entered: true };
  }

  @Post('scoped')
  @Requires('terminal:plan')
  write(): object {
    return { entered: true };
  }

  @Get('silent')
  silent(): object {
    return { entered: true };
  }

  @Get('stream')
  @Requires('terminal:plan')
  stream(@Res() reply: FastifyReply): void {
    reply.hijack();
    reply.raw.end('hijacked');
  }
}

/** A class that is open, with one route that is not. */
@Controller('open')
@Public()
class OpenController {
  @Get()
  all(): object {
    return { entered: true };
  }

  @Get('but-one')
  @Requires('admin')
  one(): object {
    return { entered: true };
  }
}

@Controller('mcp')
class FakeMcpController {
  @Post()
  @SignedIn()
  call(@Caller() { channel }: Principal): object {
    return { channel };
  }
}

let api: AuthApp;
let owner: HttpCaller;
beforeAll(async () => {
  api = await bootAuth({ controllers: [DoorsController, OpenController, FakeMcpController] });
  owner = await api.owner();
});
afterAll(() => api.close());

async function tokenWith(...scopes: readonly Scope[]): Promise<HttpCaller> {
  const by = api.get(LocalCallers).commandLine();
  return api.caller((await api.get(Tokens).create({ by, name: 'agent', personId: null, scopes, expiresAt: null })).secret);
}

describe('the guard', () => {
  verifies('auth:closed-by-default', async () => {
    const callers = {
      nobody: api.caller(),
      wrong: await tokenWith('receipts:read'),
      right: await tokenWith('terminal:plan'),
      everything: await tokenWith(...SCOPES),
      owner,
    };
    const doors = ['doors/public', 'doors/signed-in', 'doors/scoped', 'doors/silent', 'doors/stream', 'open', 'open/but-one'];
    const matrix: Record<string, number[]> = {};
    for (const [who, caller] of Object.entries(callers)) {
      matrix[who] = [];
      for (const door of doors) {
        const { status } = await fetch(`${api.url}/api/${door}`, { headers: headersOf(caller) });
        matrix[who].push(status);
      }
    }
    expect(matrix).toEqual({
      nobody: [200, 401, 401, 401, 401, 200, 401],
      wrong: [200, 200, 403, 403, 403, 200, 403],
      right: [200, 200, 200, 403, 200, 200, 403],
      everything: [200, 200, 200, 403, 200, 200, 200],
      owner: [200, 200, 200, 403, 200, 200, 200],
    });
  });

  it('names the scope that is missing, and what to send, in body and header', async () => {
    const { status, body, headers } = await (await tokenWith('receipts:read')).send('GET', '/api/doors/scoped');
    expect([status, body.error.code, body.error.details]).toEqual([403, 'SCOPE_MISSING', { scope: 'terminal:plan' }]);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="countersign", error="insufficient_scope", scope="terminal:plan"');
  });

  it.each([
    ['nothing', {}, 'AUTH_REQUIRED', 'Bearer realm="countersign"'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'CREDENTIALS_INVALID', 'error="invalid_token"'],
    ['an unknown token', { authorization: `Bearer csn_${'A'.repeat(43)}` }, 'CREDENTIALS_INVALID', 'error="invalid_token"'],
    ['a cookie of nobody', { cookie: `csn_session=${'A'.repeat(43)}` }, 'AUTH_REQUIRED', 'Bearer realm="countersign"'],
    ['a cookie of nonsense', { cookie: 'csn_session=../../etc' }, 'AUTH_REQUIRED', 'Bearer realm="countersign"'],
    ['a token in the address', { 'x-nothing': '1' }, 'AUTH_REQUIRED', 'Bearer realm="countersign"'],
  ])('answers 401 to %s', async (_case, headers, code, challenge) => {
    const { status, body, headers: answered } = await api.caller().send('GET', '/api/doors/scoped?access_token=csn_x', undefined, headers);
    expect([status, body.error.code]).toEqual([401, code]);
    expect(answered.get('www-authenticate')).toContain(challenge);
    expect(answered.get('www-authenticate')).not.toContain('resource_metadata');
  });

  it('does not fall back to the cookie when a wrong token is sent with it', async () => {
    const headers = { authorization: `Bearer csn_${'B'.repeat(43)}` };
    expect((await owner.send('GET', '/api/doors/signed-in', undefined, headers)).status).toBe(401);
    expect((await owner.send('GET', '/api/doors/signed-in')).status).toBe(200);
  });

  it('tells the channel from the door, and lets no cookie through the doors of machines', async () => {
    const agent = await tokenWith('terminal:plan');
    expect((await agent.send('GET', '/api/doors/signed-in')).body).toMatchObject({ kind: 'token', channel: 'rest', roles: [] });
    expect((await agent.send('POST', '/mcp', {})).body).toEqual({ channel: 'mcp' });
    expect((await owner.send('GET', '/api/doors/signed-in')).body).toMatchObject({ kind: 'person', channel: 'console', roles: ['admin'] });
    expect((await owner.send('POST', '/mcp', {})).status).toBe(401);
  });

  it('asks nothing of the database for a credential that it has just seen', async () => {
    const agent = await tokenWith('terminal:plan');
    await agent.send('GET', '/api/doors/scoped');
    const getExecutor = api.db.getExecutor.bind(api.db);
    let asked = 0;
    api.db.getExecutor = () => {
      asked += 1;
      return getExecutor();
    };
    for (let index = 0; index < 20; index += 1) await agent.send('GET', '/api/doors/scoped');
    api.db.getExecutor = getExecutor;
    expect(asked).toBe(0);
  });
});

describe('the CSRF token', () => {
  verifies('auth:csrf', async () => {
    const other = api.caller();
    await other.login('Ada');
    const csrfOf = (csrf: string) => owner.send('POST', '/api/doors/scoped', {}, { 'x-csrf-token': csrf });
    expect((await csrfOf(owner.csrf)).status).toBe(201);
    for (const wrong of ['', 'x', other.csrf, owner.csrf.slice(1), owner.cookie]) {
      const { status, body } = await csrfOf(wrong);
      expect([status, body.error.code]).toEqual([403, 'CSRF_INVALID']);
    }
    const { cookie } = owner;
    const without = await fetch(`${api.url}/api/doors/scoped`, { method: 'POST', headers: { cookie } });
    expect(without.status).toBe(403);
  });

  it('is not asked of tokens, nor of reading', async () => {
    expect((await (await tokenWith('terminal:plan')).send('POST', '/api/doors/scoped', {})).status).toBe(201);
    expect((await owner.send('GET', '/api/doors/scoped', undefined, { 'x-csrf-token': '' })).status).toBe(200);
  });
});

function headersOf({ bearer, cookie }: HttpCaller): Record<string, string> {
  return { ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }), ...(cookie === '' ? {} : { cookie }) };
}
