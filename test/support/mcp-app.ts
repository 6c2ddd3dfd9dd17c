import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CanActivate, ExecutionContext, Provider, Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { AGENT_SCOPES, SCOPES, type Principal, type PrincipalId } from '#contracts';
import { McpModule, mcpMigrations } from '#mcp';
import {
  AppError,
  AppLog,
  attachPrincipal,
  Clock,
  configureHttp,
  doorOf,
  httpAdapter,
  listen,
  PlatformConfig,
  PlatformEnv,
  PlatformModule,
  PrincipalDirectory,
} from '#platform';
import { aPrincipal, FakeDirectory } from './platform-app.js';

export const ALICE = aPrincipal({ id: 'alice' as PrincipalId, kind: 'token', name: 'Alice', scopes: [...AGENT_SCOPES], channel: 'mcp' });
export const BOB = aPrincipal({ id: 'bob' as PrincipalId, kind: 'token', name: 'Bob', scopes: [...AGENT_SCOPES], channel: 'mcp' });
export const READER = aPrincipal({ id: 'reader' as PrincipalId, kind: 'token', name: 'Reader', scopes: ['receipts:read'], channel: 'mcp' });
export const ROOT = aPrincipal({ id: 'root' as PrincipalId, kind: 'token', name: 'Root', scopes: [...SCOPES], channel: 'mcp' });

/** Stands in for the guard of auth: the bearer token is the principal's id. */
class TokenGuard implements CanActivate {
  constructor(private readonly directory: FakeDirectory) {}

  canActivate(context: ExecutionContext): boolean {
    const door = doorOf(context);
    if (door?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = this.directory.known.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (principal) attachPrincipal(request, principal);
    else {
      void context.switchToHttp().getResponse<FastifyReply>().header('www-authenticate', 'Bearer');
      throw new AppError('AUTH_REQUIRED', 'Send a token');
    }
    return door !== undefined;
  }
}

export interface McpApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly directory: FakeDirectory;
  readonly clock: MovedClock;
  /** Every finished log line. */
  readonly logs: string[];
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
  /** One raw request to an address of the protocol. */
  send(body: unknown, options?: SendOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

export const MODERN = '2026-07-28';

/** A modern message as it stands in a body. */
export function modern(method: string, params: Record<string, unknown> = {}, id: string | number = 1): Record<string, unknown> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    ...(params['_meta'] as object | undefined),
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

/** The headers that belong to a modern message. */
export function headersOf({ method, params }: Record<string, unknown>): Record<string, string> {
  const { name, uri } = params as { name?: string; uri?: string };
  const target = name ?? uri;
  return { 'mcp-protocol-version': MODERN, 'mcp-method': String(method), ...(target !== undefined && { 'mcp-name': target }) };
}

/** Time that a test moves. */
export class MovedClock extends Clock {
  aheadMs = 0;

  override now(): number {
    return Date.now() + this.aheadMs;
  }

  override steady(): number {
    return performance.now() + this.aheadMs;
  }
}

/** Platform and MCP with tools of a test, on a real socket and a throwaway data folder. */
export async function bootMcp(providers: readonly Provider[], env: Record<string, unknown> = {}): Promise<McpApp> {
  const clock = new MovedClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
  const config = new PlatformConfig(PlatformEnv.parse({ PORT: '0', COUNTERSIGN_DATA: dataDir, LOG_LEVEL: 'silent', ...env }));
  const directory = new FakeDirectory();
  for (const principal of [ALICE, BOB, READER, ROOT]) directory.add(principal);
  const shared: Provider[] = [
    ...providers,
    { provide: PrincipalDirectory, useValue: directory },
    { provide: APP_GUARD, useValue: new TokenGuard(directory) },
  ];
  class TestModule {}
  const logs: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const module = await Test.createTestingModule({
    imports: [
      PlatformModule.forRoot({ migrations: [mcpMigrations], config }),
      {
        module: TestModule,
        imports: [McpModule],
        global: true,
        providers: shared,
        exports: shared.filter((provider) => !isGuard(provider)) as never[], // a list of providers is one of their tokens
      },
      McpModule,
    ],
  })
    .overrideProvider(AppLog)
    .useValue({ pino: log, log: quiet, error: quiet, warn: quiet, debug: quiet, verbose: quiet, fatal: quiet })
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  module.useLogger(false);
  const app = module.createNestApplication<NestFastifyApplication>(httpAdapter(config), { logger: false });
  await configureHttp(app);
  const url = await listen(app);
  return {
    app,
    url,
    directory,
    clock,
    logs,
    get: <T>(token: Type<T> | (abstract new (...args: never[]) => T)): T => app.get(token, { strict: false }),
    send: (body, { path = '/mcp', method = 'POST', headers = {}, token = ALICE.id, signal } = {}) =>
      fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    close: async () => {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function quiet(): void {
  // what Nest itself says is of no use here
}

function isGuard(provider: Provider): boolean {
  return typeof provider === 'object' && provider.provide === APP_GUARD;
}

/** The principal under another id, for tests that need many. */
export function alike(principal: Principal, id: string): Principal {
  return { ...principal, id: id as PrincipalId, name: id };
}
