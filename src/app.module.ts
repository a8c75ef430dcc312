/**
 * The composition root: the only place that knows every part. Ports are bound to adapters here; the flows get classes and
 * never learn what stands behind them.
 */
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Provider } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Logger } from 'pino';
import { accountServices } from './accounts/account-services.js';
import { AccountExports } from './accounts/transfer/exports.js';
import { AccountImports } from './accounts/transfer/imports.js';
import { AccountSessions } from './accounts/sessions/account-sessions.js';
import { Accounts } from './accounts/account/accounts.js';
import { ManageSessionRecords } from './accounts/sessions/manage-sessions.js';
import { Attempts } from './accounts/limits/attempts.js';
import { AuditLog } from './accounts/audit/audit-log.js';
import { BrowserSessions } from './accounts/sessions/browser-sessions.js';
import { CredentialFreeze } from './accounts/account/credential-freeze.js';
import { ExternalIdentities } from './accounts/identities/external-identities.js';
import { FactorResets } from './accounts/secrets/factor-resets.js';
import { Factors } from './accounts/factors/factors.js';
import { PasswordHasher } from './accounts/password/hasher.js';
import { PasswordResets } from './accounts/password/resets.js';
import { SetPassword } from './accounts/password/set-password.js';
import { RevocationJobs } from './accounts/queue/revocation-jobs.js';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import { Clock } from './config/clock.js';
import { Keys } from './config/keys.js';
import { Database } from './database/database.js';
import { faultOf } from './fault-of.js';
import { ConsentModule } from './flows/consent/consent.module.js';
import { ErrorModule } from './flows/error/error.module.js';
import { FactorResetModule } from './flows/factor-reset/factor-reset.module.js';
import { LoginHintModule } from './flows/login-hint/login-hint.module.js';
import { LoginModule } from './flows/login/login.module.js';
import { SecondStep } from './flows/login/second-step.js';
import { LogoutModule } from './flows/logout/logout.module.js';
import { NotMeModule } from './flows/not-me/not-me.module.js';
import { PasswordResetModule } from './flows/password-reset/password-reset.module.js';
import { RegisterModule } from './flows/register/register.module.js';
import { AccessGuard } from './gateway/security/access.guard.js';
import { ManageSessions } from './gateway/security/manage-sessions.port.js';
import { Assets } from './gateway/page/assets.js';
import { Cookies } from './gateway/security/cookies.js';
import { FaultFilter } from './gateway/http/fault.filter.js';
import { HealthController, READINESS_PROBES } from './gateway/http/health.controller.js';
import type { ReadinessProbe } from './gateway/http/health.controller.js';
import { HomeController } from './gateway/http/home.controller.js';
import { Lifecycle } from './gateway/http/lifecycle.js';
import { LOG } from './gateway/http/log.js';
import { OutcomeInterceptor } from './gateway/page/outcome.interceptor.js';
import { PageComposer } from './gateway/page/page-composer.js';
import { PageRenderer } from './gateway/page/page-renderer.js';
import { PublicOrigin } from './gateway/security/public-origin.js';
import { Responder } from './gateway/page/responder.js';
import { ReturnTickets } from './gateway/page/return-tickets.js';
import { Xsrf } from './gateway/security/xsrf.js';
import { HydraPort } from './hydra/hydra.port.js';
import { Revocations } from './hydra/revocations.js';
import { ManageModule } from './manage/manage.module.js';
import { ManageSessionsAdapter } from './manage/session/manage-sessions.adapter.js';
import { LoginContinuation } from './mfa/verification/login-continuation.js';
import { MfaModule } from './mfa/mfa.module.js';
import type { OperatorFoundation } from './operator/api/operator.module.js';
import { IdentityProviders } from './providers/identity-providers.port.js';
import { RegistrationService } from './providers/registration/registration-service.js';
import type { Telemetry } from './telemetry/telemetry.js';

/** What stands before the application does; a test gives its own. */
export interface Foundation {
  config: Config;
  keys: Keys;
  clock: Clock;
  database: Database;
  hydra: HydraPort;
  identityProviders: IdentityProviders;
  renderer: PageRenderer;
  assets: Assets;
  log: Logger;
  /** Off where it is left out. */
  telemetry?: Telemetry;
}

@Module({})
class FoundationModule {
  static with(foundation: Foundation): DynamicModule {
    const providers = [...portsOf(foundation), ...edgeOf(foundation)];
    return {
      module: FoundationModule,
      global: true,
      providers,
      exports: providers,
      controllers: [HealthController, HomeController],
    };
  }
}

/** The second step leads back into the sign-in, and neither folder knows the other. */
@Module({})
class ContinuationModule {
  static bound(): DynamicModule {
    return {
      module: ContinuationModule,
      global: true,
      imports: [LoginModule],
      providers: [{ provide: LoginContinuation, useExisting: SecondStep }],
      exports: [LoginContinuation],
    };
  }
}

@Module({})
export class AppModule {
  static with(foundation: Foundation): DynamicModule {
    return {
      module: AppModule,
      imports: [
        FoundationModule.with(foundation),
        ContinuationModule.bound(),
        LoginModule,
        LoginHintModule,
        MfaModule,
        ManageModule,
        RegisterModule,
        ConsentModule,
        PasswordResetModule,
        FactorResetModule,
        NotMeModule,
        LogoutModule,
        ErrorModule,
      ],
    };
  }
}

/** The operator API works with the gateway's own services, so that its bounds on hashing hold for both together. */
export function operatorFoundation(app: INestApplicationContext, foundation: Foundation): OperatorFoundation {
  const { config, clock, log, telemetry } = foundation;
  return {
    ...(telemetry ? { telemetry } : {}),
    config,
    clock,
    log,
    faultOf,
    accounts: app.get(Accounts),
    imports: app.get(AccountImports),
    exports: app.get(AccountExports),
    livingSessions: app.get(AccountSessions),
    hasher: app.get(PasswordHasher),
    setPassword: app.get(SetPassword),
    sessions: app.get(BrowserSessions),
    audit: app.get(AuditLog),
    attempts: app.get(Attempts),
    factors: app.get(Factors),
    passwordResets: app.get(PasswordResets),
    factorResets: app.get(FactorResets),
    freeze: app.get(CredentialFreeze),
    identities: app.get(ExternalIdentities),
    revocations: app.get(RevocationJobs),
    upstream: app.get(Revocations),
    identityProviders: app.get(IdentityProviders),
    probes: app.get<readonly ReadinessProbe[]>(READINESS_PROBES),
  };
}

function portsOf(foundation: Foundation): Provider[] {
  const { config, keys, clock, database, hydra, identityProviders, log, telemetry } = foundation;
  const told = telemetry ? { telemetry } : {};
  const services = accountServices({ config, keys, clock, database, ...told });
  return [
    { provide: CONFIG, useValue: config },
    { provide: Keys, useValue: keys },
    { provide: Clock, useValue: clock },
    { provide: Database, useValue: database },
    { provide: HydraPort, useValue: hydra },
    { provide: IdentityProviders, useValue: identityProviders },
    { provide: LOG, useValue: log },
    { provide: RegistrationService, useValue: new RegistrationService({ config, keys, clock, ...told }) },
    ...services.map((service) => ({ provide: service.constructor, useValue: service })),
    {
      provide: Revocations,
      useFactory: (queue: RevocationJobs) => new Revocations({ queue, hydra, log }),
      inject: [RevocationJobs],
    },
  ];
}

function edgeOf({ config, keys, clock, renderer, assets, database, hydra, log }: Foundation): Provider[] {
  const tickets = new ReturnTickets(keys, clock);
  const composer = new PageComposer(config);
  const cookies = new Cookies(config);
  const responder = new Responder({ composer, renderer, assets, cookies, config });
  return [
    Lifecycle,
    Xsrf,
    { provide: ReturnTickets, useValue: tickets },
    {
      provide: ManageSessions,
      useFactory: (records: ManageSessionRecords) => new ManageSessionsAdapter(records),
      inject: [ManageSessionRecords],
    },
    { provide: PublicOrigin, useValue: new PublicOrigin(config.publicUrl) },
    { provide: Assets, useValue: assets },
    { provide: Cookies, useValue: cookies },
    { provide: Responder, useValue: responder },
    { provide: OutcomeInterceptor, useValue: new OutcomeInterceptor(responder) },
    { provide: FaultFilter, useValue: new FaultFilter({ responder, tickets, log, mapper: faultOf }) },
    {
      provide: AccessGuard,
      useFactory: (xsrf: Xsrf, origin: PublicOrigin, sessions: ManageSessions) =>
        new AccessGuard({ reflector: new Reflector(), xsrf, origin, sessions }),
      inject: [Xsrf, PublicOrigin, ManageSessions],
    },
    { provide: READINESS_PROBES, useValue: probesOf(database, hydra) },
  ];
}

function probesOf(database: Database, hydra: HydraPort): ReadinessProbe[] {
  return [
    {
      name: 'database',
      isReady: () =>
        database.ping().then(
          () => true,
          () => false,
        ),
    },
    { name: 'upstream', isReady: () => hydra.isReady() },
  ];
}
