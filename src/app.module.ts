/**
 * The composition root: assembles the Nest applications of the gateway and of its workers from the modules of the other folders. It
 * binds ports to adapters, so that code that uses a port does not depend on an adapter.
 */
import type { Server } from 'node:http';
import { Global, Module, type DynamicModule, type INestApplication, type INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountDisabled, ProofOutdated } from './accounts/account/account.errors.js';
import { CredentialsFrozen } from './accounts/account/credential-freeze.js';
import { findOwnerOfSubject } from './accounts/account/account-subjects.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { StartEvent } from './accounts/audit/start-event.js';
import { CleanupWorker } from './accounts/cleanup-worker.js';
import { SourceCheckWorker } from './accounts/source-check-worker.js';
import { OutboxClaims } from './accounts/queue/outbox-claims.js';
import { RevocationJobs } from './accounts/queue/revocation-jobs.js';
import { ChallengeNotClaimed } from './accounts/sessions/challenge-records.js';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import { Clock } from './config/clock.js';
import { Keys } from './config/keys.js';
import { ENVIRONMENT } from './config/environment.js';
import { LOG } from './config/log.token.js';
import type { Environment } from './config/settings-read.js';
import { DatabaseUnavailable } from './database/database.errors.js';
import { Database } from './database/database.js';
import { CLOCK_FAULT_MS, DatabaseReadiness } from './database/readiness.js';
import { DatabaseModule } from './database/database.module.js';
import { EventWorker } from './events/event-worker.js';
import { FlowsModule } from './flows/flows.module.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { FAULT_MAPPER } from './gateway/http/fault.filter.js';
import { Fault } from './gateway/http/faults.js';
import { READINESS_PROBES, type ReadinessProbe } from './gateway/http/health.controller.js';
import { CloseListeners, LISTENERS } from './gateway/http/listeners.js';
import { Assets } from './gateway/page/assets.js';
import { PageRenderer } from './gateway/page/page-renderer.js';
import { RunningModule } from './gateway/running-module.js';
import { ManageSessions } from './gateway/security/manage-sessions.port.js';
import { ClientUnreadable, UpstreamRefused, UpstreamUnavailable } from './hydra/hydra.errors.js';
import { HydraModule } from './hydra/hydra.module.js';
import { HydraPort } from './hydra/hydra.port.js';
import { SubjectTranslation } from './hydra/subject-translation.js';
import { RevocationQueue } from './hydra/revocation-queue.port.js';
import { RevocationWorker } from './hydra/revocation-worker.js';
import { MailQueue } from './mail/mail-queue.port.js';
import { MailModule } from './mail/mail.module.js';
import { ManageModule } from './manage/manage.module.js';
import { ManageSessionsAdapter } from './manage/session/manage-sessions.adapter.js';
import { FactorUnreadable } from './mfa/factor.errors.js';
import { FactorsModule } from './mfa/factors.module.js';
import { ResealAtStart } from './mfa/factors/totp/reseal-at-start.js';
import { IdentityProviders } from './providers/identity-providers.port.js';
import { ProvidersModule } from './providers/providers.module.js';
import { RegistrationUnavailable } from './providers/registration/registration.errors.js';
import { UserSources } from './sources/user-sources.js';
import { TELEMETRY_OFF, Telemetry } from './telemetry/telemetry.js';

/** The values that are created before the application starts; tests pass their own. */
export interface Foundation {
  config: Config;
  keys: Keys;
  clock: Clock;
  database: Database;
  hydra: HydraPort;
  identityProviders: IdentityProviders;
  /** The code that creates the foundation also closes the sources. */
  sources: UserSources;
  renderer: PageRenderer;
  assets: Assets;
  log: Logger;
  /** The settings as they were passed to the process; the doctor reads them. Default: none. */
  environment?: Environment;
  /** Default: off. */
  telemetry?: Telemetry;
}

/** Provides the foundation, and values that are created from it, in each Nest application of the process. */
@Module({})
export class FoundationModule {
  static register(foundation: Foundation): DynamicModule {
    const { config, keys, clock, database, hydra, identityProviders, sources, renderer, assets, log } = foundation;
    const readiness = new DatabaseReadiness(database, clock, (offsetMs) =>
      log.warn({ offsetSeconds: Math.round(offsetMs / 100) / 10 }, 'the clocks of this machine and of the database differ'),
    );
    const translation = new SubjectTranslation(hydra, (subject) => findOwnerOfSubject(database, subject));
    const values = [
      [CONFIG, config],
      [Keys, keys],
      [Clock, clock],
      [Database, database],
      [HydraPort, translation],
      [IdentityProviders, identityProviders],
      [UserSources, sources],
      [PageRenderer, renderer],
      [Assets, assets],
      [LOG, log],
      [ENVIRONMENT, foundation.environment ?? {}],
      [Telemetry, foundation.telemetry ?? TELEMETRY_OFF],
      [FAULT_MAPPER, toFault],
      [READINESS_PROBES, toProbes(readiness, hydra)],
      [DatabaseReadiness, readiness],
    ] as const;
    const providers = values.map(([provide, useValue]) => ({ provide, useValue }));
    return { module: FoundationModule, global: true, providers, exports: providers };
  }
}

/** Mail and revocations wait in the tables of `accounts/queue`; the folders that process them do not depend on accounts. */
@Global()
@Module({
  imports: [AccountsModule],
  providers: [
    { provide: MailQueue, useExisting: OutboxClaims },
    { provide: RevocationQueue, useExisting: RevocationJobs },
  ],
  exports: [MailQueue, RevocationQueue],
})
export class QueuesModule {}

/** Provides the gateway with the sessions of the account area, whose code the gateway does not import. */
@Global()
@Module({
  imports: [ManageModule],
  providers: [{ provide: ManageSessions, useExisting: ManageSessionsAdapter }],
  exports: [ManageSessions],
})
class ManageSessionsModule {}

/** The Nest application of the gateway. */
@Module({})
export class AppModule {
  static register(foundation: Foundation): DynamicModule {
    return {
      module: AppModule,
      imports: [
        FoundationModule.register(foundation),
        DatabaseModule,
        AccountsModule,
        HydraModule,
        ProvidersModule,
        QueuesModule,
        GatewayModule,
        FlowsModule,
        ManageModule,
        ManageSessionsModule,
      ],
    };
  }
}

/** The background workers. They use the gateway's instances, start when both listeners listen, and close with them. */
@Module({})
export class WorkersModule {
  /** @param listeners closed with the workers, between their two shutdown steps (`CloseListeners`) */
  static register(
    foundation: Foundation,
    gateway: INestApplicationContext,
    listeners: readonly INestApplication<Server>[],
  ): DynamicModule {
    return {
      module: WorkersModule,
      imports: [
        FoundationModule.register(foundation),
        ...[AccountsModule, FactorsModule, HydraModule, QueuesModule].map((type) => RunningModule.share(type, gateway)),
        MailModule.register(foundation.config),
      ],
      providers: [
        StartEvent,
        CleanupWorker,
        ResealAtStart,
        RevocationWorker,
        SourceCheckWorker,
        ...(foundation.config.eventSinks.length > 0 ? [EventWorker] : []),
        CloseListeners,
        { provide: LISTENERS, useValue: listeners },
      ],
    };
  }
}

function toProbes(readiness: DatabaseReadiness, hydra: HydraPort): ReadinessProbe[] {
  return [
    { name: 'database', isReady: async () => (await readiness.state()).takesChanges },
    { name: 'clock', isReady: async () => Math.abs((await readiness.state()).clockOffsetMs ?? 0) < CLOCK_FAULT_MS },
    { name: 'upstream', isOptional: true, isReady: () => hydra.isReady() },
  ];
}

const UNAVAILABLE = [UpstreamUnavailable, UpstreamRefused, DatabaseUnavailable, FactorUnreadable];
const REFUSED = [AccountDisabled, ProofOutdated, ChallengeNotClaimed, CredentialsFrozen];
const RETRY_AFTER_SECONDS = 5;

/** Maps an error of any folder to the fault that the gateway and the operator API answer with; null for an unknown error. */
function toFault(error: unknown): Fault | null {
  const isInstance = (kinds: readonly (abstract new (...args: never[]) => Error)[]) =>
    kinds.some((kind) => error instanceof kind);
  if (!(error instanceof Error)) return null;
  const hints = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (isInstance(UNAVAILABLE)) return new Fault('unavailable', `${error.name}: ${error.message}`, hints);
  if (error instanceof ClientUnreadable) return new Fault('app_settings', error.message);
  if (error instanceof RegistrationUnavailable) return new Fault('unavailable', error.message, hints);
  return isInstance(REFUSED) ? new Fault('forbidden', error.name) : null;
}
