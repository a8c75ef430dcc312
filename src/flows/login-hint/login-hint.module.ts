import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { LoginHintController } from './login-hint.controller.js';
import { LoginHintFlow } from './login-hint.flow.js';

@Module({ imports: [SignInModule], controllers: [LoginHintController], providers: [LoginHintFlow] })
export class LoginHintModule {}
