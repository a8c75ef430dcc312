import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FactorMetrics } from './factor-metrics.js';
import { FactorResets } from './factor-resets.js';
import { FactorTransfers } from './factor-transfers.js';
import { Factors } from './factors.js';
import { PasskeySignIn } from './factors/passkey/passkey-sign-in.js';
import { SignInChallenges } from './factors/passkey/sign-in-challenge.js';
import { FACTOR_TOKENS, FactorRegistry, factorProviders } from './registry.js';

const OFFERED = [FactorRegistry, FactorResets, FactorTransfers, Factors, PasskeySignIn, SignInChallenges];

/** The second factors, without pages. */
@Module({
  imports: [AccountsModule],
  providers: [...factorProviders, ...OFFERED, FactorMetrics],
  exports: [...OFFERED, ...FACTOR_TOKENS],
})
export class FactorsModule {}
