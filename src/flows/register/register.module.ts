import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-in/sign-in.module.js';
import { AnswerDesk } from './answer-verification.js';
import { HandoverFlow } from './start.flow.js';
import { Newcomer } from './registered-account.js';
import { RegisterController } from './register.controller.js';
import { ReturnFlow } from './callback.flow.js';
import { RegistrationScreens } from './screens.js';

@Module({
  imports: [SignOnModule],
  controllers: [RegisterController],
  providers: [HandoverFlow, ReturnFlow, AnswerDesk, Newcomer, RegistrationScreens],
})
export class RegisterModule {}
