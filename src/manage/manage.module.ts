/** The account area. */
import { Module } from '@nestjs/common';
import { MfaModule } from '../mfa/mfa.module.js';
import { ConfirmProof } from './confirm/confirm-proof.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { MailedProof } from './confirm/mailed-proof.js';
import { ProofCallsController } from './confirm/proof-calls.controller.js';
import { FactorRemoval } from './factors/factor-removal.js';
import { FactorsCallsController } from './factors/factors-calls.controller.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsFlow } from './factors/factors.flow.js';
import { Fido2CallsController } from './fido2/fido2-calls.controller.js';
import { Fido2Controller } from './fido2/fido2.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewFlow } from './overview/overview.flow.js';
import { UserinfoCallsController } from './overview/userinfo-calls.controller.js';
import { PasswordCallsController } from './password/password-calls.controller.js';
import { PasswordController } from './password/password.controller.js';
import { PasswordFlow } from './password/password.flow.js';
import { RecoveryCodesCallsController } from './recovery-codes/recovery-codes-calls.controller.js';
import { RecoveryCodesController } from './recovery-codes/recovery-codes.controller.js';
import { RecoveryCodesFlow } from './recovery-codes/recovery-codes.flow.js';
import { ConnectDeparture } from './providers/connect-departure.js';
import { Disconnecting } from './providers/disconnecting.js';
import { ProvidersCallsController } from './providers/providers-calls.controller.js';
import { ProvidersController } from './providers/providers.controller.js';
import { AreaEdge } from './session/area-edge.js';
import { AreaErrorController } from './session/area-error.controller.js';
import { AreaLogoutController } from './session/area-logout.controller.js';
import { EntryFlow } from './session/entry.flow.js';
import { FactorSetup } from './session/factor-setup.js';
import { FreshProof } from './session/fresh-proof.js';
import { KeptText } from './session/kept-text.js';
import { OverviewPage } from './session/overview.page.js';
import { TotpCallsController } from './totp/totp-calls.controller.js';
import { TotpController } from './totp/totp.controller.js';
import { TotpFlow } from './totp/totp.flow.js';
import { UsernameCallsController } from './username/username-calls.controller.js';
import { UsernameController } from './username/username.controller.js';
import { UsernameFlow } from './username/username.flow.js';

const PAGES = [
  OverviewController,
  AreaErrorController,
  AreaLogoutController,
  ConfirmController,
  FactorsController,
  Fido2Controller,
  PasswordController,
  ProvidersController,
  RecoveryCodesController,
  TotpController,
  UsernameController,
];

const CALLS = [
  UserinfoCallsController,
  FactorsCallsController,
  Fido2CallsController,
  PasswordCallsController,
  ProofCallsController,
  ProvidersCallsController,
  RecoveryCodesCallsController,
  TotpCallsController,
  UsernameCallsController,
];

const SHARED = [AreaEdge, EntryFlow, FactorSetup, FreshProof, KeptText, OverviewPage];

@Module({
  imports: [MfaModule],
  controllers: [...PAGES, ...CALLS],
  providers: [
    ...SHARED,
    ConfirmProof,
    MailedProof,
    ConnectDeparture,
    Disconnecting,
    FactorRemoval,
    FactorsFlow,
    OverviewFlow,
    PasswordFlow,
    RecoveryCodesFlow,
    TotpFlow,
    UsernameFlow,
  ],
})
export class ManageModule {}
