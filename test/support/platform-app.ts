import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { SCOPES, type Principal, type PrincipalId } from '#contracts';
import {
  AppError,
  attachPrincipal,
  configureHttp,
  doorOf,
  httpAdapter,
  listen,
  PlatformConfig,
  PlatformEnv,
  PlatformModule,
  PrincipalDirectory,
} from '#platform';

export function aPrincipal(changes: Partial<Principal> = {}): Principal {
  return {
    id: 'alice' as PrincipalId,
    kind: 'person',
    name: 'Alice',
    roles: ['viewer'],
    scopes: ['receipts:read'],
    channel: 'rest',
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...changes,
  };
}

/** Stands in for auth: who exists now. The bearer token is the principal's id; a test may add or revoke. */
export class FakeDirectory extends PrincipalDirectory {
  readonly known = new Map<string, Principal>();
  looked = 0;

  constructor() {
    super();
    this.add(aPrincipal());
    this.add(aPrincipal({ id: 'root' as PrincipalId, name: 'Root', roles: ['admin'], scopes: [...SCOPES] }));
    this.add(aPrincipal({ id: 'bot' as PrincipalId, kind: 'token', name: 'Bot', roles: [] }));
  }

  add(principal: Principal): void {
    this.known.set(principal.id, principal);
  }

  override find(id: PrincipalId): Promise<Principal | undefined> {
    this.looked += 1;
    return Promise.resolve(this.known.get(id));
  }

  override nameOf(id: PrincipalId): Promise<string> {
    return Promise.resolve(this.known.get(id)?.name ?? 'nobody');
  }
}

/** Reads the doors as the guard of auth does. */
class FakeGuard implements CanActivate {
  constructor(private readonly directory: FakeDirectory) {}

  canActivate(context: ExecutionContext): boolean {
    const door = doorOf(context);
    if (door?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = this.directory.known.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!principal) throw new AppError('AUTH_REQUIRED', 'Sign in or send a token');
    if (door?.kind === 'scope' && !principal.scopes.includes(door.scope)) throw new AppError('SCOPE_MISSING', 'Scope missing');
    attachPrincipal(request, principal);
    return door !== undefined;
  }
}

export interface PlatformApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  readonly directory: FakeDirectory;
  close(): Promise<void>;
}

/** Platform alone, with routes of a test, on a real socket and a throwaway data folder. */
export async function bootPlatform(env: Record<string, unknown> = {}, controllers: readonly Type[] = []): Promise<PlatformApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-app-'));
  const config = new PlatformConfig(PlatformEnv.parse({ PORT: '0', COUNTERSIGN_DATA: dataDir, LOG_LEVEL: 'silent', ...env }));
  const directory = new FakeDirectory();

  @Module({
    imports: [PlatformModule.forRoot({ migrations: [], config })],
    controllers: [...controllers],
    providers: [
      { provide: PrincipalDirectory, useValue: directory },
      { provide: APP_GUARD, useValue: new FakeGuard(directory) },
    ],
    exports: [PrincipalDirectory],
  })
  class TestModule {}

  const app = await NestFactory.create<NestFastifyApplication>({ module: TestModule, global: true }, httpAdapter(config), {
    logger: false,
    abortOnError: false,
  });
  await configureHttp(app);
  const url = await listen(app);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url,
    port,
    directory,
    close: async () => {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
