import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { GatewayModule } from '../../gateway/gateway.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { RequestedMails } from './requested-mails.js';
import { RequestController } from './request.controller.js';
import { RequestFlow } from './request.flow.js';
import { ResetController } from './reset.controller.js';
import { ResetFlow } from './reset.flow.js';

@Module({
  imports: [AccountsModule, GatewayModule, HydraModule, SignInModule],
  controllers: [RequestController, ResetController],
  providers: [RequestedMails, RequestFlow, ResetFlow],
})
export class PasswordResetModule {}
