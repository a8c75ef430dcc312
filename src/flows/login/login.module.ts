import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { LoginController } from './login.controller.js';
import { LoginFlow } from './login.flow.js';
import { LoginRequestFlow } from './login-request.flow.js';
import { LoginScreens } from './screens.js';
import { AccountChoice } from '../providers/account-choice.flow.js';
import { ProviderCallbackFlow } from '../providers/callback.flow.js';
import { ConnectProviderFlow } from '../providers/connect.flow.js';
import { StartAtProviderFlow } from '../providers/start.flow.js';
import { FederatedIdentity } from '../providers/federated-identity.js';
import { ProviderProof } from '../providers/provider-proof.js';
import { ProviderSignIn } from '../providers/provider-sign-in.flow.js';
import { ProviderController } from '../providers/provider.controller.js';
import { SecondStep } from './second-step.js';

const PROVIDERS = [
  AccountChoice,
  ProviderCallbackFlow,
  ConnectProviderFlow,
  StartAtProviderFlow,
  FederatedIdentity,
  ProviderProof,
  ProviderSignIn,
];

@Module({
  imports: [SignInModule],
  // In this order: `/login/native` names no provider.
  controllers: [LoginController, ProviderController],
  providers: [LoginRequestFlow, LoginFlow, SecondStep, LoginScreens, ...PROVIDERS],
  exports: [SecondStep],
})
export class LoginModule {}
