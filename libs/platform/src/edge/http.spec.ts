import { request } from 'node:http';
import { Body, Controller, Get, HttpException, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { bootPlatform, type PlatformApp } from '../../../../test/support/platform-app.js';
import { verifies } from '../../../../test/support/verifies.js';
import { AppError } from '../app-error.js';
import { BodyLimit } from './route-limits.js';
import { Public, Requires, SignedIn } from './doors.js';

class InnerDto {
  @IsInt()
  readonly count!: number;
}

class EchoDto {
  @IsString()
  readonly word!: string;

  @ValidateNested()
  @Type(() => InnerDto)
  readonly inner?: InnerDto;
}

@Controller('things')
class ThingsController {
  @Get()
  @Public()
  open(): object {
    return { ok: true };
  }

  @Get('closed')
  closed(): object {
    return { ok: true };
  }

  @Get('scoped')
  @Requires('admin')
  scoped(): object {
    return { ok: true };
  }

  @Get('by/:id')
  @Public()
  byId(@Param('id', ParseUUIDPipe) id: string): object {
    return { id };
  }

  @Post('echo')
  @SignedIn()
  echo(@Body() { word }: EchoDto): object {
    return { word };
  }

  @Post('large')
  @Public()
  @BodyLimit(262_144)
  large(@Body() body: { readonly text: string }): object {
    return { length: body.text.length };
  }

  @Post('full')
  @Public()
  full(): object {
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  }

  @Post('bug')
  @Public()
  bug(): object {
    throw new Error('secret detail');
  }

  @Post('teapot')
  @Public()
  teapot(): object {
    throw new HttpException('brewing', 418);
  }

  @Post('refuse')
  @Public()
  refuse(): object {
    throw new AppError('PLAN_STALE', 'The file changed', { path: 'a.txt' });
  }
}

let api: PlatformApp;
beforeAll(async () => {
  api = await bootPlatform({ ALLOWED_ORIGINS: 'https://friend.example' }, [ThingsController]);
});
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** `fetch` forbids setting Host and Origin; this does not. */
function send(method: string, path: string, headers: Record<string, string> = {}, body = '', port = api.port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { host: `localhost:${port}`, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = JSON_TYPE) => send('POST', path, headers, body);
const codeOf = ({ body }: Answer) => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('errors over HTTP', () => {
  it.each([
    ['an AppError', () => post('/api/things/refuse', '{}'), 409, 'PLAN_STALE'],
    ['an unknown route', () => send('GET', '/api/nothing'), 404, 'ROUTE_NOT_FOUND'],
    ['malformed JSON', () => post('/api/things/refuse', '{"a":'), 400, 'JSON_INVALID'],
    ['an empty JSON body', () => post('/api/things/refuse', ''), 400, 'JSON_INVALID'],
    ['a forbidden key', () => post('/api/things/refuse', '{"__proto__":{"x":1}}'), 400, 'JSON_INVALID'],
    [
      'a form',
      () => post('/api/things/refuse', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'CONTENT_TYPE_UNSUPPORTED',
    ],
    ['plain text', () => post('/api/things/refuse', '{}', { 'content-type': 'text/plain' }), 415, 'CONTENT_TYPE_UNSUPPORTED'],
    ['a body without a type', () => post('/api/things/refuse', '{}', {}), 415, 'CONTENT_TYPE_UNSUPPORTED'],
    ['a body over the limit', () => post('/api/things/refuse', `"${'x'.repeat(70_000)}"`), 413, 'BODY_TOO_LARGE'],
    ['a bad id', () => send('GET', '/api/things/by/7'), 400, 'INPUT_INVALID'],
    ['an unknown method', () => send('DELETE', '/api/things'), 404, 'ROUTE_NOT_FOUND'],
    ['a path that cannot be decoded', () => send('GET', '/api/%E0%A4%A'), 400, 'INPUT_INVALID'],
    ['a full disk', () => post('/api/things/full', '{}'), 507, 'STORAGE_FULL'],
    ['another status of the framework', () => post('/api/things/teapot', '{}'), 400, 'INPUT_INVALID'],
    ['a bug', () => post('/api/things/bug', '{}'), 500, 'INTERNAL'],
    ['no credential', () => post('/api/things/echo', '{}'), 401, 'AUTH_REQUIRED'],
    ['a missing scope', () => send('GET', '/api/things/scoped', { authorization: 'Bearer alice' }), 403, 'SCOPE_MISSING'],
    ['a route without a door', () => send('GET', '/api/things/closed', { authorization: 'Bearer root' }), 403, 'SCOPE_MISSING'],
  ])('answers %s with its code', async (_name, call, status, code) => {
    const answer = await call();
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('says nothing about a bug', async () => {
    expect((await post('/api/things/bug', '{}')).body).not.toContain('secret');
  });

  it('names paths and rules of a bad body, never its values', async () => {
    const { body } = await post('/api/things/echo', '{"word":7,"inner":{"count":"hunter2"},"extra":"hunter2"}', {
      ...JSON_TYPE,
      authorization: 'Bearer alice',
    });
    expect(JSON.parse(body)).toMatchObject({
      error: {
        code: 'INPUT_INVALID',
        retry: 'after_change',
        details: {
          issues: expect.arrayContaining([
            { path: 'word', rules: ['isString'] },
            { path: 'inner.count', rules: ['isInt'] },
            { path: 'extra', rules: ['whitelistValidation'] },
          ]) as unknown,
        },
      },
    });
    expect(body).not.toContain('hunter2');
  });

  it('takes more on a route that says so, and no more than that', async () => {
    expect((await post('/api/things/large', JSON.stringify({ text: 'x'.repeat(200_000) }))).body).toBe('{"length":200000}');
    expect((await post('/api/things/large', JSON.stringify({ text: 'x'.repeat(300_000) }))).status).toBe(413);
  });

  it('says how to authenticate', async () => {
    expect((await post('/api/things/echo', '{}')).headers['www-authenticate']).toBe('Bearer');
  });
});

describe('Host and Origin', () => {
  const hosts = (host: string) => send('GET', '/api/things', { host });

  verifies('http:host-allow-list', async () => {
    expect((await hosts(`localhost:${api.port}`)).status).toBe(200);
    for (const host of ['evil.example', 'localhost', `localhost:${api.port + 1}`, `localhost:${api.port}.evil.example`]) {
      const answer = await hosts(host);
      expect([host, answer.status, codeOf(answer)]).toEqual([host, 403, 'HOST_NOT_ALLOWED']);
    }
    const stream = await send('GET', '/api/events', { authorization: 'Bearer root', origin: 'https://evil.example' });
    expect([stream.status, codeOf(stream)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });

  it('refuses before it looks at the credential, the route or the body', async () => {
    const answer = await send('POST', '/api/nothing', { ...JSON_TYPE, origin: 'https://evil.example' }, '{"a":');
    expect(codeOf(answer)).toBe('ORIGIN_NOT_ALLOWED');
    expect((await send('GET', '/api/things', { origin: 'null' })).status).toBe(403);
  });

  it('lets exactly the listed origins call', async () => {
    const answer = await send('GET', '/api/things', { origin: 'https://friend.example' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://friend.example']);
    const asked = {
      origin: 'https://friend.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    expect((await send('OPTIONS', '/api/things', asked)).status).toBe(204);
    expect((await send('OPTIONS', '/api/things', { ...asked, origin: 'https://friend.example.evil' })).status).toBe(403);
    expect((await send('GET', '/api/things', { origin: `http://localhost:${api.port}` })).status).toBe(200);
  });
});

describe('headers', () => {
  it('allows pages no inline script, no frame and no other host', async () => {
    const { headers } = await send('GET', '/asks/1');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' });
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('lets nothing in an answer run, and keeps it out of caches', async () => {
    for (const path of ['/api/things', '/health']) {
      const { headers } = await send('GET', path);
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it('puts them on refusals too', async () => {
    const { headers } = await send('GET', '/api/nothing', { host: 'evil.example' });
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('echoes a plain request id and replaces any other', async () => {
    expect((await send('GET', '/api/things', { 'x-request-id': 'abc-1' })).headers['x-request-id']).toBe('abc-1');
    expect((await send('GET', '/api/things', { 'x-request-id': 'a b' })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('operations', () => {
  it('lives and is ready without a credential', async () => {
    expect(JSON.parse((await send('GET', '/health')).body)).toMatchObject({ status: 'ok', version: /\d/ });
    expect(JSON.parse((await send('GET', '/ready')).body)).toEqual({ ready: true, checks: { database: 'ok' } });
  });

  it('shows metrics to admins', async () => {
    expect((await send('GET', '/metrics')).status).toBe(401);
    const { body } = await send('GET', '/metrics', { authorization: 'Bearer root' });
    expect(body).toContain('countersign_http_request_seconds_bucket');
    expect(body).toContain('process_cpu_seconds_total');
  });
});

describe('rate limit', () => {
  it('counts a principal apart from the address it calls from', async () => {
    const small = await bootPlatform({ RATE_LIMIT_PER_MINUTE: '5' }, [ThingsController]);
    const get = (headers = {}) => send('GET', '/api/things/scoped', headers, '', small.port);
    const statuses = async (headers = {}) => {
      const all = [];
      for (let n = 0; n < 6; n += 1) all.push((await get(headers)).status);
      return all;
    };
    try {
      // The first call counts for the address, because the credential is not known to be good yet.
      expect(await statuses({ authorization: 'Bearer root' })).toEqual([200, 200, 200, 200, 200, 200]);
      const over = await get({ authorization: 'Bearer root' });
      expect([over.status, codeOf(over)]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
      expect(await statuses({ authorization: 'Bearer guess' })).toEqual([401, 401, 401, 401, 429, 429]);
      expect((await get({ authorization: 'Bearer another-guess' })).status).toBe(429);
    } finally {
      await small.close();
    }
  });
});

describe('behind a prefix', () => {
  it('answers with and without it', async () => {
    const prefixed = await bootPlatform({ PUBLIC_URL: 'https://ops.example/sign' }, [ThingsController]);
    const get = (path: string, host: string) => send('GET', path, { host }, '', prefixed.port);
    try {
      expect((await get('/sign/api/things', 'ops.example')).status).toBe(200);
      expect((await get('/api/things?x=1', 'ops.example:443')).status).toBe(200);
      expect((await get('/sign/health', 'ops.example')).headers['strict-transport-security']).toBeDefined();
      expect((await get('/signapi/things', 'ops.example')).status).toBe(404);
      expect(prefixed.url).toBe('https://ops.example/sign');
    } finally {
      await prefixed.close();
    }
  });
});
