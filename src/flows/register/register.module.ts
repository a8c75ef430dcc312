import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AnswerVerification } from './answer-verification.js';
import { StartRegistrationFlow } from './start.flow.js';
import { RegisteredAccount } from './registered-account.js';
import { RegisterController } from './register.controller.js';
import { RegistrationCallbackFlow } from './callback.flow.js';
import { RegistrationScreens } from './screens.js';

@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule, ProvidersModule, SignInModule],
  controllers: [RegisterController],
  providers: [StartRegistrationFlow, RegistrationCallbackFlow, AnswerVerification, RegisteredAccount, RegistrationScreens],
})
export class RegisterModule {}
