/** Shared by all ways of signing in and all flows that end in a login. */
import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { OfferedPasskeys } from '../../mfa/factors/passkey/offered-passkeys.js';
import { ClosedBrowser } from './closed-browser.js';
import { CarriedLogin } from './carried-login.js';
import { CarriedProof } from './carried-proof.js';
import { FirstFactor } from './first-factor.js';
import { FlowPages } from './flow-pages.js';
import { HintedUsername } from './hinted-username.js';
import { KeptRequests } from './kept-requests.js';
import { LoginAcceptance } from './login-acceptance.js';
import { LoginRequestFlow } from './login-request.flow.js';
import { LoginScreens } from './login-screens.js';
import { PasskeyOffer } from './passkey-offer.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SecondStep } from './second-step.js';
import { SessionBinding } from './session-binding.js';
import { SignIn } from './sign-in.js';

@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule, HydraModule],
  providers: [
    ClosedBrowser,
    CarriedLogin,
    CarriedProof,
    FirstFactor,
    FlowPages,
    HintedUsername,
    KeptRequests,
    LoginAcceptance,
    LoginRequestFlow,
    LoginScreens,
    OfferedPasskeys,
    PasskeyOffer,
    RememberedLogin,
    RememberedSessions,
    SecondStep,
    SessionBinding,
    SignIn,
  ],
  exports: [
    FirstFactor,
    FlowPages,
    KeptRequests,
    LoginRequestFlow,
    LoginScreens,
    OfferedPasskeys,
    RememberedLogin,
    SecondStep,
    SessionBinding,
    SignIn,
  ],
})
export class SignInModule {}
