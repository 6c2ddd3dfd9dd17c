import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PrincipalDirectory } from '#platform';
import { ReceiptsModule } from '#receipts';
import { AuthPrincipalDirectory } from './adapters/auth-principal-directory.js';
import { KyselyAccountLinkRepository } from './adapters/kysely-account-link.repository.js';
import { KyselyConsoleSessionRepository } from './adapters/kysely-console-session.repository.js';
import { KyselyFactorRepository } from './adapters/kysely-factor.repository.js';
import { KyselyPersonRepository } from './adapters/kysely-person.repository.js';
import { KyselySignInRuleRepository } from './adapters/kysely-sign-in-rules.repository.js';
import { KyselyTicketRepository } from './adapters/kysely-ticket.repository.js';
import { KyselyTokenRepository } from './adapters/kysely-token.repository.js';
import { KyselyWelcomeLinkRepository } from './adapters/kysely-welcome-link.repository.js';
import { SimplePasskeyChecks } from './adapters/simple-passkey-checks.js';
import { AccountLinks } from './account-links.js';
import { AdminAudit } from './admin-audit.js';
import { AdminChanges } from './admin-changes.js';
import { Callers } from './callers.js';
import { ConsoleSessions } from './console-sessions.js';
import { AccountController } from './edge/account.controller.js';
import { AuditController } from './edge/audit.controller.js';
import { AuthController } from './edge/auth.controller.js';
import { AuthGuard } from './edge/auth.guard.js';
import { InvitesController } from './edge/invites.controller.js';
import { LinksController } from './edge/links.controller.js';
import { PeopleController } from './edge/people.controller.js';
import { SessionCookie } from './edge/session-cookie.js';
import { SignIns } from './edge/sign-ins.js';
import { TokensController } from './edge/tokens.controller.js';
import { WhoamiTools } from './edge/whoami.tools.js';
import { FirstOwner } from './first-owner.js';
import { KnownCallers } from './known-callers.js';
import { LastSeen } from './last-seen.js';
import { LocalCallers } from './local-callers.js';
import { Logins } from './logins.js';
import { LoginThrottle } from './login-throttle.js';
import { Passkeys } from './passkeys.js';
import { Passwords } from './passwords.js';
import { People } from './people.js';
import {
  AccountLinkRepository,
  ConsoleSessionRepository,
  FactorRepository,
  PasskeyChecks,
  PersonRepository,
  SignInRuleRepository,
  TicketRepository,
  TokenRepository,
  WelcomeLinkRepository,
} from './ports.js';
import { Proofs } from './proofs.js';
import { SecondFactors } from './second-factors.js';
import { SignInRules } from './sign-in-rules.js';
import { TokenRates } from './token-rates.js';
import { Tokens } from './tokens.js';

/** Owns who is calling: people, tokens, console sessions, and the guard that closes every door by default. Global, since doors everywhere ask the directory. */
@Global()
@Module({
  imports: [ReceiptsModule],
  controllers: [AuthController, LinksController, AccountController, TokensController, InvitesController, PeopleController, AuditController],
  providers: [
    FirstOwner,
    Logins,
    People,
    Tokens,
    ConsoleSessions,
    Callers,
    LocalCallers,
    AdminChanges,
    AdminAudit,
    KnownCallers,
    LastSeen,
    LoginThrottle,
    Passwords,
    AccountLinks,
    SecondFactors,
    Passkeys,
    Proofs,
    SignInRules,
    TokenRates,
    SignIns,
    SessionCookie,
    WhoamiTools,
    { provide: PersonRepository, useClass: KyselyPersonRepository },
    { provide: TokenRepository, useClass: KyselyTokenRepository },
    { provide: ConsoleSessionRepository, useClass: KyselyConsoleSessionRepository },
    { provide: WelcomeLinkRepository, useClass: KyselyWelcomeLinkRepository },
    { provide: AccountLinkRepository, useClass: KyselyAccountLinkRepository },
    { provide: FactorRepository, useClass: KyselyFactorRepository },
    { provide: TicketRepository, useClass: KyselyTicketRepository },
    { provide: SignInRuleRepository, useClass: KyselySignInRuleRepository },
    { provide: PasskeyChecks, useClass: SimplePasskeyChecks },
    { provide: PrincipalDirectory, useClass: AuthPrincipalDirectory },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [FirstOwner, Tokens, People, Logins, LocalCallers, PrincipalDirectory],
})
export class AuthModule {}
