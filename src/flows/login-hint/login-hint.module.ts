import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-in/sign-in.module.js';
import { LoginHintController } from './login-hint.controller.js';
import { LoginHintFlow } from './login-hint.flow.js';

@Module({ imports: [SignOnModule], controllers: [LoginHintController], providers: [LoginHintFlow] })
export class LoginHintModule {}
