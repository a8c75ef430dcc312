/** Everything about signing in. It exports the parts that `flows/consent`, `flows/logout` and the other flows share. */
import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { OfferedPasskeys } from '../../mfa/factors/passkey/offered-passkeys.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { Accept, DeviceCookies, SignInEnd, HydraLogin } from './accept.js';
import { CarryOn } from './carry-on.js';
import { ClosedBrowser } from './closed-browser.js';
import { Dispatch } from './dispatch.js';
import { FlowPages } from './flow-pages.js';
import { HintedUsername } from './hinted-username.js';
import { LoginController } from './login.controller.js';
import { LoginRequestFlow } from './login-request.flow.js';
import { LoginScreens } from './login-screens.js';
import { MailedCodePages } from './mailed-code.page.js';
import { PasskeyOffer } from './passkey-offer.js';
import { RequestedMails } from './requested-mails.js';
import { SessionBinding } from './session-binding.js';
import { SignIns } from './sign-in.js';
import { Tasks } from './tasks.js';
import { TrustChoice } from './trust-choice.js';
import { CarriedTab } from './steps/carried-tab.js';
import { LoginHintController, LoginHintFlow } from './steps/login-hint.js';
import { MailedCodeController, MailedCodeRequest, MailedCodeStep } from './steps/mailed-code.js';
import { PasskeyController, PasskeyStep } from './steps/passkey.js';
import { PasswordController, PasswordStep } from './steps/password.js';
import { AccountChoice } from './steps/provider/account-choice.flow.js';
import { ProviderCallbackFlow } from './steps/provider/callback.flow.js';
import { ConnectProviderFlow } from './steps/provider/connect.flow.js';
import { FederatedIdentity } from './steps/provider/federated-identity.js';
import { ScimPeople } from './steps/provider/scim-people.js';
import { ProvidedAccounts } from './steps/provider/provided-accounts.js';
import { ProviderController } from './steps/provider/provider.controller.js';
import { CallbackVerification } from './steps/provider/callback-verification.js';
import { ProviderSignIn } from './steps/provider/provider-sign-in.flow.js';
import { StartAtProviderFlow } from './steps/provider/start.flow.js';
import { AnswerVerification } from './steps/registration/answer-verification.js';
import { RegistrationCallbackFlow } from './steps/registration/callback.flow.js';
import { RegisterController } from './steps/registration/register.controller.js';
import { RegistrationSignIn } from './steps/registration/registration-sign-in.js';
import { RegistrationScreens } from './steps/registration/screens.js';
import { StartRegistrationFlow } from './steps/registration/start.flow.js';
import { SignUpApplicationFlow } from './steps/sign-up/application.flow.js';
import { CodeRequests } from './steps/sign-up/code-requests.js';
import { SignUpPasswordFlow } from './steps/sign-up/password.flow.js';
import { SignUpProgress } from './steps/sign-up/progress.js';
import { ProvenSignUps } from './steps/sign-up/proven-sign-up.js';
import { SignUpController } from './steps/sign-up/sign-up.controller.js';
import { SignUpFlow } from './steps/sign-up/sign-up.flow.js';
import { SignUpEnd } from './steps/sign-up/sign-up-end.js';
import { SignUpPages } from './steps/sign-up/sign-up.pages.js';
import { SignUpWork } from './steps/sign-up/work.js';
import { RememberedLogin, RememberedSession } from './steps/remembered-session.js';
import { EnrolmentFlow } from './steps/second-factor/enrolment.flow.js';
import { SecondFactor } from './steps/second-factor/second-factor.js';
import { VerificationCallsController } from './steps/second-factor/verification-calls.controller.js';
import { VerificationController } from './steps/second-factor/verification.controller.js';
import { VerificationFlow } from './steps/second-factor/verification.flow.js';
import { VerificationPages } from './steps/second-factor/verification.page.js';
import { EmailTask } from './steps/task/email-task.js';
import { FieldsTask } from './steps/task/fields-task.js';
import { TaskKinds } from './steps/task/task-kinds.js';
import { PasswordTask } from './steps/task/password-task.js';
import { TaskController } from './steps/task/task.controller.js';
import { TermsTask } from './steps/task/terms-task.js';
import { TaskFlow } from './steps/task/task.flow.js';
import { TaskPages } from './steps/task/task.page.js';

const STEPS = [
  PasswordStep,
  PasskeyStep,
  MailedCodeRequest,
  MailedCodeStep,
  LoginHintFlow,
  RememberedSession,
  RememberedLogin,
  CarriedTab,
  AccountChoice,
  ConnectProviderFlow,
  FederatedIdentity,
  ProvidedAccounts,
  ScimPeople,
  ProviderCallbackFlow,
  CallbackVerification,
  ProviderSignIn,
  StartAtProviderFlow,
  AnswerVerification,
  RegistrationCallbackFlow,
  RegistrationScreens,
  RegistrationSignIn,
  StartRegistrationFlow,
  CodeRequests,
  SignUpEnd,
  SignUpFlow,
  SignUpPages,
  SignUpPasswordFlow,
  SignUpApplicationFlow,
  SignUpProgress,
  ProvenSignUps,
  SignUpWork,
  EnrolmentFlow,
  SecondFactor,
  VerificationFlow,
  VerificationPages,
  EmailTask,
  FieldsTask,
  TaskKinds,
  PasswordTask,
  TermsTask,
  TaskFlow,
  TaskPages,
];

@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule, HydraModule, ProvidersModule],
  controllers: [
    // The controllers of `/login/native`, `/login/passkey`, `/login/task`, `/login/code` and `/login/proceed` come before
    // `ProviderController`, whose route `/login/:provider` would match these addresses too.
    LoginController,
    PasswordController,
    PasskeyController,
    TaskController,
    MailedCodeController,
    LoginHintController,
    ProviderController,
    RegisterController,
    SignUpController,
    VerificationController,
    VerificationCallsController,
  ],
  providers: [
    Accept,
    CarryOn,
    ClosedBrowser,
    DeviceCookies,
    SignInEnd,
    Dispatch,
    FlowPages,
    HintedUsername,
    HydraLogin,
    LoginRequestFlow,
    LoginScreens,
    MailedCodePages,
    OfferedPasskeys,
    PasskeyOffer,
    RequestedMails,
    SessionBinding,
    SignIns,
    Tasks,
    TrustChoice,
    ...STEPS,
  ],
  exports: [CarryOn, FlowPages, OfferedPasskeys, RequestedMails, SessionBinding],
})
export class SignInModule {}
