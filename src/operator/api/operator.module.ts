/** The operator API's own Nest application: its controllers over the services that the installation already has. */
import { Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountExports } from '../../accounts/transfer/exports.js';
import { AccountImports } from '../../accounts/transfer/imports.js';
import { AccountSessions } from '../../accounts/sessions/account-sessions.js';
import { Accounts } from '../../accounts/account/accounts.js';
import { Attempts } from '../../accounts/limits/attempts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { FactorResets } from '../../accounts/secrets/factor-resets.js';
import { Factors } from '../../accounts/factors/factors.js';
import { PasswordHasher } from '../../accounts/password/hasher.js';
import { PasswordResets } from '../../accounts/password/resets.js';
import { SetPassword } from '../../accounts/password/set-password.js';
import { RevocationJobs } from '../../accounts/queue/revocation-jobs.js';
import type { Clock } from '../../config/clock.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { READINESS_PROBES } from '../../gateway/http/health.controller.js';
import type { ReadinessProbe } from '../../gateway/http/health.controller.js';
import { LOG } from '../../gateway/http/log.js';
import { Revocations } from '../../hydra/revocations.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { AccessController } from './access.controller.js';
import { AccountsController } from './accounts.controller.js';
import { AuditController } from './audit.controller.js';
import { CreateAccount } from './create-account.js';
import { EndAccess } from './end-access.js';
import type { FaultMapper } from './fault-answers.js';
import { ImportAccounts } from './import-accounts.js';
import { AccountLookup } from './account-lookup.js';
import { OperatorHealthController } from './operator-health.controller.js';
import { ProvidersController } from './providers.controller.js';
import { ResetLinks } from './reset-links.js';
import { ResetsController } from './resets.controller.js';
import { SessionsController } from './sessions.controller.js';
import { TransferController } from './transfer.controller.js';
import { UnlockAccount } from './unlock-account.js';

/** What the API stands on. The services are the gateway's own objects, so that bounds on hashing hold for both together. */
export interface OperatorFoundation {
  config: Pick<Config, 'operator' | 'http' | 'publicUrl' | 'telemetry'>;
  /** Off where it is left out. */
  telemetry?: Telemetry;
  clock: Clock;
  log: Logger;
  accounts: Accounts;
  imports: AccountImports;
  exports: AccountExports;
  livingSessions: AccountSessions;
  hasher: PasswordHasher;
  setPassword: SetPassword;
  sessions: BrowserSessions;
  attempts: Attempts;
  factors: Factors;
  passwordResets: PasswordResets;
  factorResets: FactorResets;
  freeze: CredentialFreeze;
  identities: ExternalIdentities;
  identityProviders: IdentityProviders;
  audit: AuditLog;
  revocations: RevocationJobs;
  upstream: Revocations;
  probes: readonly ReadinessProbe[];
  faultOf: FaultMapper;
}

@Module({})
export class OperatorModule {
  static with(foundation: OperatorFoundation): DynamicModule {
    return {
      module: OperatorModule,
      controllers: [
        AccountsController,
        AccessController,
        SessionsController,
        ResetsController,
        ProvidersController,
        AuditController,
        TransferController,
        OperatorHealthController,
      ],
      providers: [CreateAccount, EndAccess, ImportAccounts, AccountLookup, ResetLinks, UnlockAccount, ...servicesOf(foundation)],
    };
  }
}

/** The services that stand before this application does. */
function servicesOf(foundation: OperatorFoundation): Provider[] {
  const { config, accounts, setPassword, sessions, attempts, factors, audit, upstream, probes, log } = foundation;
  return [
    { provide: CONFIG, useValue: config },
    { provide: Accounts, useValue: accounts },
    { provide: AccountImports, useValue: foundation.imports },
    { provide: AccountExports, useValue: foundation.exports },
    { provide: AccountSessions, useValue: foundation.livingSessions },
    { provide: PasswordHasher, useValue: foundation.hasher },
    { provide: SetPassword, useValue: setPassword },
    { provide: BrowserSessions, useValue: sessions },
    { provide: Attempts, useValue: attempts },
    { provide: Factors, useValue: factors },
    { provide: PasswordResets, useValue: foundation.passwordResets },
    { provide: FactorResets, useValue: foundation.factorResets },
    { provide: CredentialFreeze, useValue: foundation.freeze },
    { provide: ExternalIdentities, useValue: foundation.identities },
    { provide: IdentityProviders, useValue: foundation.identityProviders },
    { provide: AuditLog, useValue: audit },
    { provide: RevocationJobs, useValue: foundation.revocations },
    { provide: Revocations, useValue: upstream },
    { provide: READINESS_PROBES, useValue: probes },
    { provide: LOG, useValue: log },
  ];
}
