import { Module } from '@nestjs/common';
import { EnrolmentFlow } from './enrolment.flow.js';
import { factorProviders } from './factor-providers.js';
import { PendingSignIn } from './pending-sign-in.js';
import { VerificationCallsController } from './verification-calls.controller.js';
import { VerificationController } from './verification.controller.js';
import { VerificationFlow } from './verification.flow.js';
import { VerificationPages } from './verification.page.js';

/** The factors and the step of a sign-in that asks for one. Ports come from the global modules of `app.module.ts`. */
@Module({
  controllers: [VerificationController, VerificationCallsController],
  providers: [...factorProviders, PendingSignIn, VerificationFlow, EnrolmentFlow, VerificationPages],
  exports: [...factorProviders, PendingSignIn],
})
export class MfaModule {}
