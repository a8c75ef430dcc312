import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { FirstFactor } from './first-factor.js';
import { FlowPages } from './flow-pages.js';
import { LoginAcceptance } from './login-acceptance.js';
import { LoginRequestFlow } from './login-request.flow.js';
import { LoginScreens } from './login-screens.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SecondStep } from './second-step.js';
import { SignIn } from './sign-in.js';

/** Shared by all ways of signing in and all flows that end in a login. */
@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule, HydraModule],
  providers: [
    FirstFactor,
    FlowPages,
    LoginAcceptance,
    LoginRequestFlow,
    LoginScreens,
    RememberedLogin,
    RememberedSessions,
    SecondStep,
    SignIn,
  ],
  exports: [FirstFactor, FlowPages, LoginRequestFlow, LoginScreens, RememberedLogin, SecondStep, SignIn],
})
export class SignInModule {}
