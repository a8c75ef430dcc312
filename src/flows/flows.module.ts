/** The controllers and flows of `src/flows`, except those of signing in, which has its own module (`sign-in`). */
import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { HydraModule } from '../hydra/hydra.module.js';
import { FactorsModule } from '../mfa/factors.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { CarriedDecision } from './consent/carried-decision.js';
import { ConsentAnswers } from './consent/consent-answers.js';
import { ConsentController } from './consent/consent.controller.js';
import { ConsentSession } from './consent/consent-session.js';
import { FinishedConsents } from './consent/finished-consents.js';
import { ConsentFlow } from './consent/consent.flow.js';
import { DeviceEndFlow } from './device/device-end.flow.js';
import { DeviceController } from './device/device.controller.js';
import { DeviceFlow } from './device/device.flow.js';
import { ErrorController } from './error/error.controller.js';
import { FactorResetController } from './factor-reset/factor-reset.controller.js';
import { FactorResetFlow } from './factor-reset/factor-reset.flow.js';
import { LogoutController } from './logout/logout.controller.js';
import { LogoutFlow } from './logout/logout.flow.js';
import { LogoutResults } from './logout/logout-results.js';
import { SignOut } from './logout/sign-out.js';
import { InvitationController } from './invitation/invitation.controller.js';
import { InvitationFlow } from './invitation/invitation.flow.js';
import { InvitationPages } from './invitation/invitation.page.js';
import { KeepAccountController } from './keep-account/keep-account.controller.js';
import { KeepAccountFlow } from './keep-account/keep-account.flow.js';
import { NotMeController } from './not-me/not-me.controller.js';
import { NotMeFlow } from './not-me/not-me.flow.js';
import { PasskeyOfferController } from './passkey-offer/passkey-offer.controller.js';
import { PasskeyOfferFlow } from './passkey-offer/passkey-offer.flow.js';
import { RequestController } from './password-reset/request.controller.js';
import { RequestFlow } from './password-reset/request.flow.js';
import { ResetController } from './password-reset/reset.controller.js';
import { ResetFlow } from './password-reset/reset.flow.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SourceKeysController } from './sources/source-keys.controller.js';
import { StopChangeController } from './stop-change/stop-change.controller.js';
import { StopChangeFlow } from './stop-change/stop-change.flow.js';
import { SupportPageController } from './support-page/support-page.controller.js';
import { SupportPageFlow } from './support-page/support-page.flow.js';

const CONTROLLERS = [
  PasskeyOfferController,
  SourceKeysController,
  ConsentController,
  DeviceController,
  RequestController,
  ResetController,
  FactorResetController,
  InvitationController,
  KeepAccountController,
  NotMeController,
  StopChangeController,
  SupportPageController,
  LogoutController,
  ErrorController,
];

@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule, HydraModule, ProvidersModule, SignInModule],
  controllers: CONTROLLERS,
  providers: [
    PasskeyOfferFlow,
    CarriedDecision,
    ConsentAnswers,
    ConsentFlow,
    ConsentSession,
    DeviceEndFlow,
    DeviceFlow,
    FinishedConsents,
    RequestFlow,
    ResetFlow,
    FactorResetFlow,
    InvitationFlow,
    InvitationPages,
    KeepAccountFlow,
    NotMeFlow,
    StopChangeFlow,
    SupportPageFlow,
    LogoutFlow,
    LogoutResults,
    SignOut,
  ],
})
export class FlowsModule {}
