import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PrincipalDirectory } from '#platform';
import { ReceiptsModule } from '#receipts';
import { AuthPrincipalDirectory } from './adapters/auth-principal-directory.js';
import { KyselyConsoleSessionRepository } from './adapters/kysely-console-session.repository.js';
import { KyselyPersonRepository } from './adapters/kysely-person.repository.js';
import { KyselyTokenRepository } from './adapters/kysely-token.repository.js';
import { KyselyWelcomeLinkRepository } from './adapters/kysely-welcome-link.repository.js';
import { AdminChanges } from './admin-changes.js';
import { Callers } from './callers.js';
import { ConsoleSessions } from './console-sessions.js';
import { AuthController } from './edge/auth.controller.js';
import { AuthGuard } from './edge/auth.guard.js';
import { PeopleController } from './edge/people.controller.js';
import { SessionCookie } from './edge/session-cookie.js';
import { TokensController } from './edge/tokens.controller.js';
import { WhoamiTools } from './edge/whoami.tools.js';
import { FirstOwner } from './first-owner.js';
import { KnownCallers } from './known-callers.js';
import { LastSeen } from './last-seen.js';
import { LocalCallers } from './local-callers.js';
import { Logins } from './logins.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';
import { People } from './people.js';
import { ConsoleSessionRepository, PersonRepository, TokenRepository, WelcomeLinkRepository } from './ports.js';
import { Tokens } from './tokens.js';

/** Owns who is calling: people, tokens, console sessions, and the guard that closes every door by default. Global, since doors everywhere ask the directory. */
@Global()
@Module({
  imports: [ReceiptsModule],
  controllers: [AuthController, TokensController, PeopleController],
  providers: [
    FirstOwner,
    Logins,
    People,
    Tokens,
    ConsoleSessions,
    Callers,
    LocalCallers,
    AdminChanges,
    KnownCallers,
    LastSeen,
    LoginThrottle,
    Passwords,
    SessionCookie,
    WhoamiTools,
    { provide: PersonRepository, useClass: KyselyPersonRepository },
    { provide: TokenRepository, useClass: KyselyTokenRepository },
    { provide: ConsoleSessionRepository, useClass: KyselyConsoleSessionRepository },
    { provide: WelcomeLinkRepository, useClass: KyselyWelcomeLinkRepository },
    { provide: PrincipalDirectory, useClass: AuthPrincipalDirectory },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [FirstOwner, Tokens, People, Logins, LocalCallers, PrincipalDirectory],
})
export class AuthModule {}
