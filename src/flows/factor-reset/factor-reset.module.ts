import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { FactorsModule } from '../../mfa/factors.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorResetFlow } from './factor-reset.flow.js';

@Module({
  imports: [AccountsModule, FactorsModule, HydraModule, SignInModule],
  controllers: [FactorResetController],
  providers: [FactorResetFlow],
})
export class FactorResetModule {}
