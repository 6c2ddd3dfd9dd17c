import { PlatformEnv } from './core/settings.js';
import { PlatformConfig } from './platform.config.js';
import { readConfig } from './read-config.js';
import { ConfigError } from './start-error.js';
import { verifies } from '../../../test/support/verifies.js';

const before = { ...process.env };
afterEach(() => {
  for (const key of Object.keys(PlatformEnv.shape)) {
    if (before[key] === undefined) Reflect.deleteProperty(process.env, key);
    else process.env[key] = before[key];
  }
});

const config = (env: Record<string, string>) => new PlatformConfig(PlatformEnv.parse(env));

verifies('config:names-the-key', async () => {
  const bad = {
    PORT: 'hunter2',
    HOST: undefined,
    PUBLIC_URL: 'ftp://hunter2',
    BASE_PATH: 'hunter2',
    ALLOWED_ORIGINS: 'https://a.example/hunter2',
    TRUST_PROXY: 'hunter2!',
    DATABASE_URL: 'mysql://hunter2',
    MAX_REQUEST_BYTES: '-1',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'hunter2',
  };
  for (const [key, value] of Object.entries(bad)) {
    if (value === undefined) continue;
    process.env[key] = value;
    const thrown = catchError(() => readConfig(PlatformEnv));
    Reflect.deleteProperty(process.env, key);
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(thrown).toMatchObject({ keys: [key], message: expect.stringContaining(key) as unknown });
    expect((thrown as Error).message).not.toContain('hunter2');
  }
  await Promise.resolve();
});

it('has safe defaults, and takes an empty value for none', () => {
  process.env['PORT'] = '';
  expect(readConfig(PlatformEnv)).toMatchObject({ HOST: '127.0.0.1', PORT: 7_300, MAX_REQUEST_BYTES: 65_536, TRUST_PROXY: false });
});

it.each([
  [{}, 'http://127.0.0.1:7300'],
  [{ HOST: '0.0.0.0' }, 'http://localhost:7300'],
  [{ HOST: '::1', PORT: '80' }, 'http://[::1]:80'],
  [{ BASE_PATH: '/sign/' }, 'http://127.0.0.1:7300/sign'],
  [{ PUBLIC_URL: 'https://ops.example/' }, 'https://ops.example'],
  [{ PUBLIC_URL: 'https://ops.example/sign/' }, 'https://ops.example/sign'],
  [{ PUBLIC_URL: 'https://ops.example', BASE_PATH: '/sign' }, 'https://ops.example/sign'],
])('gives the public address of %j', (env, publicUrl) => {
  expect(config(env).publicUrl).toBe(publicUrl);
});

it('refuses two prefixes', () => {
  expect(() => config({ PUBLIC_URL: 'https://ops.example/a', BASE_PATH: '/b' })).toThrow(ConfigError);
});

it.each([
  ['true', true],
  ['no', false],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8, 127.0.0.1', '10.0.0.0/8, 127.0.0.1'],
])('reads TRUST_PROXY %s as %j', (text, value) => {
  expect(config({ TRUST_PROXY: text }).trustProxy).toBe(value);
});

it('reads origins exactly', () => {
  expect(config({ ALLOWED_ORIGINS: 'https://a.example, http://localhost:4200' }).allowedOrigins).toEqual([
    'https://a.example',
    'http://localhost:4200',
  ]);
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
