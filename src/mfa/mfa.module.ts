import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { EnrolmentFlow } from './verification/enrolment.flow.js';
import { FactorsModule } from './factors.module.js';
import { PendingSignIn } from './verification/pending-sign-in.js';
import { VerificationCallsController } from './verification/verification-calls.controller.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationFlow } from './verification/verification.flow.js';
import { VerificationPages } from './verification/verification.page.js';

/** The second step of a sign-in. `LoginContinuation` is bound in `app.module.ts`. */
@Module({
  imports: [AccountsModule, FactorsModule, GatewayModule],
  controllers: [VerificationController, VerificationCallsController],
  providers: [PendingSignIn, VerificationFlow, EnrolmentFlow, VerificationPages],
  exports: [FactorsModule, PendingSignIn],
})
export class MfaModule {}
