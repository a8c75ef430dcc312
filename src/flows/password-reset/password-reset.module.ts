import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-in/sign-in.module.js';
import { AskedMails } from './requested-mails.js';
import { RequestController } from './request.controller.js';
import { RequestFlow } from './request.flow.js';
import { ResetController } from './reset.controller.js';
import { ResetFlow } from './reset.flow.js';

@Module({
  imports: [SignOnModule],
  controllers: [RequestController, ResetController],
  providers: [AskedMails, RequestFlow, ResetFlow],
})
export class PasswordResetModule {}
