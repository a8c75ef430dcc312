/** The operator API: a Nest application that uses the modules of the running gateway. */
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { RunningModule } from '../../gateway/running-module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { AccessController } from './access.controller.js';
import { AccountAppsController } from './account-apps.controller.js';
import { AccountsController } from './accounts.controller.js';
import { AuditController } from './audit.controller.js';
import { ClientNames } from './client-names.js';
import { ClaimsController } from './claims.controller.js';
import { ChangeClients } from '../clients/change-clients.js';
import { PreviewClient } from '../clients/preview-client.js';
import { ClientsController } from './clients.controller.js';
import { CreateAccount } from './create-account.js';
import { DeletionController } from './deletion.controller.js';
import { EndAccess } from './end-access.js';
import { JobChange, JobActions } from './job-actions.js';
import { JobWorker } from './job-worker.js';
import { JobsController } from './jobs.controller.js';
import { FiltersController } from './filters.controller.js';
import { SupportCheckController } from './support-check.controller.js';
import { FactorsController } from './factors.controller.js';
import { FailedTokens } from './failed-tokens.js';
import { ImportAccounts } from './import-accounts.js';
import { ApprovalGate } from './approval-gate.js';
import { ApprovalsController } from './approvals.controller.js';
import { ChangeAccount } from './change-account.js';
import { GrantRight } from './grant-right.js';
import { HeldOperations } from './held-operations.js';
import { LineServices } from './import-line.js';
import { RemoveFactor } from './remove-factor.js';
import { AccountDetails } from './account-details.js';
import { AccountLookup } from './account-lookup.js';
import { DoctorController } from './doctor.controller.js';
import { RunDoctor } from './run-doctor.js';
import { SettingsController } from './settings.controller.js';
import { SourceStates } from './source-states.js';
import { ScimFaultsController } from './scim-faults.controller.js';
import { ScimOffersController } from './scim-offers.controller.js';
import { AccountOrigins } from './account-origins.js';
import { ScimSources } from './scim-sources.js';
import { ScimStates } from './scim-states.js';
import { SignUpsController } from './sign-ups.controller.js';
import { SinksController } from './sinks.controller.js';
import { SourcesController } from './sources.controller.js';
import { MailsController } from './mails.controller.js';
import { MountOperator } from './mount-operator.js';
import { OperatorFaultFilter } from './operator-fault.filter.js';
import { ReadinessModule } from '../../gateway/readiness.module.js';
import { OperatorHealthController } from './operator-health.controller.js';
import { OperatorsController } from './operators.controller.js';
import { ProvidersController } from './providers.controller.js';
import { ResetLinks } from './reset-links.js';
import { ResetsController } from './resets.controller.js';
import { ConsoleAccess } from '../console/console-access.js';
import { ConsoleClient } from '../console/console-client.js';
import { ConsoleController, ConsoleLogoutController } from '../console/console.controller.js';
import { ConsoleCookies } from '../console/console-cookies.js';
import { ConsoleOperators, ConsoleSignIn } from '../console/console-sign-in.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitePeople } from './invite-people.js';
import { RightsGuard } from './rights.guard.js';
import { SearchController } from './search.controller.js';
import { SessionsController } from './sessions.controller.js';
import { AccountTermsController, TermsController } from './terms.controller.js';
import { TodayController } from './today.controller.js';
import { TodayRows } from './today-rows.js';
import { TransferController } from './transfer.controller.js';
import { TrustedBrowsersController } from './trusted-browsers.controller.js';
import { TokenHookController } from '../hooks/token-hook.controller.js';
import { TokenHook } from '../hooks/token-hook.js';
import { ScimCalls } from '../scim/scim-calls.js';
import { ScimDiscoveryController } from '../scim/scim-discovery.controller.js';
import { ScimListings } from '../scim/scim-listings.js';
import { ScimGroupsController } from '../scim/scim-groups.controller.js';
import { ScimUsersController } from '../scim/scim-users.controller.js';
import { LinkAccount } from './link-account.js';
import { PeopleSources } from './people-sources.js';
import { SourceController } from './source.controller.js';
import { RefreshAccount } from './refresh-account.js';
import { UnlockAccount } from './unlock-account.js';

const CONTROLLERS = [
  AccountsController,
  AccessController,
  DeletionController,
  SessionsController,
  FactorsController,
  SupportCheckController,
  ResetsController,
  InvitationsController,
  ProvidersController,
  SourceController,
  AuditController,
  SearchController,
  ClaimsController,
  TransferController,
  TrustedBrowsersController,
  OperatorHealthController,
  OperatorsController,
  ClientsController,
  AccountAppsController,
  MailsController,
  FiltersController,
  TodayController,
  ApprovalsController,
  JobsController,
  SourcesController,
  ScimOffersController,
  ScimFaultsController,
  SignUpsController,
  TermsController,
  AccountTermsController,
  SinksController,
  DoctorController,
  SettingsController,
  TokenHookController,
  ScimDiscoveryController,
  ScimGroupsController,
  ScimUsersController,
];

const SERVICES = [
  ClientNames,
  ChangeClients,
  PreviewClient,
  ApprovalGate,
  HeldOperations,
  LineServices,
  ChangeAccount,
  GrantRight,
  RemoveFactor,
  JobChange,
  JobActions,
  JobWorker,
  CreateAccount,
  InvitePeople,
  EndAccess,
  FailedTokens,
  ImportAccounts,
  AccountLookup,
  AccountDetails,
  MountOperator,
  LinkAccount,
  PeopleSources,
  ScimSources,
  ScimStates,
  AccountOrigins,
  RefreshAccount,
  ResetLinks,
  UnlockAccount,
  TokenHook,
  ScimCalls,
  ScimListings,
  TodayRows,
  SourceStates,
  RunDoctor,
  ConsoleAccess,
  ConsoleCookies,
];

/** Added only if the console is on. */
const CONSOLE = {
  controllers: [ConsoleController, ConsoleLogoutController],
  services: [ConsoleClient, ConsoleOperators, ConsoleSignIn],
};

@Module({})
export class OperatorModule {
  /** @param foundation the gateway's global module with its configuration, log and clock */
  static forGateway(
    gateway: Pick<INestApplicationContext, 'get'>,
    foundation: DynamicModule,
    hasConsole: boolean,
  ): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        foundation,
        ...[AccountsModule, FactorsModule, HydraModule, ReadinessModule].map((type) => RunningModule.share(type, gateway)),
      ],
      controllers: [...CONTROLLERS, ...(hasConsole ? CONSOLE.controllers : [])],
      providers: [
        ...SERVICES,
        ...(hasConsole ? CONSOLE.services : []),
        { provide: APP_GUARD, useClass: RightsGuard },
        { provide: APP_FILTER, useClass: OperatorFaultFilter },
      ],
    };
  }
}
