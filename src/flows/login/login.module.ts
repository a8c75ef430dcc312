import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { FirstFactor } from './first-factor.js';
import { LoginController } from './login.controller.js';
import { LoginFlow } from './login.flow.js';
import { OpeningFlow } from './opening.flow.js';
import { LoginScreens } from './screens.js';
import { SecondStep } from './second-step.js';

@Module({
  imports: [SignOnModule],
  controllers: [LoginController],
  providers: [OpeningFlow, LoginFlow, FirstFactor, SecondStep, LoginScreens],
  exports: [SecondStep],
})
export class LoginModule {}
