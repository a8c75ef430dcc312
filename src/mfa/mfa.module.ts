import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { EnrolmentFlow } from './verification/enrolment.flow.js';
import { factorProviders } from './factor-providers.js';
import { PendingSignIn } from './verification/pending-sign-in.js';
import { VerificationCallsController } from './verification/verification-calls.controller.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationFlow } from './verification/verification.flow.js';
import { VerificationPages } from './verification/verification.page.js';

/** The factors and the step of a sign-in that asks for one. `LoginContinuation` is bound in `app.module.ts`. */
@Module({
  imports: [AccountsModule, GatewayModule],
  controllers: [VerificationController, VerificationCallsController],
  providers: [...factorProviders, PendingSignIn, VerificationFlow, EnrolmentFlow, VerificationPages],
  exports: [...factorProviders, PendingSignIn],
})
export class MfaModule {}
