import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { FactorMetrics } from './factor-metrics.js';
import { FactorResets } from './factor-resets.js';
import { FactorTransfers } from './factor-transfers.js';
import { Factors } from './factors.js';
import { SeedResealer } from './factors/totp/seed-resealer.js';
import { RecoveryCodes } from './recovery-codes/recovery-codes.js';
import { FACTOR_TOKENS, FactorRegistry, factorProviders } from './registry.js';

const SERVICES = [FactorRegistry, FactorResets, FactorTransfers, Factors, RecoveryCodes];

/** The second factors, without pages. */
@Module({
  imports: [AccountsModule, PasskeysModule],
  providers: [...factorProviders, ...SERVICES, FactorMetrics],
  exports: [...SERVICES, ...FACTOR_TOKENS, SeedResealer, PasskeysModule],
})
export class FactorsModule {}
