/** The account area. */
import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { HydraModule } from '../hydra/hydra.module.js';
import { FactorsModule } from '../mfa/factors.module.js';
import { ActivityCallsController } from './activity/activity-calls.controller.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityFlow } from './activity/activity.flow.js';
import { AppsCallsController } from './apps/apps-calls.controller.js';
import { AppsController } from './apps/apps.controller.js';
import { AppsFlow } from './apps/apps.flow.js';
import { OwnApps } from './apps/own-apps.js';
import { ConfirmProof } from './confirm/confirm-proof.js';
import { TrustedBrowsersCallsController } from './factors/trusted-browsers-calls.controller.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { MailedProof } from './confirm/mailed-proof.js';
import { ProofCallsController } from './confirm/proof-calls.controller.js';
import { DeletionCallsController } from './deletion/deletion-calls.controller.js';
import { DeletionController } from './deletion/deletion.controller.js';
import { DeletionFlow } from './deletion/deletion.flow.js';
import { DevicesCallsController } from './devices/devices-calls.controller.js';
import { DevicesController } from './devices/devices.controller.js';
import { DevicesFlow } from './devices/devices.flow.js';
import { OwnDevices } from './devices/own-devices.js';
import { DataCallsController } from './data/data-calls.controller.js';
import { TermsCallsController } from './data/terms-calls.controller.js';
import { DataController } from './data/data.controller.js';
import { DataCopy } from './data/data-copy.js';
import { DataFlow } from './data/data.flow.js';
import { OwnData } from './data/own-data.js';
import { OwnTerms } from './data/own-terms.js';
import { OwnHistory } from './data/own-history.js';
import { EmailCallsController } from './email/email-calls.controller.js';
import { EmailController } from './email/email.controller.js';
import { EmailFlow } from './email/email.flow.js';
import { FactorRemoval } from './factors/factor-removal.js';
import { FactorsCallsController } from './factors/factors-calls.controller.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsFlow } from './factors/factors.flow.js';
import { FactorsPage } from './factors/factors.page.js';
import { FactorSetup } from './factors/factor-setup.js';
import { SetupCallsController } from './factors/setup-calls.controller.js';
import { SetupController } from './factors/setup.controller.js';
import { SetupFlow } from './factors/setup.flow.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewFlow } from './overview/overview.flow.js';
import { UserinfoCallsController } from './overview/userinfo-calls.controller.js';
import { ChangeOwnPassword } from './password/change-own-password.js';
import { PasswordCallsController } from './password/password-calls.controller.js';
import { PasswordController } from './password/password.controller.js';
import { PasswordFlow } from './password/password.flow.js';
import { RecoveryCodesCallsController } from './factors/recovery-codes/recovery-codes-calls.controller.js';
import { RecoveryCodesController } from './factors/recovery-codes/recovery-codes.controller.js';
import { RecoveryCodesFlow } from './factors/recovery-codes/recovery-codes.flow.js';
import { ConnectStart } from './providers/connect-start.js';
import { DisconnectProvider } from './providers/disconnect.js';
import { ProvidersCallsController } from './providers/providers-calls.controller.js';
import { ProvidersController } from './providers/providers.controller.js';
import { AccountSummary } from './session/account-summary.js';
import { AppConsents } from './session/app-consents.js';
import { ManageForms } from './session/manage-forms.js';
import { ProvenChange } from './session/proven-change.js';
import { ManagePages } from './session/manage-pages.js';
import { ManageErrorController } from './session/error.controller.js';
import { ManageLogoutController } from './session/logout.controller.js';
import { EntryFlow } from './session/entry.flow.js';
import { FreshProof } from './session/fresh-proof.js';
import { SealedText } from './session/sealed-text.js';
import { ManageSessionsAdapter } from './session/manage-sessions.adapter.js';
import { OverviewPage } from './session/overview.page.js';
import { OwnTrustedBrowsers } from './session/own-trusted-browsers.js';
import { SwitchController } from './session/switch.controller.js';
import { SwitchFlow } from './session/switch.flow.js';
import { WaysIn } from './session/ways-in.js';
import { UsernameCallsController } from './username/username-calls.controller.js';
import { UsernameController } from './username/username.controller.js';
import { UsernameFlow } from './username/username.flow.js';

const PAGES = [
  OverviewController,
  ManageErrorController,
  ManageLogoutController,
  ConfirmController,
  ActivityController,
  AppsController,
  DeletionController,
  DataController,
  DevicesController,
  EmailController,
  FactorsController,
  SetupController,
  PasswordController,
  ProvidersController,
  RecoveryCodesController,
  SwitchController,
  UsernameController,
];

const CALLS = [
  UserinfoCallsController,
  ActivityCallsController,
  AppsCallsController,
  DeletionCallsController,
  DataCallsController,
  DevicesCallsController,
  EmailCallsController,
  FactorsCallsController,
  SetupCallsController,
  PasswordCallsController,
  ProofCallsController,
  ProvidersCallsController,
  RecoveryCodesCallsController,
  TermsCallsController,
  TrustedBrowsersCallsController,
  UsernameCallsController,
];

const SHARED_PROVIDERS = [
  ManagePages,
  EntryFlow,
  FreshProof,
  ProvenChange,
  SealedText,
  ManageForms,
  AppConsents,
  AccountSummary,
  OverviewPage,
  OwnTrustedBrowsers,
  WaysIn,
];

@Module({
  imports: [AccountsModule, GatewayModule, HydraModule, FactorsModule],
  controllers: [...PAGES, ...CALLS],
  providers: [
    ...SHARED_PROVIDERS,
    ChangeOwnPassword,
    ConfirmProof,
    ManageSessionsAdapter,
    MailedProof,
    ConnectStart,
    DisconnectProvider,
    ActivityFlow,
    AppsFlow,
    OwnApps,
    DeletionFlow,
    DataFlow,
    DevicesFlow,
    OwnDevices,
    EmailFlow,
    FactorRemoval,
    FactorSetup,
    SetupFlow,
    FactorsFlow,
    FactorsPage,
    OverviewFlow,
    DataCopy,
    OwnData,
    OwnTerms,
    OwnHistory,
    PasswordFlow,
    RecoveryCodesFlow,
    SwitchFlow,
    UsernameFlow,
  ],
  exports: [ManageSessionsAdapter],
})
export class ManageModule {}
