import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { AnswerDesk } from './answer-desk.js';
import { HandoverFlow } from './handover.flow.js';
import { Newcomer } from './newcomer.js';
import { RegisterController } from './register.controller.js';
import { ReturnFlow } from './return.flow.js';
import { RegistrationScreens } from './screens.js';

@Module({
  imports: [SignOnModule],
  controllers: [RegisterController],
  providers: [HandoverFlow, ReturnFlow, AnswerDesk, Newcomer, RegistrationScreens],
})
export class RegisterModule {}
