import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { LoginController } from './login.controller.js';
import { LoginFlow } from './login.flow.js';
import { OpeningFlow } from './opening.flow.js';
import { LoginScreens } from './screens.js';
import { AccountChoice } from './provider/account-choice.flow.js';
import { AnswerFlow } from './provider/answer.flow.js';
import { ConnectingFlow } from './provider/connecting.flow.js';
import { DepartureFlow } from './provider/departure.flow.js';
import { FederatedIdentity } from './provider/federated-identity.js';
import { ProviderProof } from './provider/provider-proof.js';
import { ProviderSignIn } from './provider/provider-sign-in.flow.js';
import { ProviderController } from './provider/provider.controller.js';
import { SecondStep } from './second-step.js';

const PROVIDERS = [AccountChoice, AnswerFlow, ConnectingFlow, DepartureFlow, FederatedIdentity, ProviderProof, ProviderSignIn];

@Module({
  imports: [SignOnModule],
  // In this order: `/login/native` names no provider.
  controllers: [LoginController, ProviderController],
  providers: [OpeningFlow, LoginFlow, SecondStep, LoginScreens, ...PROVIDERS],
  exports: [SecondStep],
})
export class LoginModule {}
