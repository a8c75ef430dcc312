/** The operator API's own Nest application: its controllers over the services that the installation already has. */
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { Accounts } from '../accounts/accounts.js';
import { Attempts } from '../accounts/attempts.js';
import { AuditTrail } from '../accounts/audit-trail.js';
import { BrowserSessions } from '../accounts/browser-sessions.js';
import { FactorResets } from '../accounts/factor-resets.js';
import { Factors } from '../accounts/factors.js';
import { PasswordResets } from '../accounts/password-resets.js';
import { SetPassword } from '../accounts/set-password.js';
import type { Clock } from '../config/clock.js';
import { CONFIG } from '../config/config.token.js';
import type { Config } from '../config/config.js';
import { READINESS_PROBES } from '../gateway/health.controller.js';
import type { ReadinessProbe } from '../gateway/health.controller.js';
import { LOG } from '../gateway/log.js';
import { HydraPort } from '../hydra/hydra.port.js';
import { AccessController } from './access.controller.js';
import { AccountsController } from './accounts.controller.js';
import { AuditController } from './audit.controller.js';
import { CreateAccount } from './create-account.js';
import { EndAccess } from './end-access.js';
import type { FaultMapper } from './fault-answers.js';
import { KnownAccounts } from './known-accounts.js';
import { OperatorHealthController } from './operator-health.controller.js';
import { ResetLinks } from './reset-links.js';
import { ResetsController } from './resets.controller.js';
import { UnlockAccount } from './unlock-account.js';

/** What the API stands on. The services are the gateway's own objects, so that bounds on hashing hold for both together. */
export interface OperatorFoundation {
  config: Pick<Config, 'operator' | 'http' | 'publicUrl'>;
  clock: Clock;
  log: Logger;
  accounts: Accounts;
  setPassword: SetPassword;
  sessions: BrowserSessions;
  attempts: Attempts;
  factors: Factors;
  passwordResets: PasswordResets;
  factorResets: FactorResets;
  audit: AuditTrail;
  hydra: HydraPort;
  probes: readonly ReadinessProbe[];
  faultOf: FaultMapper;
}

@Module({})
export class OperatorModule {
  static with(foundation: OperatorFoundation): DynamicModule {
    const { config, accounts, setPassword, sessions, attempts, factors, audit, hydra, probes, log } = foundation;
    return {
      module: OperatorModule,
      controllers: [AccountsController, AccessController, ResetsController, AuditController, OperatorHealthController],
      providers: [
        CreateAccount,
        EndAccess,
        KnownAccounts,
        ResetLinks,
        UnlockAccount,
        { provide: CONFIG, useValue: config },
        { provide: Accounts, useValue: accounts },
        { provide: SetPassword, useValue: setPassword },
        { provide: BrowserSessions, useValue: sessions },
        { provide: Attempts, useValue: attempts },
        { provide: Factors, useValue: factors },
        { provide: PasswordResets, useValue: foundation.passwordResets },
        { provide: FactorResets, useValue: foundation.factorResets },
        { provide: AuditTrail, useValue: audit },
        { provide: HydraPort, useValue: hydra },
        { provide: READINESS_PROBES, useValue: probes },
        { provide: LOG, useValue: log },
      ],
    };
  }
}
