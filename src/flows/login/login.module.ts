import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { LoginController } from './login.controller.js';
import { LoginFlow } from './login.flow.js';

/** Signing in with username and password. */
@Module({ imports: [AccountsModule, SignInModule], controllers: [LoginController], providers: [LoginFlow] })
export class LoginModule {}
