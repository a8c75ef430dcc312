import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountChoice } from './account-choice.flow.js';
import { ProviderCallbackFlow } from './callback.flow.js';
import { ConnectProviderFlow } from './connect.flow.js';
import { FederatedIdentity } from './federated-identity.js';
import { ProviderProof } from './provider-proof.js';
import { ProviderSignIn } from './provider-sign-in.flow.js';
import { ProviderController } from './provider.controller.js';
import { StartAtProviderFlow } from './start.flow.js';

/** Signing in at an identity provider. */
@Module({
  imports: [AccountsModule, GatewayModule, SignInModule],
  controllers: [ProviderController],
  providers: [
    AccountChoice,
    ConnectProviderFlow,
    FederatedIdentity,
    ProviderCallbackFlow,
    ProviderProof,
    ProviderSignIn,
    StartAtProviderFlow,
  ],
})
export class ProviderSignInModule {}
