import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import type { AuthState, PersonInfo, Role } from '#contracts';
import { AuthModule, authMigrations, FirstOwner } from '#auth';
import { AppLog, Clock, configureHttp, Database, httpAdapter, listen, PlatformConfig, PlatformEnv, PlatformModule } from '#platform';
import { ReceiptsModule, receiptsMigrations } from '#receipts';
import { TestClock } from './clock.js';
import { engines, type Open } from './engines.js';

export const PASSWORD = 'nine green bottles';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A caller over HTTP: a browser that keeps its cookie and sends the CSRF token, or a program with a bearer token. */
export class HttpCaller {
  cookie = '';
  csrf = '';

  constructor(
    readonly url: string,
    readonly bearer?: string,
  ) {}

  async send<T = { error: { code: string; message: string; details: Record<string, unknown> } }>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.bearer === undefined ? {} : { authorization: `Bearer ${this.bearer}` }),
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(this.csrf === '' ? {} : { 'x-csrf-token': this.csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? '';
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  async login(name: string, password = PASSWORD): Promise<Answer<AuthState>> {
    return this.#keep(await this.send<AuthState>('POST', '/api/auth/login', { name, password }));
  }

  async welcome(token: string, name = 'Ada', password = PASSWORD): Promise<Answer<AuthState>> {
    return this.#keep(await this.send<AuthState>('POST', '/api/auth/welcome', { token, name, password }));
  }

  #keep(answer: Answer<AuthState>): Answer<AuthState> {
    if (answer.status === 200) this.csrf = answer.body.csrfToken ?? '';
    return answer;
  }
}

export interface AuthApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly clock: TestClock;
  readonly db: Database;
  /** Every log line as it is before the redaction of the log. */
  readonly logs: string[];
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
  caller(bearer?: string): HttpCaller;
  /** The first owner, signed in. */
  owner(): Promise<HttpCaller>;
  /** Somebody else, made by the owner and signed in. */
  person(owner: HttpCaller, name: string, roles: readonly Role[]): Promise<{ readonly info: PersonInfo; readonly http: HttpCaller }>;
  close(): Promise<void>;
}

export interface AuthAppOptions {
  readonly open?: Open;
  readonly env?: Record<string, unknown>;
  readonly controllers?: readonly Type[];
}

/** Platform, receipts and auth on a real socket, with time that the test moves. */
export async function bootAuth({ open = engines[0]?.[1], env = {}, controllers = [] }: AuthAppOptions = {}): Promise<AuthApp> {
  if (!open) throw new Error('There is no database engine');
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-auth-'));
  const config = new PlatformConfig(PlatformEnv.parse({ PORT: '0', COUNTERSIGN_DATA: dataDir, LOG_LEVEL: 'trace', ...env }));
  const db = await open(receiptsMigrations, authMigrations);
  const clock = new TestClock(1_800_000_000_000);
  const logs: string[] = [];
  const module = await Test.createTestingModule({
    imports: [PlatformModule.forRoot({ migrations: [], config }), ReceiptsModule, AuthModule],
    controllers: [...controllers],
  })
    .overrideProvider(Database)
    .useValue(db)
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(AppLog)
    .useValue(captureLog(logs))
    .compile();
  const app = module.createNestApplication<NestFastifyApplication>(httpAdapter(config));
  await configureHttp(app);
  await listen(app);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`; // also when PUBLIC_URL names another
  const get = <T>(token: Type<T> | (abstract new (...args: never[]) => T)): T => app.get(token, { strict: false });
  const caller = (bearer?: string): HttpCaller => new HttpCaller(url, bearer);
  return {
    app,
    url,
    clock,
    db,
    logs,
    get,
    caller,
    owner: async () => {
      const http = caller();
      const answer = await http.welcome(tokenOf((await get(FirstOwner).invite())?.url));
      if (answer.status !== 200) throw new Error(`No owner: ${JSON.stringify(answer.body)}`);
      return http;
    },
    person: async (owner, name, roles) => {
      const created = await owner.send<PersonInfo>('POST', '/api/people', { name, password: PASSWORD, roles });
      if (created.status !== 201) throw new Error(`No person: ${JSON.stringify(created.body)}`);
      const http = caller();
      await http.login(name);
      return { info: created.body, http };
    },
    close: async () => {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The secret of a welcome link. */
export function tokenOf(link: string | undefined): string {
  return link?.split('#token=')[1] ?? 'none';
}

function captureLog(logs: string[]): object {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) });
  const write = (message: unknown, ...rest: readonly unknown[]): void => log.info({ rest: rest.map(String) }, String(message));
  return { pino: log, log: write, error: write, warn: write, debug: write, verbose: write, fatal: write };
}
